//! Disks and processes that may not do everything.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::killing::WRITER;
use super::sample::Dice;

/// A disk of one megabyte; none where this process may not mount one.
pub struct SmallDisk(pub PathBuf, #[expect(dead_code, reason = "the folder goes with it")] TempDir);

impl SmallDisk {
    pub fn new() -> Option<Self> {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("disk");
        fs::create_dir(&path).expect("a folder");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
            .arg(&path)
            .stderr(Stdio::null())
            .status();
        if mounted.is_ok_and(|status| status.success()) {
            return Some(Self(path, folder));
        }
        eprintln!("left out: this user may not mount a small disk (run as root)");
        None
    }

    pub fn make_read_only(&self) {
        let status = Command::new("mount").args(["-o", "remount,ro"]).arg(&self.0).status();
        assert!(status.is_ok_and(|status| status.success()));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").args(["--lazy"]).arg(&self.0).status();
    }
}

/// A shell line under which a test runs as somebody who may write nowhere: root may everywhere.
pub const AS_NOBODY: &str =
    "[ $(id -u) = 0 ] && set -- setpriv --reuid=65534 --regid=65534 --clear-groups; exec \"$@\"";

/// Runs a test of this program through a shell line, as a writer: what it prints in a line `result ...`.
pub fn result_under(line: &str, test: &str, path: &Path) -> String {
    let output = Command::new("sh")
        .args(["-c", &format!("{line} \"$0\" --exact {test} --nocapture")])
        .arg(std::env::current_exe().expect("this program"))
        .env(WRITER, path)
        .output()
        .expect("sh");
    let text = String::from_utf8_lossy(&output.stdout);
    let result = text.lines().find_map(|line| line.strip_prefix("result ")).map(str::to_owned);
    result.unwrap_or_else(|| panic!("no result:\n{text}{}", String::from_utf8_lossy(&output.stderr)))
}

pub fn mode(mode: &str, path: &Path) {
    assert!(Command::new("chmod").arg(mode).arg(path).status().is_ok_and(|status| status.success()));
}

/// How many files a test damages.
pub fn flips() -> u64 {
    std::env::var("GUARDBEE_TEST_FLIPS").ok().and_then(|text| text.parse().ok()).unwrap_or(150)
}

/// Writes a log of SQLite as a crash may leave it: torn, or with a byte that is another.
pub fn spoil_log(dice: &mut Dice, round: u64, log: &[u8], path: &Path) {
    let mut copy = fs::File::create(path).expect("a file");
    copy.write_all(log).expect("written");
    let place = dice.below(log.len() as u64);
    if round.is_multiple_of(2) {
        copy.set_len(place).expect("torn");
    } else {
        copy.seek(SeekFrom::Start(place)).expect("a place");
        copy.write_all(&[!log[usize::try_from(place).expect("small")]]).expect("damaged");
    }
}
