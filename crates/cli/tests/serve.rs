//! How `guardbee serve` starts, and what is left of a start that fails.

mod support;

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::Stdio;

use support::{Folder, guardbee, run, stderr, stdout};

/// The password of the first account is told once, so that only a start that comes about may make it.
#[test]
fn a_start_that_fails_makes_no_account() {
    let folder = Folder::new("serve-in-use");
    let store = format!("{}/store.db", folder.path());
    let other = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = other.local_addr().expect("it has an address").to_string();

    let failed = run(&["serve", "--store", &store, "--listen", &address]);
    assert_eq!(failed.status.code(), Some(3), "{}", stderr(&failed));
    assert!(stderr(&failed).contains(&format!("cannot listen on `{address}`")), "{}", stderr(&failed));
    assert_eq!(stdout(&failed), "");

    let mut started = guardbee(&["serve", "--store", &store, "--listen", "127.0.0.1:0"])
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    let mut told = String::new();
    for line in started.stderr.take().map(BufReader::new).into_iter().flat_map(|lines| lines.lines()) {
        told.push_str(&format!("{}\n", line.expect("it is text")));
        if told.contains("listening") {
            break;
        }
    }
    started.kill().expect("it can be ended");
    started.wait().expect("it ends");
    assert!(told.contains("made the account `admin` with the one-time password "), "{told}");
}
