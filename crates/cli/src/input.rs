//! Texts to read: files, folders, standard input, the command line.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A text is refused past this size, since positions are 32 bits wide.
const LARGEST_FILE_BYTES: u64 = 1 << 30;

/// File names that are taken for scripts when a folder is searched.
const EXTENSIONS: [&str; 3] = ["sql", "hql", "q"];

/// Something that a text can be had from.
#[derive(Debug, Clone)]
pub enum Input {
    File(PathBuf),
    /// Standard input (`-`) or the command line (`-e`), read already.
    Given {
        label: &'static str,
        text: String,
    },
}

impl Input {
    /// The name that outputs call it by.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Given { label, .. } => (*label).to_owned(),
        }
    }

    /// How much there is to read, where it can be told.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        match self {
            Self::File(path) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Self::Given { text, .. } => text.len() as u64,
        }
    }

    /// The whole text. Bytes that are no UTF-8 become U+FFFD, as Hive reads them.
    ///
    /// # Errors
    /// What the system says, or that the text is too large.
    pub fn read(&self) -> io::Result<String> {
        match self {
            Self::File(path) => read_file(path).map(decoded),
            Self::Given { text, .. } => Ok(text.clone()),
        }
    }
}

/// A path that gives no input, and why.
#[derive(Debug)]
pub struct Unreadable {
    pub label: String,
    pub reason: io::Error,
}

/// The inputs that the paths stand for; folders give their scripts in the order of their names.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> (Vec<Input>, Vec<Unreadable>) {
    let mut inputs = Vec::new();
    let mut unreadable = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            match read_bounded(io::stdin().lock()) {
                Ok(bytes) => inputs.push(Input::Given { label: "-", text: decoded(bytes) }),
                Err(reason) => unreadable.push(Unreadable { label: "-".to_owned(), reason }),
            }
        } else if path.is_dir() {
            collect_folder(path, &mut inputs, &mut unreadable);
        } else {
            inputs.push(Input::File(path.clone()));
        }
    }
    (inputs, unreadable)
}

fn collect_folder(folder: &Path, inputs: &mut Vec<Input>, unreadable: &mut Vec<Unreadable>) {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(reason) => {
            unreadable.push(Unreadable { label: folder.display().to_string(), reason });
            return;
        }
    };
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        // A link to a folder is not followed: it may lead back up.
        let is_folder = entry.file_type().is_ok_and(|file_type| file_type.is_dir());
        if is_folder && !is_hidden {
            collect_folder(&path, inputs, unreadable);
        } else if !is_folder && !is_hidden && is_script(&path) {
            inputs.push(Input::File(path));
        }
    }
}

fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    let file = fs::File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    read_bounded(file)
}

fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(LARGEST_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the text is larger than 1 GiB"));
    }
    bytes.shrink_to_fit();
    Ok(bytes)
}
