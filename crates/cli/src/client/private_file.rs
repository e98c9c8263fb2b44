//! Files with secrets: only their owner may read them.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use anyhow::{Context as _, anyhow};

use crate::input;

/// More is no secret, and no list of profiles.
const MOST_BYTES: u64 = 1 << 20;
const OTHERS: u32 = 0o077;

/// The text of a file that others may not read.
///
/// # Errors
/// A file that cannot be read, and one that others may read.
pub fn read(path: &Path) -> anyhow::Result<String> {
    let cannot =
        |error: &std::io::Error| anyhow!("cannot read `{}`: {}", path.display(), input::reason(error));
    let file = File::open(path).map_err(|error| cannot(&error))?;
    let mode = file.metadata().map_err(|error| cannot(&error))?.mode();
    if mode & OTHERS != 0 {
        return Err(anyhow!(
            "others may read `{0}`, and it holds secrets; `chmod 600 {0}` keeps it to yourself, and what was in it \
             should be changed",
            path.display()
        ));
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(|error| cannot(&error))?;
    Ok(text)
}

/// Writes a file that others may not read, in one piece.
///
/// # Errors
/// What keeps it from being written.
pub fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot = || format!("cannot write `{}`", path.display());
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(cannot)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let written = || -> std::io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    written().inspect_err(|_| drop(fs::remove_file(&beside))).with_context(cannot)
}
