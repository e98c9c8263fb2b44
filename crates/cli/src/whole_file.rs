//! A file that is there as a whole or not at all: written beside its place, and put there when it is on the disk.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Dropped before it is [kept](Self::keep), nothing of it is left, and what was in its place stays.
pub struct WholeFile {
    writer: BufWriter<File>,
    /// Where it is written.
    part: PathBuf,
    place: PathBuf,
    is_kept: bool,
}

impl WholeFile {
    /// # Errors
    /// Where nothing can be written beside the place.
    pub fn create(place: &Path) -> io::Result<Self> {
        let name = place.file_name().ok_or(io::ErrorKind::IsADirectory)?.to_string_lossy().into_owned();
        let part = place.with_file_name(format!(".{name}.{}.part", std::process::id()));
        let file = File::options().write(true).create_new(true).open(&part)?;
        let writer = BufWriter::with_capacity(1 << 18, file);
        Ok(Self { writer, part, place: place.to_owned(), is_kept: false })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// What keeps it from getting there.
    pub fn keep(mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.writer.get_ref().sync_all()?;
        fs::rename(&self.part, &self.place)?;
        self.is_kept = true;
        let folder = self.place.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // There is nobody to tell that a part is left.
            let _ = fs::remove_file(&self.part);
        }
    }
}
