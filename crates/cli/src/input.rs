//! Texts to read: files, folders, standard input, the command line.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::window::{Window, decoded, read_bounded};

/// File names that are taken for scripts when a folder is searched.
const EXTENSIONS: [&str; 3] = ["sql", "hql", "q"];

/// One session's worth of text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    File(PathBuf),
    /// What came in on standard input, read already.
    Standard(String),
    /// The texts of `-e`, one after the other in one session.
    CommandLine(Vec<String>),
}

impl Input {
    /// The name that outputs call it by.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Standard(_) => "-".to_owned(),
            Self::CommandLine(_) => "-e".to_owned(),
        }
    }

    /// How much there is to read, where it can be told.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        match self {
            Self::File(path) => fs::metadata(path).map_or(0, |metadata| metadata.len()),
            Self::Standard(text) => text.len() as u64,
            Self::CommandLine(texts) => texts.iter().map(|text| text.len() as u64).sum(),
        }
    }

    /// The texts in order. Bytes that are no UTF-8 become U+FFFD, as Hive reads them.
    ///
    /// # Errors
    /// What the system says, or that the text is too large.
    pub fn read(&self) -> io::Result<Vec<Window<'_>>> {
        let label = self.label();
        Ok(match self {
            Self::File(path) => vec![Window::of_file(path)?],
            Self::Standard(text) => vec![Window::whole(label, Cow::Borrowed(text))],
            Self::CommandLine(texts) => {
                let label_of = |index| match texts.len() {
                    1 => label.clone(),
                    _ => format!("{label}[{}]", index + 1),
                };
                let texts = texts.iter().enumerate();
                texts.map(|(index, text)| Window::whole(label_of(index), Cow::Borrowed(text))).collect()
            }
        })
    }
}

/// A path that gives no input, and why.
#[derive(Debug)]
pub struct Unreadable {
    pub label: String,
    pub reason: String,
}

impl Unreadable {
    #[must_use]
    pub fn new(label: String, error: &io::Error) -> Self {
        Self { label, reason: reason(error) }
    }
}

/// The inputs that the paths stand for; folders give their scripts in the order of their names. A file
/// that is named twice is read once.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> (Vec<Input>, Vec<Unreadable>) {
    let mut inputs = Vec::new();
    let mut unreadable = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            match read_bounded(io::stdin().lock(), 0) {
                Ok(bytes) => inputs.push(Input::Standard(decoded(bytes))),
                Err(error) => unreadable.push(Unreadable::new("-".to_owned(), &error)),
            }
        } else if path.is_dir() {
            let found_before = inputs.len() + unreadable.len();
            collect_folder(path, &mut inputs, &mut unreadable);
            if inputs.len() + unreadable.len() == found_before {
                let label = path.display().to_string();
                unreadable
                    .push(Unreadable { label, reason: "there is no .sql, .hql or .q file in it".into() });
            }
        } else {
            inputs.push(Input::File(path.clone()));
        }
    }
    let mut seen = std::collections::HashSet::new();
    inputs.retain(|input| match input {
        Input::File(path) => seen.insert(path.clone()),
        Input::Standard(_) | Input::CommandLine(_) => true,
    });
    (inputs, unreadable)
}

fn collect_folder(folder: &Path, inputs: &mut Vec<Input>, unreadable: &mut Vec<Unreadable>) {
    let entries = fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let mut entries = match entries {
        Ok(entries) => entries,
        Err(error) => {
            unreadable.push(Unreadable::new(folder.display().to_string(), &error));
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
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => {}
                // Nobody may ever write to a pipe, and a device may never end.
                Ok(metadata) if !metadata.is_file() => {
                    let label = path.display().to_string();
                    unreadable.push(Unreadable { label, reason: "it is not a regular file".into() });
                }
                _ => inputs.push(Input::File(path)),
            }
        }
    }
}

fn is_script(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// A text that is read strictly: a name with a character that cannot be read would be another name.
///
/// # Errors
/// What it is instead of UTF-8.
pub fn strict_text(bytes: Vec<u8>) -> Result<String, String> {
    let is_utf_16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    String::from_utf8(bytes).map_err(|_| match is_utf_16 {
        true => "it is UTF-16; save it as UTF-8".to_owned(),
        false => "it is not UTF-8".to_owned(),
    })
}

/// A system's error in words, without its number.
#[must_use]
pub fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
