//! What a viewer may not know of keeps its place and loses its name, whatever is asked and in whatever form: every answer
//! is searched for names that they may not know.

mod support;

use support::{Folder, run, stderr, stdout};

/// In every name that `ana` may not know.
const SECRET: &str = "zz";

const OPEN: &str = "CREATE DATABASE open;\nCREATE TABLE open.origin (a INT, b INT);\n";
const HIDDEN: &str = "CREATE DATABASE vaultzz;
CREATE TABLE vaultzz.ledgerzz AS SELECT a AS ibanzz, b FROM open.origin WHERE b > 1;
CREATE VIEW vaultzz.viewzz AS SELECT ibanzz FROM vaultzz.ledgerzz;
CREATE TABLE open.middle AS SELECT ibanzz AS c FROM vaultzz.ledgerzz;
INSERT INTO open.origin SELECT ibanzz, b FROM vaultzz.ledgerzz;
CREATE TABLE vaultzz.firstzz AS SELECT c FROM open.middle;
ALTER TABLE vaultzz.firstzz RENAME TO open.moved;
ALTER TABLE open.moved RENAME TO vaultzz.againzz;
ALTER TABLE vaultzz.againzz RENAME TO open.returned;
INSERT OVERWRITE DIRECTORY '/vaultzz/out' SELECT c FROM open.middle;
CREATE TEMPORARY TABLE open.step AS SELECT c FROM open.middle;
SELECT ibanzz FROM vaultzz.ledgerzz;
";
const GOAL: &str = "CREATE TABLE open.goal AS SELECT c AS d, c + 1 AS e FROM open.middle;\n";
const RIGHTS: &str = "GRANT ROLE admin TO USER root; GRANT ALL ON SERVER server1 TO USER root;
CREATE ROLE r; GRANT ROLE r TO USER ana; GRANT SELECT ON DATABASE open TO ROLE r;
CREATE TAG pii; SET TAG pii ON COLUMN vaultzz.ledgerzz.ibanzz; SET TAG pii ON COLUMN open.origin.a;
CREATE ROLE tagged; GRANT ROLE tagged TO USER tia; GRANT SELECT ON TAG pii TO ROLE tagged;
CREATE ROLE clerk; GRANT ROLE clerk TO USER carl; GRANT SELECT ON TABLE open.goal TO ROLE clerk;
";

fn store(folder: &Folder) -> String {
    let store = format!("{}/guardbee.db", folder.path());
    for (name, text, hour) in
        [("1_open.sql", OPEN, "01"), ("2_hidezz.sql", HIDDEN, "02"), ("3_goal.sql", GOAL, "03")]
    {
        let file = folder.file(name, text.as_bytes());
        let time = format!("2026-03-01T{hour}:00");
        let job = if text == HIDDEN { "jobzz" } else { "job" };
        let recorded =
            run(&["record", &file, "--user", "root", "--time", &time, "--job", job, "--store", &store]);
        assert_eq!(recorded.status.code(), Some(0), "{}{}", stdout(&recorded), stderr(&recorded));
    }
    let rights = folder.file("rights.sql", RIGHTS.as_bytes());
    let reason = "hide vaultzz";
    let applied = run(&[
        "policy", "apply", &rights, "--author", "root", "--force", "--reason", reason, "--store", &store,
    ]);
    assert_eq!(applied.status.code(), Some(0), "{}", stderr(&applied));
    let refused =
        run(&["check", "--user", "carl", "-e", "SELECT ibanzz FROM vaultzz.ledgerzz", "--store", &store]);
    assert_eq!(refused.status.code(), Some(1));
    store
}

/// Every question that has an answer about the open part of the warehouse.
fn questions() -> Vec<Vec<&'static str>> {
    let mut questions: Vec<Vec<&str>> = vec![
        vec!["impact", "open.origin"],
        vec!["impact", "open.origin.a"],
        vec!["impact", "open.middle.c"],
        vec!["path", "open.origin.a", "open.goal.d"],
        vec!["path", "open.origin", "open.goal", "--edges", "all"],
        vec!["history", "open.returned"],
        vec!["history", "open.origin"],
        vec!["tags", "open.goal"],
        vec!["tags", "open.middle"],
        vec!["leaks"],
        vec!["who-could", "SELECT", "open.origin.a"],
        vec!["who-did", "open.origin"],
        vec!["who-did", "open.middle.c"],
        vec!["who-did", "open.returned"],
        vec!["audit", "--limit", "1000"],
    ];
    let forms: Vec<Vec<&str>> =
        questions.iter().map(|question| [question.as_slice(), &["--format", "json"]].concat()).collect();
    questions.extend(forms);
    questions.push(vec!["audit", "export"]);
    for format in ["tree", "json", "dot", "mermaid", "csv", "graphml", "openlineage", "prov"] {
        for level in ["table", "column", "run"] {
            for more in [&["--edges", "all"][..], &["--temporary"]] {
                let trace =
                    ["trace", "open.middle.c", "--up", "--down", "--format", format, "--level", level];
                questions.push([&trace, more].concat());
            }
        }
    }
    questions
}

#[test]
fn no_answer_tells_a_name_that_the_viewer_may_not_know() {
    let folder = Folder::new("viewer-sweep");
    let store = store(&folder);
    let mut hidden = 0;
    for question in questions() {
        let all = run(&[&question[..], &["--store", &store]].concat());
        let seen = run(&[&question[..], &["--store", &store, "--viewer", "ana"]].concat());
        let (text, errors) = (stdout(&seen), stderr(&seen));
        assert!(!text.contains(SECRET) && !errors.contains(SECRET), "{question:?}: {text}{errors}");
        assert_eq!(seen.status.code(), all.status.code(), "{question:?}: {errors}");
        assert!(text.lines().count() > 0, "{question:?}");
        hidden += u32::from(stdout(&all).contains(SECRET));
    }
    assert!(hidden > 50, "only {hidden} answers would have told something");
}

/// The shape stays: as many lines, steps and nodes as without a viewer.
#[test]
fn what_is_masked_keeps_its_place() {
    let folder = Folder::new("viewer-shape");
    let store = store(&folder);
    let document = |question: &[&str], viewer: &[&str]| -> serde_json::Value {
        let output = run(&[question, &["--store", &store, "--format", "json"], viewer].concat());
        serde_json::from_str(&stdout(&output)).expect("JSON")
    };
    for (question, list) in [
        (&["impact", "open.origin.a"][..], "/dependents"),
        (&["path", "open.origin.a", "open.goal.d"], "/shortest/nodes"),
        (&["history", "open.returned"], "/events"),
        (&["tags", "open.goal"], "/tags/0/path"),
        (&["leaks"], "/leaks"),
        (&["who-could", "SELECT", "open.origin.a"], "/objects"),
        (&["who-did", "open.middle.c"], "/runs"),
    ] {
        let count = |viewer: &[&str]| {
            document(question, viewer).pointer(list).and_then(|list| list.as_array()).map(Vec::len)
        };
        let all = count(&[]);
        assert!(all > Some(0), "{question:?}");
        assert_eq!(count(&["--viewer", "ana"]), all, "{question:?}");
    }
    let dependents = document(&["impact", "open.origin.a"], &["--viewer", "ana"]);
    let first = &dependents["dependents"][0];
    assert_eq!((&first["kind"], first.get("name")), (&serde_json::json!("masked"), None));
}

/// What there is looks to who may not know of it as what there is not.
#[test]
fn asking_for_what_may_not_be_known_tells_nothing() {
    let folder = Folder::new("viewer-unknown");
    let store = store(&folder);
    for question in [
        &["trace", "NAME"][..],
        &["trace", "open.origin", "--stop", "NAME"],
        &["impact", "NAME"],
        &["path", "NAME", "open.goal"],
        &["path", "open.origin", "NAME"],
        &["history", "NAME"],
        &["tags", "NAME"],
        &["who-could", "SELECT", "NAME"],
        &["who-did", "NAME"],
    ] {
        for [there, nowhere] in [
            ["vaultzz.ledgerzz", "vaultyy.ledgeryy"],
            ["vaultzz.ledgerzz.ibanzz", "vaultyy.ledgeryy.ibanyy"],
            ["/vaultzz/out", "/vaultyy/out"],
        ] {
            let answer = |name: &str| {
                let words: Vec<&str> =
                    question.iter().map(|word| if *word == "NAME" { name } else { word }).collect();
                let output = run(&[&words[..], &["--store", &store, "--viewer", "ana"]].concat());
                (output.status.code(), (stdout(&output) + &stderr(&output)).replace(name, "NAME"))
            };
            assert_eq!(answer(there), answer(nowhere), "{question:?} {there}");
        }
    }
}

/// Who did what may not be known is not told by asking for them: it looks as if they had done nothing.
#[test]
fn asking_for_somebody_tells_no_more_of_them() {
    let folder = Folder::new("viewer-somebody");
    let store = store(&folder);
    let ask = |question: &[&str], user: &str, viewer: &[&str]| {
        let output = run(&[question, &["--user", user, "--store", &store], viewer].concat());
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let ana = ["--viewer", "ana"];
    for (question, user) in [(&["audit"][..], "carl"), (&["audit", "export"], "carl")] {
        assert!(ask(question, user, &[]).1.contains("carl"), "{question:?}: he asked for something");
        assert_eq!(ask(question, user, &ana), ask(question, "nobody", &ana), "{question:?}");
    }
    // Of the runs of root that touched it those are left that touched nothing else.
    let touched = ask(&["who-did", "open.middle"], "root", &ana).1;
    assert!(touched.contains("root") && !touched.contains("jobzz"), "{touched}");
    let runs = |viewer: &[&str]| {
        let text = ask(&["who-did", "open.middle", "--format", "json"], "root", viewer).1;
        let document: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        document["runs"].as_array().map(Vec::len)
    };
    assert!(runs(&ana) < runs(&[]) && runs(&ana) > Some(0));
}

/// Rights on a tag are rights on what the tag came to with data.
#[test]
fn what_carries_a_tag_is_seen_by_who_has_rights_on_it() {
    let folder = Folder::new("viewer-tagged");
    let store = store(&folder);
    let checked = run(&["check", "--user", "tia", "-e", "SELECT d FROM open.goal", "--store", &store]);
    assert_eq!(checked.status.code(), Some(0), "{}", stdout(&checked));
    for (question, outcome) in [
        (&["history", "open.goal"][..], 0),
        (&["tags", "open.goal.d"], 0),
        (&["who-could", "SELECT", "open.goal.d"], 0),
        (&["impact", "open.goal"], 0),
        (&["who-did", "open.goal"], 0),
    ] {
        let seen = run(&[question, &["--store", &store, "--viewer", "tia"]].concat());
        assert_eq!(seen.status.code(), Some(outcome), "{question:?}: {}{}", stdout(&seen), stderr(&seen));
        let unseen = run(&[question, &["--store", &store, "--viewer", "nobody"]].concat());
        assert_eq!(unseen.status.code(), Some(1), "{question:?}: {}", stdout(&unseen));
    }
}
