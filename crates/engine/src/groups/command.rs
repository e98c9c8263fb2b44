//! Groups as a command tells them.

use std::ffi::OsString;
use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use smol_str::SmolStr;

use super::{GroupError, GroupMapping, reason};

/// How often a command that has closed its output is looked at, until it ends.
const POLL_INTERVAL: Duration = Duration::from_millis(2);

/// Runs a program with the user's name as its last argument. It writes one group a line and ends with 0.
///
/// No shell is involved. Time and length of the answer are bounded; a program that takes longer is killed.
#[derive(Debug, Clone)]
pub struct CommandGroups {
    program: OsString,
    arguments: Vec<OsString>,
    time_limit: Duration,
    length_limit: usize,
}

impl CommandGroups {
    #[must_use]
    pub fn new(program: impl Into<OsString>, arguments: Vec<OsString>) -> Self {
        Self {
            program: program.into(),
            arguments,
            time_limit: Duration::from_secs(5),
            length_limit: 64 * 1024,
        }
    }

    #[must_use]
    pub const fn with_time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    fn run(&self, user: &str) -> Result<Vec<u8>, GroupError> {
        let unavailable = |reason: String| GroupError::Unavailable { user: user.to_owned(), reason };
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .arg(user)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| unavailable(reason(&error)))?;
        let outcome = self.answer(&mut child, user);
        if outcome.is_err() {
            // It may have ended by itself meanwhile; nobody is left to be told that it could not be killed.
            let _ = child.kill();
            let _ = child.wait();
        }
        let (output, status) = outcome?;
        if status.success() {
            Ok(output)
        } else {
            Err(unavailable(format!("the command ended with {status}")))
        }
    }

    fn answer(&self, child: &mut Child, user: &str) -> Result<(Vec<u8>, ExitStatus), GroupError> {
        let unavailable = |reason: String| GroupError::Unavailable { user: user.to_owned(), reason };
        let late = || GroupError::Late { user: user.to_owned(), seconds: self.time_limit.as_secs() };
        let deadline = Instant::now() + self.time_limit;
        let output = match read_in_background(child, self.length_limit).recv_timeout(self.time_limit) {
            Ok(output) => output.map_err(|error| unavailable(reason(&error)))?,
            Err(RecvTimeoutError::Timeout) => return Err(late()),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(unavailable("its output broke off".to_owned()));
            }
        };
        if output.len() > self.length_limit {
            return Err(GroupError::TooLong { user: user.to_owned(), limit: self.length_limit });
        }
        loop {
            if let Some(status) = child.try_wait().map_err(|error| unavailable(reason(&error)))? {
                return Ok((output, status));
            }
            if Instant::now() >= deadline {
                return Err(late());
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Reads what the child writes, one byte more than the limit at most.
fn read_in_background(child: &mut Child, limit: usize) -> Receiver<std::io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(1);
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = output.take(limit as u64 + 1).read_to_end(&mut bytes);
            // Nobody listens any more where it came too late.
            let _ = sender.send(read.map(|_| bytes));
        });
    }
    receiver
}

impl GroupMapping for CommandGroups {
    fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError> {
        if user.is_empty() || user.starts_with('-') || user.contains(char::is_control) {
            return Err(GroupError::MalformedUser(user.to_owned()));
        }
        let output = self.run(user)?;
        let text = String::from_utf8(output).map_err(|_| GroupError::Unavailable {
            user: user.to_owned(),
            reason: "the answer is not UTF-8".to_owned(),
        })?;
        Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(SmolStr::new).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> CommandGroups {
        CommandGroups::new("sh", vec!["-c".into(), script.into(), "sh".into()])
            .with_time_limit(Duration::from_millis(1500))
    }

    #[test]
    fn each_line_is_a_group() {
        let groups = shell("echo \"of $1\"; echo; echo staff").groups_of("ana").unwrap();
        assert_eq!(groups, ["of ana", "staff"]);
    }

    #[test]
    fn a_command_that_fails_or_does_not_end_or_says_too_much_is_an_error() {
        assert_eq!(shell("exit 3").groups_of("ana").unwrap_err().code(), "groups-unavailable");
        assert_eq!(shell("exec sleep 60").groups_of("ana").unwrap_err().code(), "groups-late");
        assert_eq!(shell("exec yes").groups_of("ana").unwrap_err().code(), "groups-too-long");
        let missing = CommandGroups::new("no-such-program-here", Vec::new());
        assert_eq!(missing.groups_of("ana").unwrap_err().code(), "groups-unavailable");
    }

    #[test]
    fn a_name_that_looks_like_an_option_never_reaches_the_command() {
        assert_eq!(shell("echo staff").groups_of("--help").unwrap_err().code(), "malformed-user");
    }
}
