//! Named services of a user: `profiles.toml` in the folder of their settings.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use serde::Deserialize;
use toml_edit::{DocumentMut, Item, Table, value};

use super::private_file;

/// The profile that is meant where none is named.
pub const DEFAULT: &str = "default";
const FILE: &str = "profiles.toml";

/// A service, and how it is reached.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub server: Option<String>,
    /// Relative to the folder of the profiles.
    pub token_file: Option<PathBuf>,
    /// The number of the token in it, by which it can be removed.
    pub token: Option<u64>,
    /// As `token_file`.
    pub ca: Option<PathBuf>,
}

/// The profiles of a user.
pub struct Profiles {
    folder: PathBuf,
    document: DocumentMut,
}

impl Profiles {
    /// Those that there are; none where there is no file.
    ///
    /// # Errors
    /// A file that others may read, or that is none of profiles.
    pub fn read() -> anyhow::Result<Self> {
        let folder = folder().context("neither XDG_CONFIG_HOME nor HOME says where profiles are")?;
        let path = folder.join(FILE);
        let text = match path.try_exists() {
            Ok(false) => String::new(),
            _ => private_file::read(&path)?,
        };
        let document = text.parse::<DocumentMut>();
        let document = document.map_err(|error| anyhow!("`{}`: {}", path.display(), error.message()))?;
        Ok(Self { folder, document })
    }

    /// The profile of a name.
    ///
    /// # Errors
    /// One that is not as profiles are.
    pub fn profile(&self, name: &str) -> anyhow::Result<Option<Profile>> {
        let Some(item) = self.document.get(name) else { return Ok(None) };
        let wrong = || {
            anyhow!(
                "`{}`: `{name}` is no profile with server, token_file, token and ca",
                self.path().display()
            )
        };
        let table = item.as_table().ok_or_else(wrong)?;
        let text = DocumentMut::from(table.clone()).to_string();
        let profile: Profile = toml_edit::de::from_str(&text).map_err(|_| wrong())?;
        let absolute = |path: PathBuf| self.folder.join(path);
        Ok(Some(Profile {
            token_file: profile.token_file.map(absolute),
            ca: profile.ca.map(absolute),
            ..profile
        }))
    }

    /// Puts a profile in the place of the one of its name; the others stay as they are written.
    ///
    /// # Errors
    /// What keeps it from being written.
    pub fn put(&mut self, name: &str, profile: &Profile) -> anyhow::Result<()> {
        let mut table = Table::new();
        let path = |path: &PathBuf| path.display().to_string();
        let lines = [
            ("server", profile.server.clone()),
            ("token_file", profile.token_file.as_ref().map(path)),
            ("ca", profile.ca.as_ref().map(path)),
        ];
        for (key, text) in lines {
            if let Some(text) = text {
                table.insert(key, value(text));
            }
        }
        if let Some(number) = profile.token.and_then(|number| i64::try_from(number).ok()) {
            table.insert("token", value(number));
        }
        self.document.insert(name, Item::Table(table));
        self.write()
    }

    /// Takes a profile's token away.
    ///
    /// # Errors
    /// What keeps it from being written.
    pub fn forget_token(&mut self, name: &str) -> anyhow::Result<()> {
        if let Some(table) = self.document.get_mut(name).and_then(Item::as_table_mut) {
            table.remove("token_file");
            table.remove("token");
        }
        self.write()
    }

    /// Where the token of a profile is kept that is made for it.
    #[must_use]
    pub fn token_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.token"))
    }

    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(FILE)
    }

    fn write(&self) -> anyhow::Result<()> {
        private_file::write(&self.path(), &self.document.to_string())
    }
}

fn folder() -> Option<PathBuf> {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let settings = named("XDG_CONFIG_HOME").or_else(|| Some(named("HOME")?.join(".config")))?;
    Some(settings.join("guardbee"))
}

/// Can a profile have this name? A file is named after it.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    !name.is_empty() && name.len() <= 64 && name.bytes().all(is_plain)
}

/// Whether there can be profiles at all, and the file is there.
#[must_use]
pub fn is_there() -> bool {
    folder().is_some_and(|folder| !matches!(Path::new(&folder).join(FILE).try_exists(), Ok(false)))
}
