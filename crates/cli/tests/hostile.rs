//! Texts that nobody wrote in good faith: an answer with a place, never a crash, never a command to the
//! terminal.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::{Folder, guardbee, run, stderr, stdout};

/// Bytes, how many statements they are, and how many errors those have.
const TEXTS: [(&str, &[u8], u64, u64); 14] = [
    ("empty", b"", 0, 0),
    ("blank", b" \n\t\r\n;;; -- nothing\n/* at all */", 0, 0),
    ("bom", b"\xef\xbb\xbfSELECT 1;", 1, 0),
    ("crlf", b"SELECT 1;\r\n-- a comment\r\nSELEC 2;\r\n", 2, 1),
    ("no_utf8", b"SELECT '\xff\xfe\xc3';\nSELECT \xff;", 2, 1),
    ("nul", b"SELECT 1;\nSELECT \0 FROM t;", 2, 1),
    ("string", b"SELECT 1;\nSELECT 'abc;\nSELECT 2;\n", 3, 1),
    ("double", b"SELECT \"abc", 1, 1),
    ("name", b"SELECT `abc;\nSELECT 2;", 2, 1),
    ("comment", b"SELECT 1; /* and so on", 2, 1),
    ("surrogate", b"SELECT '\\uD800', '\\uDC00\\uD800';", 1, 0),
    ("escapes", b"SELECT '\x1b[31m\xc2\x9b31m\xe2\x80\xae' AS a, \x1b]0;title\x07;", 2, 2),
    ("variables", b"SET a=${b}; SET b=${hiveconf:a}; SELECT '${hiveconf:a}', '${', '${}', '${x:y}';", 3, 0),
    ("words", b"@@@ ### $$$ %%% ^^^ &&& *** ((( ))) ;", 1, 1),
];

#[test]
fn every_text_has_an_answer_with_places() {
    let folder = Folder::new("hostile");
    for (name, bytes, statements, errors) in TEXTS {
        let file = folder.file(&format!("{name}.sql"), bytes);
        let output = run(&["analyze", "--format", "json", &file]);
        let document: Value = serde_json::from_str(&stdout(&output)).expect("the output is JSON");
        let summary = &document["summary"];
        assert_eq!(
            (summary["statements"].as_u64(), summary["errors"].as_u64()),
            (Some(statements), Some(errors)),
            "{name}: {document}"
        );
        assert_eq!(output.status.code(), Some(i32::from(errors > 0)), "{name}");
        for statement in document["statements"].as_array().expect("a list") {
            for found in statement["diagnostics"].as_array().expect("a list") {
                assert!(
                    found["line"].as_u64() >= Some(1) && found["column"].as_u64() >= Some(1),
                    "{name}: {found}"
                );
                assert!(found["end"].as_u64() <= Some(bytes.len() as u64 * 3), "{name}: {found}");
            }
        }
    }
}

#[test]
fn nothing_from_a_file_commands_the_terminal() {
    let folder = Folder::new("terminal");
    let statement = "CREATE TABLE `a\u{1b}[2J\u{9b}b` (`c\u{202e}\r` INT COMMENT '\u{7}'); \
        INSERT INTO `a\u{1b}[2J\u{9b}b` SELECT `c\u{202e}\r` + 1 FROM `a\u{1b}[2J\u{9b}b`; SELEC\u{1b}[2J; ADD JAR /x\u{1b}[2J.jar; \
        INSERT OVERWRITE DIRECTORY '/out\u{1b}[2J' SELECT 1";
    let file = folder.file("x\u{1b}[2J.sql", statement.as_bytes());
    let is_command = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    for format in ["table", "json", "jsonl", "dot", "mermaid", "openlineage"] {
        let output = run(&["analyze", "--format", format, &file, "nowhere\u{1b}[2J.sql"]);
        assert!(!stdout(&output).contains(is_command), "{format}: {:?}", stdout(&output));
        assert!(!stderr(&output).contains(is_command), "{format}: {:?}", stderr(&output));
    }
    for format in ["tree", "json", "dot", "mermaid"] {
        let output = run(&["trace", "--files", &file, "/out\u{1b}[2J", "--format", format]);
        assert!(!stdout(&output).contains(is_command), "{format}: {:?}", stdout(&output));
    }
    let output = run(&["trace", "--files", &file, "unknown\u{1b}[2J"]);
    assert!(!stderr(&output).contains(is_command), "{:?}", stderr(&output));
}

/// Ten times the text must not cost a hundred times the time.
#[test]
fn many_findings_on_one_line_are_told_in_linear_time() {
    let folder = Folder::new("one-line");
    let seconds = |count: usize| {
        let file = folder.file("line.sql", "SELECT ) FROM t; ".repeat(count).as_bytes());
        let started = Instant::now();
        let output = run(&["analyze", &file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(stdout(&output).contains(&format!("{count} errors")));
        started.elapsed().as_secs_f64()
    };
    // The shortest of three: what else the machine does must not count.
    let shortest = |count| (0..3).map(|_| seconds(count)).fold(f64::INFINITY, f64::min);
    let (small, large) = (shortest(2_000), shortest(20_000));
    assert!(large < 50.0 * small.max(0.02), "{small} s for 2,000 statements, {large} s for 20,000");
}

#[test]
fn deep_and_long_statements_end() {
    let folder = Folder::new("deep");
    let started = Instant::now();
    let many = if cfg!(debug_assertions) { 10_000 } else { 100_000 };
    for (name, text) in [
        ("parentheses", format!("SELECT {}1{};", "(".repeat(10_000), ")".repeat(10_000))),
        (
            "subqueries",
            format!("SELECT * FROM {}t{};", "(SELECT * FROM ".repeat(10_000), ") a".repeat(10_000)),
        ),
        ("ands", format!("SELECT 1 FROM t WHERE a = 1{};", " AND a = 1".repeat(many))),
        ("unions", format!("SELECT 1{};", " UNION ALL SELECT 1".repeat(many))),
    ] {
        let file = folder.file(&format!("{name}.sql"), text.as_bytes());
        let output = run(&["analyze", "--format", "jsonl", &file]);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {}", stderr(&output));
        assert_eq!(stdout(&output).lines().count(), 1, "{name}");
    }
    assert!(started.elapsed() < Duration::from_secs(120), "{:?}", started.elapsed());
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = Folder::new("pipe");
    let file =
        folder.file("long.sql", "CREATE TABLE t (a INT); SELECT a FROM t;\n".repeat(20_000).as_bytes());
    for format in ["table", "json", "jsonl"] {
        let mut child = guardbee(&["analyze", "--format", format, &file])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command can be started");
        let mut line = String::new();
        let mut reader = BufReader::new(child.stdout.take().expect("it has an output"));
        reader.read_line(&mut line).expect("a first line");
        drop(reader);
        let mut messages = String::new();
        child
            .stderr
            .take()
            .expect("it has messages")
            .read_to_string(&mut messages)
            .expect("readable messages");
        let status = child.wait().expect("it ends");
        assert_eq!((status.code(), messages.as_str()), (Some(0), ""), "{format}");
    }
}

#[test]
fn standard_input_is_read() {
    let mut child = guardbee(&["analyze", "-", "--format", "jsonl"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    child.stdin.take().expect("it has an input").write_all(b"SELECT 1; SELECT 2").expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let files: Vec<Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["file"].clone())
        .collect();
    assert_eq!(files, ["-", "-"]);
}

#[test]
fn output_keeps_the_order_of_files() {
    let folder = Folder::new("order");
    for number in 0..60 {
        // The first files take longest.
        let text = format!("SELECT {number};\n").repeat((60 - number) * 20);
        folder.file(&format!("{number:02}.sql"), text.as_bytes());
    }
    let output = run(&["analyze", "--format", "jsonl", &folder.path()]);
    let files: Vec<String> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["file"].to_string())
        .collect();
    assert_eq!(files.len(), (1..=60).sum::<usize>() * 20);
    assert!(files.is_sorted());
}

#[test]
fn colours_only_where_they_are_asked_for() {
    let plain = run(&["analyze", "-e", "SELECT 1; SELEC 2"]);
    assert!(!stdout(&plain).contains('\u{1b}'));
    let coloured = run(&["analyze", "--color", "always", "-e", "SELECT 1; SELEC 2"]);
    let text = stdout(&coloured);
    assert!(text.contains("\u{1b}[1;31merror\u{1b}[0m"), "{text}");
    let mut bare = String::new();
    let mut is_code = false;
    for character in text.chars() {
        match character {
            '\u{1b}' => is_code = true,
            'm' if is_code => is_code = false,
            _ if is_code => {}
            other => bare.push(other),
        }
    }
    let without_time = |text: &str| {
        text.lines().filter(|line| !line.ends_with(" ms")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(without_time(&bare), without_time(&stdout(&plain)), "colours add nothing but colour");
}

/// What lies behind in a large file is let go; places stay those of the whole file.
#[test]
fn places_in_a_large_file_are_those_of_the_whole() {
    let folder = Folder::new("large");
    let comment =
        "-- a line that says nothing at all, again and again, so that the file grows\n".repeat(250_000);
    let text = format!(
        "SELECT 1;\n{comment}SELECT 2; SELECT ); SELECT 'ä' AS a\n; SELECT );\n{comment}SELECT (;\n{comment}SELECT 4"
    );
    let file = folder.file("large.sql", text.as_bytes());
    let output = run(&["analyze", "--format", "jsonl", &file]);
    let lines: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let mut found = 0;
    let offset = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("a small number");
    for line in &lines {
        let (start, end) = (offset(&line["start"]), offset(&line["end"]));
        assert!(text[start..end].starts_with("SELECT"), "{line}");
        assert_eq!(1 + text[..start].matches('\n').count(), offset(&line["line"]), "{line}");
        for finding in line["diagnostics"].as_array().expect("a list") {
            let at = offset(&finding["start"]);
            let line_start = text[..at].rfind('\n').map_or(0, |at| at + 1);
            assert_eq!(1 + text[line_start..at].chars().count(), offset(&finding["column"]), "{finding}");
            assert_eq!(1 + text[..at].matches('\n').count(), offset(&finding["line"]), "{finding}");
            found += 1;
        }
    }
    assert_eq!((lines.len(), found), (7, 3));
    let table = stdout(&run(&["analyze", &file]));
    assert!(table.contains("    SELECT 2; SELECT ); SELECT 'ä' AS a\n                     ^\n"), "{table}");
}

/// What editors of Windows call Unicode is told apart from what is no text.
#[test]
fn a_policy_in_utf_16_is_called_so() {
    let folder = Folder::new("utf-16");
    let text: Vec<u8> = "\u{feff}CREATE ROLE r;".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let file = folder.file("policy.sql", &text);
    let store = format!("{}/policy.db", folder.path());
    let output = run(&["policy", "apply", "--author", "root", "--store", &store, &file]);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("it is UTF-16; save it as UTF-8"), "{}", stderr(&output));
}

#[test]
fn the_history_of_an_empty_store_says_so() {
    let folder = Folder::new("no-history");
    let store = folder.file("policy.db", b"");
    let output = run(&["policy", "history", "--store", &store]);
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(0), "no version yet: the policy is empty\n")
    );
    let nowhere = run(&["policy", "history", "--store", &format!("{}/none/policy.db", folder.path())]);
    assert!(!stderr(&nowhere).contains("os error"), "{}", stderr(&nowhere));
}

/// Names with everything in them, and times at both ends of the calendar: each format stays what it is.
#[test]
fn recorded_names_break_no_format() {
    let folder = Folder::new("hostile-recorded");
    let store = format!("{}/runs.db", folder.path());
    let odd = "a \"q\" 'x' <b> & \u{202e}\u{7f}\u{1b}[31m ; {n} | # \\ é 数据, y";
    let script = format!(
        "CREATE TABLE `{odd}` (`{odd}` INT);\nCREATE TABLE t AS SELECT `{odd}` AS c FROM `{odd}`;\n\
         INSERT OVERWRITE DIRECTORY '/out/a b,\"c\"' SELECT c FROM t;"
    );
    let script = folder.file("odd.sql", script.as_bytes());
    for time in ["1970-01-01", "9999-12-31T23:59:59.999Z", "-1", "0"] {
        let time = format!("--time={time}");
        let output = run(&["record", &script, "--user", "o'\"neil\u{1b}", &time, "--store", &store]);
        assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
        assert!(!stderr(&output).contains('\u{1b}'));
    }
    for format in ["tree", "json", "dot", "mermaid", "csv", "graphml", "openlineage", "prov"] {
        let output =
            run(&["trace", "t.c", "--up", "--down", "--edges", "all", "--store", &store, "--format", format]);
        assert_eq!(output.status.code(), Some(0), "{format}: {}", stderr(&output));
        let text = stdout(&output);
        assert!(format == "csv" || !text.contains('\u{1b}'), "{format}: {text}");
        let is_json = matches!(format, "json" | "openlineage" | "prov");
        for line in if format == "openlineage" { text.lines().collect() } else { vec![&*text] } {
            assert!(!is_json || serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
        }
    }
    for question in
        [&["impact", "t"][..], &["history", "t"], &["who-did", "t"], &["audit"], &["audit", "export"]]
    {
        let output = run(&[question, &["--store", &store]].concat());
        assert!(!stdout(&output).contains('\u{1b}') && !stdout(&output).contains('\u{202e}'), "{question:?}");
    }
}

#[test]
fn an_import_that_finds_no_room_for_dead_letters_says_so_and_keeps_what_it_has() {
    let folder = Folder::new("letters");
    let store = format!("{}/runs.db", folder.path());
    let log = folder.file("log.jsonl", b"{\"sql\":\"create table a (b int)\"}\n{\"sql\":\"x\"}\n{}\nnone\n");
    let import = |bound: &str| {
        let time = ["--user", "etl", "--time", "2026-11-29"];
        run(&[&["import", "querylog", "--store", &store, "--most-letters", bound, &log], &time[..]].concat())
    };
    let output = import("1");
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("the dead letters are full"), "{}", stderr(&output));
    assert!(stderr(&output).contains("log.jsonl:3"), "{}", stderr(&output));
    // With room for all, what was recorded and kept is known, and the rest comes.
    let output = import("3");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("1 known before, 3 with the dead letters"), "{}", stdout(&output));
    let output = run(&["import", "discard", "--all", "--store", &store]);
    assert_eq!(stdout(&output), "3 discarded\n");
}
