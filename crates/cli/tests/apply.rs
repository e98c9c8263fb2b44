//! Several who apply a policy at once: nothing that one adds is removed by another who never saw it.

#![cfg(unix)]

mod support;

use std::fs::OpenOptions;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use support::{Folder, guardbee, run, stderr, stdout};

const ADMINISTRATOR: &str = "GRANT ROLE admin TO USER root;\n";

fn with_role(name: &str) -> String {
    format!("{ADMINISTRATOR}CREATE ROLE {name};\n")
}

fn apply(store: &str, file: &str) -> Command {
    guardbee(&["policy", "apply", "--store", store, "--author", "root", file])
}

fn shown(store: &str) -> String {
    stdout(&run(&["policy", "show", "--store", store]))
}

/// The second has begun before the first is done, and reads its files from a pipe only afterwards.
#[test]
fn who_began_before_a_change_is_told_of_it() {
    let folder = Folder::new("apply-meanwhile");
    let store = format!("{}/policy.db", folder.path());
    let first = folder.file("first.sql", with_role("first").as_bytes());
    let base = folder.file("base.sql", ADMINISTRATOR.as_bytes());
    assert!(apply(&store, &base).status().expect("the command can be started").success());
    let pipe = format!("{}/second.sql", folder.path());
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("pipes can be made").success());
    let mut second = apply(&store, &pipe);
    let second = second.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
    // Opens only when the other end does: the second is at its files then.
    let mut writer = OpenOptions::new().write(true).open(&pipe).expect("the pipe can be written");
    assert!(apply(&store, &first).status().expect("the command can be started").success());
    writer.write_all(with_role("second").as_bytes()).expect("the pipe is read");
    drop(writer);
    let told = second.wait_with_output().expect("it ends");
    assert_eq!(told.status.code(), Some(3), "{}", stdout(&told));
    assert!(stderr(&told).contains("somebody else changed the policy meanwhile"), "{}", stderr(&told));
    assert!(shown(&store).contains("CREATE ROLE first;"));
    assert!(!shown(&store).contains("CREATE ROLE second;"));
}

/// Whichever comes second: it is told, or it says what it removes.
#[test]
fn of_two_at_once_none_removes_silently() {
    for round in 0..8 {
        let folder = Folder::new(&format!("apply-race-{round}"));
        let store = format!("{}/policy.db", folder.path());
        let base = folder.file("base.sql", ADMINISTRATOR.as_bytes());
        assert!(apply(&store, &base).status().expect("the command can be started").success());
        let files =
            ["one", "two"].map(|name| folder.file(&format!("{name}.sql"), with_role(name).as_bytes()));
        let outputs: Vec<Output> = thread::scope(|scope| {
            let started = files.each_ref().map(|file| {
                let store = &store;
                scope.spawn(move || apply(store, file).output().expect("the command can be started"))
            });
            started.into_iter().map(|thread| thread.join().expect("it ends")).collect()
        });
        let won = outputs.iter().filter(|output| output.status.success()).count();
        let removals = outputs.iter().filter(|output| stdout(output).contains("  - CREATE ROLE ")).count();
        assert!(won >= 1, "somebody wins");
        assert_eq!(removals, won - 1, "who overrules another says so");
        let losers = outputs.iter().filter(|output| !output.status.success());
        for loser in losers {
            assert_eq!(loser.status.code(), Some(3), "{}", stderr(loser));
            assert!(
                stderr(loser).contains("somebody else changed the policy meanwhile"),
                "{}",
                stderr(loser)
            );
        }
    }
}
