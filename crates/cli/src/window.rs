//! A text as far as it is still needed: what lies behind in a large file is let go.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::place::Place;

/// Less than this is not worth reading the rest again.
const SMALLEST_MOVE_BYTES: usize = 16 << 20;
/// A window starts at the start of a line where that is not far back, so that findings can show the line.
const LONGEST_LINE_KEPT_BYTES: usize = 64 << 10;

/// A text, or the end of it.
#[derive(Debug)]
pub struct Window<'i> {
    /// The name that outputs call the text by.
    pub label: String,
    pub text: Cow<'i, str>,
    /// Where the window starts in the whole text.
    pub base: u32,
    pub start: Place,
    /// How many bytes at its start are there to be looked at only.
    pub skip: usize,
    /// The file to read the rest from again, where it holds the same bytes as the text.
    source: Option<PathBuf>,
}

impl<'i> Window<'i> {
    /// A whole text.
    #[must_use]
    pub const fn whole(label: String, text: Cow<'i, str>) -> Self {
        Self { label, text, base: 0, start: Place { line: 1, column: 1 }, skip: 0, source: None }
    }

    /// The whole of a file. Bytes that are no UTF-8 become U+FFFD, as Hive reads them.
    ///
    /// # Errors
    /// What the system says, or that the text is too large.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        let file = fs::File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        let label = path.display().to_string();
        let bytes = read_bounded(file, metadata.len())?;
        let is_lasting = metadata.is_file();
        Ok(match String::from_utf8(bytes) {
            Ok(text) => {
                let source = is_lasting.then(|| path.to_owned());
                Self { source, ..Self::whole(label, Cow::Owned(text)) }
            }
            Err(error) => Self::whole(label, decoded(error.into_bytes()).into()),
        })
    }

    /// Is so much behind that the window should move on?
    #[must_use]
    pub fn is_behind(&self, offset: u32) -> bool {
        let behind = (offset as usize).saturating_sub(self.skip);
        self.source.is_some() && behind >= SMALLEST_MOVE_BYTES.max(self.text.len() / 4)
    }

    /// The window from `offset` on, which stands at `place`.
    ///
    /// # Errors
    /// What the system says, or that the file has changed.
    pub fn moved(self, offset: u32, place: Place) -> io::Result<Self> {
        let Self { label, text, base, source, .. } = self;
        let Some(path) = source else { return Err(io::ErrorKind::InvalidInput.into()) };
        let before = text.as_bytes().get(..offset as usize).unwrap_or_default();
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let is_near = before.len() - line_start <= LONGEST_LINE_KEPT_BYTES;
        let (from, start) =
            if is_near { (line_start, Place { line: place.line, column: 1 }) } else { (before.len(), place) };
        let (skip, expected) = (before.len() - from, text.len() - from);
        // Gone before the rest is read: both would be in memory.
        drop(text);
        let base = base + u32::try_from(from).unwrap_or(u32::MAX);
        let mut file = fs::File::open(&path)?;
        file.seek(SeekFrom::Start(u64::from(base)))?;
        let bytes = read_bounded(file, expected as u64)?;
        let changed = || io::Error::other("it changed while it was read");
        let text = String::from_utf8(bytes).map_err(|_| changed())?;
        if text.len() != expected {
            return Err(changed());
        }
        Ok(Self { label, text: Cow::Owned(text), base, start, skip, source: Some(path) })
    }
}

/// A text is refused past this size, since positions are 32 bits wide.
const LARGEST_TEXT_BYTES: u64 = 1 << 30;

/// Reads all. Where the size is known before, no more than that is set aside.
///
/// # Errors
/// What the system says, or that there is too much.
pub fn read_bounded(source: impl Read, expected_bytes: u64) -> io::Result<Vec<u8>> {
    let expected = usize::try_from(expected_bytes.min(LARGEST_TEXT_BYTES)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(expected + 1);
    source.take(LARGEST_TEXT_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_TEXT_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the text is larger than 1 GiB"));
    }
    if bytes.capacity() > bytes.len() + bytes.len() / 8 {
        bytes.shrink_to_fit();
    }
    Ok(bytes)
}

/// Bytes as text. What is no UTF-8 becomes U+FFFD.
#[must_use]
pub fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_on_at_a_line() {
        let path = std::env::temp_dir().join(format!("guardbee-window-{}.sql", std::process::id()));
        fs::write(&path, "SELECT 1;\nSELECT 'ä'; SELECT 3;\n").expect("a file can be written");
        let window = Window::of_file(&path).expect("the file is there");
        let offset =
            u32::try_from(window.text.find(" SELECT 3").expect("it is there")).expect("a short text");
        let moved = window.moved(offset, Place { line: 2, column: 12 }).expect("the file is there");
        assert_eq!((&*moved.text, moved.base, moved.skip), ("SELECT 'ä'; SELECT 3;\n", 10, 12));
        assert_eq!(moved.start, Place { line: 2, column: 1 });
        fs::write(&path, "SELECT 1;").expect("a file can be written");
        assert!(moved.moved(0, Place { line: 2, column: 1 }).is_err(), "the file has changed");
        fs::remove_file(&path).expect("the file is there");
    }
}
