//! The audit log as a Parquet file, read by somebody else's reader: it holds what the JSON lines hold.

mod support;

use std::fs::{self, File};
use std::sync::Arc;

use guardbee_engine::audit::{AuditKind, AuditObject, AuditRecord, AuditStore, Verdict};
use guardbee_engine::store::PolicyVersion;
use guardbee_lineage::utc;
use guardbee_model::Timestamp;
use guardbee_store::SqliteStore;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value, json};
use support::{Folder, guardbee, run, stderr, stdout};

/// Lists of every length, with empty ones at all places; names with everything in them; times at both ends.
fn record(number: usize) -> AuditRecord {
    let words = ["a", "", "naïve 数据", "x\"y\\z\n", "`d`.\u{1f600}"];
    let word = |place: usize| words[(number + place) % words.len()];
    let texts = |count: usize| -> Vec<Arc<str>> { (0..count).map(|place| Arc::from(word(place))).collect() };
    let object = |place: usize| AuditObject {
        name: format!("d.t{}", (number + place) % 7).into(),
        access: "SELECT".into(),
        columns: (0..(number / 3 + place) % 4).map(|column| word(column).into()).collect(),
    };
    AuditRecord {
        at: Timestamp([0, -1, 253_402_300_799_999, 1_700_000_000_000][number % 4]),
        actor: word(0).into(),
        groups: (0..number % 3).map(|place| word(place).into()).collect(),
        kind: AuditKind::ALL[number % 4],
        statement: Arc::from(format!("SELECT {number} FROM {}", word(1))),
        operation: "QUERY".into(),
        objects: (0..number % 5).map(object).collect(),
        verdict: if number.is_multiple_of(2) { Verdict::Allowed } else { Verdict::Denied },
        reasons: texts(number % 2),
        missing: texts((number + 1) % 4),
        policy_version: PolicyVersion(number as u64),
        client: (!number.is_multiple_of(3)).then(|| word(2).into()),
    }
}

/// A store whose log holds so many records.
fn store(folder: &Folder, count: usize) -> String {
    store_of(folder, count, record)
}

fn store_of(folder: &Folder, count: usize, record: fn(usize) -> AuditRecord) -> String {
    let path = format!("{}/guardbee.db", folder.path());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let store = SqliteStore::open(path.as_ref()).await.expect("a store");
        let numbers: Vec<usize> = (0..count).collect();
        // Each chunk is packed, and what it starts with is there as it is.
        for numbers in numbers.chunks(250) {
            let records: Vec<AuditRecord> = numbers.iter().map(|number| record(*number)).collect();
            store.append_audit(&records).await.expect("kept");
        }
        store.close().await;
    });
    path
}

/// One is larger than what is kept in memory otherwise.
fn large_at_100(number: usize) -> AuditRecord {
    let mut record = record(number);
    if number == 100 {
        record.statement = "large ".repeat(3 << 20).into();
    }
    record
}

fn value(field: &Field) -> Value {
    match field {
        Field::Long(number) => json!(number),
        Field::Str(text) => json!(text),
        Field::TimestampMillis(at) => json!(utc::text(Timestamp(*at))),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        Field::Group(row) => object(row),
        Field::Null => Value::Null,
        other => panic!("{other:?} is in no record"),
    }
}

fn object(row: &Row) -> Value {
    let fields = row.get_column_iter().map(|(name, field)| (name.clone(), value(field)));
    let fields: Map<String, Value> = fields.filter(|(_, value)| !value.is_null()).collect();
    Value::Object(fields)
}

#[test]
fn a_file_holds_what_the_lines_hold() {
    let folder = Folder::new("parquet");
    let store = store_of(&folder, 52_000, large_at_100);
    let file = folder.file("audit.parquet", b"what was there before");
    let exported = run(&["audit", "export", "--format", "parquet", "--output", &file, "--store", &store]);
    assert_eq!(exported.status.code(), Some(0), "{}", stderr(&exported));
    let lines = stdout(&run(&["audit", "export", "--store", &store]));
    let reader = SerializedFileReader::new(File::open(&file).expect("a file")).expect("a Parquet file");
    assert!(reader.num_row_groups() >= 3, "{} row groups", reader.num_row_groups());
    let mut count = 0;
    for (row, line) in reader.get_row_iter(None).expect("rows").zip(lines.lines()) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(object(&row.expect("a row")), line);
        count += 1;
    }
    assert_eq!(count, 52_000);
    let parts = fs::read_dir(folder.path()).expect("a folder").filter_map(Result::ok);
    let left: Vec<_> = parts.filter(|part| part.file_name().to_string_lossy().ends_with(".part")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn an_empty_log_and_a_pipe_are_files_as_well() {
    let folder = Folder::new("parquet-empty");
    let store = store(&folder, 3);
    let none = run(&["audit", "export", "--format", "parquet", "--user", "nobody", "--store", &store]);
    let reader = SerializedFileReader::new(bytes::Bytes::from(none.stdout)).expect("a Parquet file");
    assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    let some = run(&["audit", "export", "--format", "parquet", "--store", &store]);
    let reader = SerializedFileReader::new(bytes::Bytes::from(some.stdout)).expect("a Parquet file");
    assert_eq!(reader.metadata().file_metadata().num_rows(), 4);
}

/// What was there stays until there is all of the new one.
#[test]
fn an_export_that_fails_leaves_what_was_there() {
    let folder = Folder::new("parquet-fails");
    let store = store(&folder, 300);
    let damage = format!("{}/damaged.db", folder.path());
    let mut bytes = fs::read(&store).expect("a store");
    let places: Vec<usize> =
        (0..bytes.len()).filter(|place| bytes[*place..].starts_with(b"SELECT 250 FROM")).collect();
    assert!(!places.is_empty());
    places.into_iter().for_each(|place| bytes[place] ^= 1);
    fs::write(&damage, bytes).expect("written");
    for format in ["parquet", "jsonl"] {
        let file = folder.file("audit.out", b"before");
        let output = run(&["audit", "export", "--format", format, "-o", &file, "--store", &damage]);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        assert_eq!(fs::read(&file).expect("a file"), b"before");
    }
    let nowhere = format!("{}/none/audit.out", folder.path());
    let output = guardbee(&["audit", "export", "-o", &nowhere, "--store", &store]).output().expect("started");
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
}

/// Whatever the length of the log, no more of it is in memory than a row group: `make test-slow` runs it.
#[test]
#[ignore = "makes a log of a million records"]
fn a_million_records_need_little_memory() {
    let folder = Folder::new("parquet-large");
    let store = store(&folder, 1_000_000);
    let file = format!("{}/audit.parquet", folder.path());
    let begin = std::time::Instant::now();
    let command = guardbee(&["audit", "export", "--format", "parquet", "-o", &file, "--store", &store]);
    let shell = "\"$@\" & while grep VmHWM /proc/$!/status 2>/dev/null; do sleep 0.1; done; wait $!";
    let mut watched = std::process::Command::new("sh");
    watched.args(["-c", shell, "sh"]).arg(command.get_program()).args(command.get_args());
    let output = watched.output().expect("started");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let most = text.lines().filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).max();
    let most = most.expect("it ran for a while");
    println!(
        "1,000,000 records: {:.1} s, {} MiB of memory, {} MiB on disk",
        begin.elapsed().as_secs_f64(),
        most >> 10,
        fs::metadata(&file).expect("a file").len() >> 20
    );
    assert!(most < 256 << 10, "{most} KiB of memory");
    let reader = SerializedFileReader::new(File::open(&file).expect("a file")).expect("a Parquet file");
    assert_eq!(reader.metadata().file_metadata().num_rows(), 1_000_000);
}
