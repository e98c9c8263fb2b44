//! The settings that decide together with the entries.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::Change;
use crate::declassifier::{self, Declassifiers};

/// How a policy is read. Kept with the policy, so that an old version is read as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    pub rule_book: BookName,
    /// The server's name in `ON SERVER name`.
    pub server: SmolStr,
    /// `hdfs://nn1:8020`: what addresses without a scheme or authority belong to.
    pub default_file_system: SmolStr,
    /// Sentry's `sentry.hive.restrict.defaultDB`: is a right in `default` needed to USE it?
    pub restrict_default_database: Switch,
    /// Sentry's `sentry.hive.sync.drop`: do entries go with the object they stand on?
    pub sync_drop: Switch,
    /// Sentry's `sentry.hive.sync.create`: does a new object start without the entries of its forerunner?
    pub sync_create: Switch,
    pub owner_privileges: OwnerPrivileges,
    /// The books whose originals ask the file system about addresses: who answers here?
    pub uri_rights: UriRights,
    /// Refuse what the original of the rule book refuses (Sentry: privileges for roles only, no nesting).
    pub strict: Switch,
    /// Where tags end that go with data. Each has a key of its own.
    pub declassifiers: Arc<Declassifiers>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rule_book: BookName::Sentry,
            server: SmolStr::new_static("server1"),
            default_file_system: SmolStr::new_static("hdfs://nn1:8020"),
            restrict_default_database: Switch::Off,
            sync_drop: Switch::On,
            sync_create: Switch::Off,
            owner_privileges: OwnerPrivileges::None,
            uri_rights: UriRights::Entries,
            strict: Switch::Off,
            declassifiers: Arc::default(),
        }
    }
}

impl Settings {
    /// Every key that there always is, in the order in which they are shown.
    pub const KEYS: [&'static str; 9] = [
        "rule_book",
        "server",
        "default_fs",
        "restrict_default_db",
        "sync_drop",
        "sync_create",
        "owner_privileges",
        "uri_rights",
        "strict",
    ];

    /// The value of a key as text; none where there is no such key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<SmolStr> {
        let value = match key {
            "rule_book" => self.rule_book.as_str(),
            "server" => return Some(self.server.clone()),
            "default_fs" => return Some(self.default_file_system.clone()),
            "restrict_default_db" => self.restrict_default_database.as_str(),
            "sync_drop" => self.sync_drop.as_str(),
            "sync_create" => self.sync_create.as_str(),
            "owner_privileges" => self.owner_privileges.as_str(),
            "uri_rights" => self.uri_rights.as_str(),
            "strict" => self.strict.as_str(),
            other => return self.declassifiers.value(other),
        };
        Some(SmolStr::new_static(value))
    }

    /// Sets a key from text.
    ///
    /// # Errors
    /// [`SettingError`] where there is no such key, or the key has no such value. Nothing changes then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        let wrong = |allowed| SettingError::UnknownValue { allowed };
        match key {
            "rule_book" => self.rule_book = BookName::parse(value).ok_or(wrong(BookName::WORDS))?,
            "server" if value.is_empty() => return Err(wrong("a name")),
            "server" => self.server = SmolStr::new(value),
            "default_fs" if !value.contains(':') => return Err(wrong("an address such as hdfs://nn1:8020")),
            "default_fs" => self.default_file_system = SmolStr::new(value),
            "restrict_default_db" => {
                self.restrict_default_database = Switch::parse(value).ok_or(wrong(Switch::WORDS))?;
            }
            "sync_drop" => self.sync_drop = Switch::parse(value).ok_or(wrong(Switch::WORDS))?,
            "sync_create" => self.sync_create = Switch::parse(value).ok_or(wrong(Switch::WORDS))?,
            "owner_privileges" => {
                self.owner_privileges = OwnerPrivileges::parse(value).ok_or(wrong(OwnerPrivileges::WORDS))?;
            }
            "uri_rights" => {
                self.uri_rights = UriRights::parse(value).ok_or(wrong(UriRights::WORDS))?;
            }
            "strict" => self.strict = Switch::parse(value).ok_or(wrong(Switch::WORDS))?,
            key if declassifier::is_key(key) => {
                if !Arc::make_mut(&mut self.declassifiers).set(key, value) {
                    return Err(wrong("a day for the next review, an owner and a reason"));
                }
            }
            _ => return Err(SettingError::UnknownKey),
        }
        Ok(())
    }

    /// Puts a key back to what it is unless somebody sets it.
    ///
    /// # Errors
    /// [`SettingError::UnknownKey`] where there is no such key.
    pub fn reset(&mut self, key: &str) -> Result<(), SettingError> {
        if declassifier::is_key(key) {
            Arc::make_mut(&mut self.declassifiers).remove(key);
            return Ok(());
        }
        let value = Self::default().get(key).ok_or(SettingError::UnknownKey)?;
        self.set(key, &value)
    }

    /// Every key: those that there always are, then those of declassifiers.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        Self::KEYS.into_iter().chain(self.declassifiers.keys().map(SmolStr::as_str))
    }

    /// The steps that lead from these settings to others.
    #[must_use]
    pub fn changes_to(&self, other: &Self) -> Vec<Change> {
        let gone = self.declassifiers.keys().filter(|key| other.get(key).is_none());
        let gone = gone.map(|key| Change::RemoveSetting(key.clone()));
        let new = other
            .keys()
            .filter(|key| self.get(key) != other.get(key))
            .filter_map(|key| Some(Change::PutSetting { key: key.into(), value: other.get(key)? }));
        gone.chain(new).collect()
    }
}

/// Why a setting is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingError {
    UnknownKey,
    UnknownValue { allowed: &'static str },
}

/// The built-in rule books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum BookName {
    #[default]
    Sentry,
    HiveLegacy,
    SqlStandard,
    Ranger,
}

impl BookName {
    pub const ALL: [Self; 4] = [Self::Sentry, Self::HiveLegacy, Self::SqlStandard, Self::Ranger];
    const WORDS: &str = "sentry, hive-legacy, sql-standard or ranger";

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sentry => "sentry",
            Self::HiveLegacy => "hive-legacy",
            Self::SqlStandard => "sql-standard",
            Self::Ranger => "ranger",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|book| book.as_str() == text)
    }
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Switch {
    Off,
    On,
}

impl Switch {
    const WORDS: &str = "true or false";

    #[must_use]
    pub const fn is_on(self) -> bool {
        matches!(self, Self::On)
    }

    const fn as_str(self) -> &'static str {
        if self.is_on() { "true" } else { "false" }
    }

    fn parse(text: &str) -> Option<Self> {
        match text {
            "true" => Some(Self::On),
            "false" => Some(Self::Off),
            _ => None,
        }
    }
}

/// What the owner of an object gets in the sentry book (`sentry.db.policy.store.owner.as.privilege`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OwnerPrivileges {
    #[default]
    None,
    All,
    AllWithGrant,
}

impl OwnerPrivileges {
    const WORDS: &str = "none, all or all_with_grant";

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::All => "all",
            Self::AllWithGrant => "all_with_grant",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::None, Self::All, Self::AllWithGrant].into_iter().find(|choice| choice.as_str() == text)
    }
}

/// Hive's SQL-standard mode and Ranger ask the file system whether a user may use an address. Guardbee has
/// no file system, and so asks for entries on it, unless it is told that the file system will see to it.
/// The other rule books do not ask: Sentry always needs entries, Hive's legacy mode never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UriRights {
    #[default]
    Entries,
    FileSystem,
}

impl UriRights {
    const WORDS: &str = "entries or file_system";

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Entries => "entries",
            Self::FileSystem => "file_system",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Entries, Self::FileSystem].into_iter().find(|choice| choice.as_str() == text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_read_and_written() {
        let mut settings = Settings::default();
        for key in Settings::KEYS {
            let value = settings.get(key).unwrap();
            assert_eq!(settings.set(key, &value), Ok(()), "{key}");
        }
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.set("strict", "yes"), Err(SettingError::UnknownValue { allowed: Switch::WORDS }));
        assert_eq!(settings.set("nope", "x"), Err(SettingError::UnknownKey));
    }
}
