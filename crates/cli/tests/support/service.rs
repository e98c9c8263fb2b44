//! A running `guardbee serve` of a test, gone with the value.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, Output, Stdio};

use super::support::{Folder, guardbee, stderr, stdout};

pub const PASSWORD: &str = "correct horse battery staple";

pub struct Service {
    child: Child,
    pub server: String,
    one_time_password: Option<String>,
}

impl Service {
    /// Starts one, and waits until it listens.
    pub fn start(store: &str, options: &[&str]) -> Self {
        let arguments = [&["serve", "--store", store, "--listen", "127.0.0.1:0"], options].concat();
        let mut command = guardbee(&arguments);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a service can be started");
        let mut lines = BufReader::new(child.stderr.take().expect("its log is read")).lines();
        let mut one_time_password = None;
        let mut log = String::new();
        let server = loop {
            let Some(Ok(line)) = lines.next() else { panic!("the service did not start:\n{log}") };
            if let Some((_, password)) = line.split_once("one-time password ") {
                one_time_password = Some(password.trim().to_owned());
            }
            if let Some((_, address)) = line.split_once("listening address=") {
                break address.trim().to_owned();
            }
            log.push_str(&line);
            log.push('\n');
        };
        // A pipe that nobody reads would stop it.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, server, one_time_password }
    }

    /// Signs the first account in; its profile is in the folder.
    pub fn login(&self, folder: &Folder, options: &[&str]) -> Output {
        let one_time = self.one_time_password.as_deref().unwrap_or(PASSWORD);
        with_input(
            folder,
            &[&["login", "--user", "admin"], options].concat(),
            &format!("{one_time}\n{PASSWORD}\n"),
        )
    }

    /// The file with a token of the first account.
    pub fn token_file(&self, folder: &Folder) -> String {
        let login = self.login(folder, &["--server", &self.server]);
        assert_eq!(login.status.code(), Some(0), "{}{}", stdout(&login), stderr(&login));
        format!("{}/guardbee/default.token", folder.path())
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        let address = self.server.strip_prefix("http://").expect("it is not encrypted");
        address.parse().expect("an address")
    }

    /// Its id.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn stop(mut self) {
        self.child.kill().expect("it can be stopped");
        self.child.wait().expect("it stops");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command whose profiles are in the folder.
pub fn with_profiles(folder: &Folder, arguments: &[&str]) -> Output {
    guardbee(arguments).env("XDG_CONFIG_HOME", folder.path()).output().expect("the command can be started")
}

/// The same with something to read.
pub fn with_input(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    let mut command = guardbee(arguments);
    command.env("XDG_CONFIG_HOME", folder.path());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut stdin = child.stdin.take().expect("it reads");
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the command ends")
}
