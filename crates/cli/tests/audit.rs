//! The audit log as the commands keep it: whatever decides, changes the policy or reads the log is in it.

mod support;

use serde_json::{Value, json};
use std::process::Command;
use support::{Folder, guardbee, run, stderr, stdout};

fn exported(store: &str) -> Vec<Value> {
    let lines = stdout(&run(&["audit", "export", "--store", store]));
    lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What the log has more than so many records, as `kind operation verdict`; the last one is that it is read here.
fn since(store: &str, known: &mut usize) -> Vec<String> {
    let records = exported(store);
    let word = |record: &Value, field: &str| record[field].as_str().unwrap_or_default().to_owned();
    let new = records[*known..].iter();
    let told =
        new.map(|one| ["kind", "operation", "verdict"].map(|field| word(one, field)).join(" ")).collect();
    *known = records.len() + 1;
    told
}

#[test]
fn everything_that_decides_changes_or_reads_is_in_the_log() {
    let folder = Folder::new("audit-complete");
    let store = format!("{}/guardbee.db", folder.path());
    let rights = folder.file(
        "rights.sql",
        b"GRANT ROLE admin TO USER etl; CREATE ROLE r; GRANT ROLE r TO USER ana; CREATE TAG pii;\n\
        GRANT SELECT ON TABLE d.t TO ROLE r; SET TAG pii ON COLUMN d.t.a;\n\
        ALTER TAG pii ADD DECLASSIFIER COLUMN d.u.a REASON 'a count' REVIEW '2027-06-30';",
    );
    let more = folder.file("more.json", b"");
    let ask = |arguments: &[&str]| run(&[arguments, &["--store", &store]].concat());
    let steps: [(&[&str], i32, &[&str]); 14] = [
        (
            &["record", "--user", "etl", "-e", "CREATE TABLE d.t (a INT)"],
            0,
            &["change make store allowed", "decision CREATETABLE allowed"],
        ),
        (&["policy", "apply", "--author", "etl", "--force", &rights], 0, &["change policy apply allowed"]),
        (&["policy", "apply", "--author", "etl", "--force", &rights], 0, &[]),
        (&["policy", "apply", "--author", "etl", "--base", "1", &rights], 3, &[]),
        (&["check", "--user", "ana", "-e", "SELECT a FROM d.t"], 0, &["decision QUERY allowed"]),
        (&["check", "--user", "ana", "-e", "DROP TABLE d.t"], 1, &["decision DROPTABLE denied"]),
        (&["check", "--user", "ana", "-e", "SELEC"], 1, &["decision  denied"]),
        (&["record", "--user", "bob", "-e", "SELECT a FROM d.t"], 1, &["decision QUERY denied"]),
        (&["policy", "restore", "1", "--author", "etl", "--force"], 0, &["change policy restore allowed"]),
        (&["who-did", "d.t"], 0, &["read who-did allowed"]),
        (&["audit"], 0, &["read audit allowed"]),
        (&["audit", "verify"], 0, &["read audit verify allowed"]),
        (&["policy", "export", "--to", "json"], 0, &[]),
        (&["history", "d.t"], 0, &[]),
    ];
    let mut known = 0;
    for (arguments, code, told) in steps {
        let output = ask(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
        let mut expected: Vec<&str> = told.to_vec();
        if known > 0 {
            expected.insert(0, "read audit export allowed");
            known -= 1;
        }
        assert_eq!(since(&store, &mut known), expected, "{arguments:?}");
    }
    let policy = stdout(&ask(&["policy", "export", "--to", "json"]));
    std::fs::write(&more, policy).expect("written");
    let other = format!("{}/other.db", folder.path());
    let imported = run(&["policy", "import", &more, "--from", "json", "--author", "etl", "--store", &other]);
    assert_eq!(imported.status.code(), Some(0), "{}", stderr(&imported));
    assert_eq!(since(&other, &mut 0), ["change policy import allowed"]);
    let applied = exported(&store).into_iter().find(|one| one["operation"] == "policy apply").expect("told");
    assert_eq!((&applied["policy_version"], &applied["user"]), (&json!(2), &json!("etl")));
    let objects: Vec<String> = applied["objects"].as_array().expect("a list").iter().map(object).collect();
    for object in ["PUT ROLE r []", "PUT TAG pii []", "GRANT d.t []", "TAG d.t [\"a\"]"] {
        assert!(objects.iter().any(|known| known == object), "{object} is not in {objects:?}");
    }
}

fn object(object: &Value) -> String {
    let word = |field: &str| object[field].as_str().unwrap_or_default().to_owned();
    format!("{} {} {}", word("access"), word("name"), object["columns"])
}

#[test]
fn an_answer_tells_up_to_its_own_reading() {
    let folder = Folder::new("audit-reading");
    let store = format!("{}/guardbee.db", folder.path());
    run(&["record", "--user", "etl", "-e", "CREATE TABLE d.t (a INT)", "--store", &store]);
    let asked = run(&["audit", "--user", "etl", "--store", &store, "--format", "json"]);
    let document: Value = serde_json::from_str(&stdout(&asked)).expect("JSON");
    assert_eq!(document["records"].as_array().map(Vec::len), Some(2));
    let reading = exported(&store).pop().expect("a record");
    assert_eq!((&reading["kind"], &reading["statement"]), (&json!("read"), &json!("--user etl")));
}

/// Root may write everywhere, so that the command runs as nobody.
#[test]
fn a_store_that_cannot_be_written_is_read_and_that_is_said() {
    let folder = Folder::new("audit-read-only");
    let nested = std::env::temp_dir().join(format!("guardbee-audit-{}", std::process::id()));
    std::fs::create_dir_all(&nested).expect("a folder");
    let store = nested.join("guardbee.db").display().to_string();
    run(&["record", "--user", "etl", "-e", "CREATE TABLE d.t (a INT)", "--store", &store]);
    let program = nested.join("guardbee").display().to_string();
    std::fs::copy(guardbee(&[]).get_program(), &program).expect("copied");
    let shell = "chmod 0555 \"$1\"; chmod 0444 \"$1/guardbee.db\"; shift; \
                 [ $(id -u) = 0 ] && set -- setpriv --reuid=65534 --regid=65534 --clear-groups \"$@\"; exec \"$@\"";
    for (arguments, code, what) in [
        (&["audit", "verify"][..], 0, "that its audit log is read"),
        (&["audit"], 0, "that its audit log is read"),
        (&["check", "--user", "ana", "-e", "SELECT a FROM d.t"], 1, "what is decided"),
    ] {
        let mut command = Command::new("sh");
        command
            .args(["-c", shell, "sh"])
            .arg(&nested)
            .arg(&program)
            .args(arguments)
            .args(["--store", &store]);
        let output = command.current_dir("/").env("NO_COLOR", "1").output().expect("started");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(!stdout(&output).is_empty());
        let warning = format!("warning: the store cannot be written: {what} is not in its audit log\n");
        assert_eq!(stderr(&output), warning, "{arguments:?}");
    }
    let _ = Command::new("chmod").arg("-R").arg("u+w").arg(&nested).status();
    let _ = std::fs::remove_dir_all(&nested);
    drop(folder);
}
