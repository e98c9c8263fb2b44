//! Processes that write until they are killed, or cannot.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::sample::Dice;

/// Where a process that is to be killed finds its store. Set: this program is that process.
pub const WRITER: &str = "GUARDBEE_TEST_WRITER";

/// How often a test kills.
pub fn kills() -> usize {
    std::env::var("GUARDBEE_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(20)
}

/// Starts a test of this program in a process of its own, as a writer.
fn start_writer(test: &str, location: &str) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", test, "--nocapture", "--test-threads=1"])
        .env(WRITER, location)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program")
}

/// Lets a writer run for a while, and kills it (SIGKILL): what it told last that the store had answered, in a line
/// `acknowledged ...`; nothing where it told nothing.
pub async fn run_and_kill(
    test: &str,
    location: &str,
    dice: &mut Dice,
    before_kill: impl FnOnce(),
) -> Option<String> {
    let mut writer = start_writer(test, location);
    let output = BufReader::new(writer.stdout.take().expect("its output"));
    let (first, told_of_first) = tokio::sync::oneshot::channel();
    let reading = tokio::task::spawn_blocking(move || {
        let mut first = Some(first);
        let mut newest = None;
        for line in output.lines().map_while(Result::ok) {
            newest = line.strip_prefix("acknowledged ").map(str::to_owned).or(newest);
            if let Some(first) = first.take_if(|_| newest.is_some()) {
                let _ = first.send(());
            }
        }
        newest
    });
    // Every fourth is killed while it starts, the others while they write.
    if dice.below(4) > 0 {
        let _ = tokio::time::timeout(Duration::from_secs(20), told_of_first).await;
    }
    tokio::time::sleep(Duration::from_micros(dice.below(100_000))).await;
    before_kill();
    writer.kill().expect("it runs");
    writer.wait().expect("it has ended");
    reading.await.expect("no panic")
}

pub async fn integrity(path: &std::path::Path) -> String {
    use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};
    let mut connection =
        SqliteConnectOptions::new().filename(path).connect().await.expect("the file can be opened");
    sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut connection).await.expect("an answer")
}
