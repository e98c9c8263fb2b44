//! A file on its way: written beside its place under another name, and renamed when it is whole and on the disk.

use std::ffi::OsString;
use std::fs::{self, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::BackupError;

/// Only its owner may read it: it holds the hashes of passwords, and who may do what.
const MODE: u32 = 0o600;

/// Dropped before it is [kept](Self::keep), nothing of it is left. What a process left that was killed is written over by
/// the next one that makes the same file.
pub struct PartFile {
    /// Locked as long as it is written.
    lock: File,
    part: PathBuf,
    place: PathBuf,
    is_kept: bool,
}

impl PartFile {
    pub fn create(place: &Path) -> Result<Self, BackupError> {
        let failed = |error| BackupError::File { what: "write", path: place.to_owned(), error };
        let name = place.file_name().ok_or_else(|| failed(io::ErrorKind::IsADirectory.into()))?;
        let mut part_name = OsString::from(".");
        part_name.push(name);
        part_name.push(".part");
        let part = place.with_file_name(part_name);
        let lock = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(MODE)
            .open(&part)
            .map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BackupError::InUse(format!("`{}`", part.display()))),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let file = Self { lock, part, place: place.to_owned(), is_kept: false };
        file.lock
            .set_len(0)
            .and_then(|()| file.lock.set_permissions(Permissions::from_mode(MODE)))
            .map_err(failed)?;
        Ok(file)
    }

    /// Where it is written.
    pub fn path(&self) -> &Path {
        &self.part
    }

    /// Puts it in its place.
    pub fn keep(mut self) -> Result<(), BackupError> {
        let failed = |error| BackupError::File { what: "write", path: self.place.clone(), error };
        self.lock.sync_all().map_err(failed)?;
        fs::rename(&self.part, &self.place).map_err(failed)?;
        self.is_kept = true;
        let folder = self.place.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()).map_err(failed)
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.is_kept {
            // There is nobody to tell that a part is left.
            let _ = fs::remove_file(&self.part);
        }
    }
}
