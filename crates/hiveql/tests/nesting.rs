//! Depth and length: what nests is read or refused on an ordinary thread's stack, what repeats is read
//! in linear time.

use std::time::Duration;

use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion};

/// What Rust gives a thread that says nothing.
const STACK: usize = 2 << 20;
/// How deep everything must be readable.
const READABLE: usize = 200;

/// Ways to put something around an expression or query: what stands before and behind it, and how many
/// levels that makes.
type Around = (&'static str, &'static str, usize);

const AROUND_EXPRESSION: &[Around] = &[
    ("(", ")", 1),
    ("((", "))", 2),
    ("f(", ")", 1),
    ("f(a, ", ")", 1),
    ("db.f(", ", b)", 1),
    ("(1 + ", ")", 1),
    ("CASE WHEN a THEN ", " END", 1),
    ("CASE ", " WHEN 1 THEN 2 END", 1),
    ("CASE a WHEN 1 THEN 2 ELSE ", " END", 1),
    ("CAST(", " AS INT)", 1),
    ("(a IN (", "))", 2),
    ("(a, ", ")", 1),
    ("(a BETWEEN b AND (", "))", 2),
    ("(", " IS NULL)", 1),
    ("", "[0]", 1),
    ("a[", "]", 1),
    ("", ".a", 1),
    ("(SELECT ", ")", 1),
    ("(SELECT a FROM t WHERE ", ")", 1),
    ("(EXISTS (SELECT a FROM t WHERE ", "))", 2),
    ("(a IN (SELECT b FROM t WHERE ", "))", 2),
    ("(SELECT a FROM (SELECT b FROM t WHERE ", ") u)", 2),
    ("((SELECT ", "))", 2),
    ("(SELECT max(", ") OVER (PARTITION BY a) FROM t)", 2),
    ("f(a) OVER (ORDER BY ", ")", 1),
    ("FLOOR(", " TO DAY)", 1),
    ("EXTRACT(DAY FROM ", ")", 1),
    ("INTERVAL (", ") DAY", 1),
    ("struct(array(map(", ")))", 3),
];

/// What fits not everywhere.
const ALONE: &[Around] = &[
    ("NOT ", "", 1),
    ("- ", "", 1),
    ("a IN (", ")", 1),
    ("a BETWEEN b AND (", ")", 1),
    ("EXISTS (SELECT a FROM t WHERE ", ")", 1),
    ("a IN (SELECT b FROM t WHERE ", ")", 1),
    ("1 + (", ")", 1),
];

/// Every operator inside another one is a level, too; these are nine at a time.
const MANY_OPERATORS: &[Around] = &[
    ("a OR b AND c = (d < e | f & g || h + i * j ^ ", ")", 9),
    ("(", " * 1 + 1 || 1 & 1 | 1 < 1 = 1 AND 1 OR 1)", 9),
];

const AROUND_QUERY: &[Around] = &[
    ("SELECT * FROM (", ") t", 1),
    ("SELECT * FROM a JOIN (", ") t", 1),
    ("(", ") UNION ALL SELECT 1", 1),
    ("SELECT 1 UNION ALL (", ")", 1),
    ("SELECT * FROM a LATERAL VIEW explode(a.b) c JOIN (", ") d ON a.e = d.f", 1),
];

/// What Hive takes in `FROM` and in `WITH` only.
const AROUND_ANY_QUERY: &[Around] = &[
    ("WITH c AS (", ") SELECT * FROM c", 1),
    ("FROM (", ") t SELECT a WHERE b", 1),
    ("SELECT * FROM (", ") t", 1),
];

fn on_ordinary_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(STACK).spawn(work).unwrap().join().unwrap()
}

fn nested(around: &[Around], seed: &str, depth: usize) -> String {
    let mut text = String::new();
    let layers = || around.iter().cycle().take(depth);
    layers().for_each(|(before, ..)| text.push_str(before));
    text.push_str(seed);
    let mut after: Vec<&str> = layers().map(|(_, after, _)| *after).collect();
    after.reverse();
    after.iter().for_each(|after| text.push_str(after));
    text
}

/// Reads the text, prints it, reads that and compares: everything in our hands that goes down a tree.
fn read(text: &str) -> Result<(), Diagnostic> {
    let arena = Arena::new();
    let settings = ParserSettings { version: HiveVersion::V4_0, ..ParserSettings::default() };
    let statement = parse_statement(&arena, text, settings)?;
    let printed = print_statement(&statement);
    let again = parse_statement(&arena, &printed, settings)?;
    assert!(again == statement, "printing changed {}", &text[..text.len().min(200)]);
    Ok(())
}

fn must_be_read(text: String) {
    let shown: String = text.chars().take(120).collect();
    let outcome = on_ordinary_stack(move || read(&text));
    assert_eq!(outcome.map_err(|mistake| mistake.message), Ok(()), "{shown}");
}

fn must_be_too_deep(text: String) {
    let shown: String = text.chars().take(120).collect();
    let outcome = on_ordinary_stack(move || read(&text));
    assert_eq!(outcome.map_err(|mistake| mistake.code), Err(DiagnosticCode::LIMIT), "{shown}");
}

/// How often all of these may be put around each other to make the depth that must be readable.
fn layers(around: &[Around]) -> usize {
    let levels: usize = around.iter().map(|(.., levels)| levels).sum();
    READABLE * around.len() / levels
}

fn must_be_read_around(around: &[Around]) {
    must_be_read(format!("SELECT {}", nested(around, "b", layers(around))));
}

#[test]
fn two_hundred_levels_of_anything_are_read() {
    for around in AROUND_EXPRESSION.iter().chain(ALONE).chain(MANY_OPERATORS) {
        must_be_read_around(&[*around]);
    }
    for around in AROUND_QUERY.iter().chain(AROUND_ANY_QUERY) {
        must_be_read(nested(&[*around], "SELECT 1", READABLE));
    }
}

#[test]
fn two_hundred_levels_of_all_in_turn_are_read() {
    for first in AROUND_EXPRESSION {
        for second in AROUND_EXPRESSION {
            must_be_read_around(&[*first, *second]);
        }
    }
    must_be_read_around(AROUND_EXPRESSION);
    must_be_read(nested(AROUND_QUERY, "SELECT 1", READABLE));
    must_be_read(nested(AROUND_ANY_QUERY, "SELECT 1", READABLE));
}

#[test]
fn absurd_depth_is_refused_with_a_reason() {
    for around in AROUND_EXPRESSION.iter().chain(ALONE).chain(MANY_OPERATORS) {
        must_be_too_deep(format!("SELECT {}", nested(&[*around], "b", 10_000)));
    }
    for around in AROUND_QUERY.iter().chain(AROUND_ANY_QUERY) {
        must_be_too_deep(nested(&[*around], "SELECT 1", 10_000));
    }
    must_be_too_deep(format!("CREATE TABLE t (a {})", nested(&[("array<", ">", 1)], "int", 10_000)));
    must_be_too_deep(format!("CREATE TABLE t (a {})", nested(&[("struct<a:", ">", 1)], "int", 10_000)));
    must_be_too_deep(format!("SELECT * FROM {}", nested(&[("(", ")", 1)], "t", 10_000)));
    must_be_too_deep(format!("SELECT * FROM {}", nested(&[("f(ON ", ")", 1)], "t", 10_000)));
}

#[test]
fn the_greatest_depth_that_is_read_fits_the_stack() {
    for around in AROUND_EXPRESSION.iter().chain(ALONE).chain(MANY_OPERATORS) {
        greatest_depth(|depth| format!("SELECT {}", nested(&[*around], "b", depth)));
    }
    for around in AROUND_QUERY.iter().chain(AROUND_ANY_QUERY) {
        greatest_depth(|depth| nested(&[*around], "SELECT 1", depth));
    }
    greatest_depth(|depth| format!("SELECT {}", nested(AROUND_EXPRESSION, "b", depth)));
    greatest_depth(|depth| nested(AROUND_QUERY, "SELECT 1", depth));
}

/// Looks for the last depth that is read, by halving: what is close to the bound is what may overflow.
fn greatest_depth(text: impl Fn(usize) -> String) {
    let (mut read_depth, mut refused_depth) = (1, 3000);
    while refused_depth - read_depth > 1 {
        let depth = usize::midpoint(read_depth, refused_depth);
        let text = text(depth);
        match on_ordinary_stack(move || read(&text)) {
            Ok(()) => read_depth = depth,
            Err(mistake) => {
                assert_eq!(mistake.code, DiagnosticCode::LIMIT, "{}", mistake.message);
                refused_depth = depth;
            }
        }
    }
}

fn repeated(item: &str, separator: &str, count: usize) -> String {
    let mut text = String::with_capacity((item.len() + separator.len()) * count);
    for index in 0..count {
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(item);
    }
    text
}

#[test]
fn what_repeats_has_no_depth() {
    for text in [
        format!("SELECT * FROM t WHERE {}", repeated("a = 1", " AND ", 100_000)),
        format!("SELECT * FROM t WHERE {}", repeated("a = 1", " OR ", 100_000)),
        format!("SELECT {}", repeated("a", " + ", 100_000)),
        format!("SELECT {}", repeated("a", " = ", 100_000)),
        repeated("SELECT 1", " UNION ALL ", 100_000),
        repeated("(SELECT 1)", " UNION ", 100_000),
        format!("SELECT * FROM {}", repeated("t", ", ", 100_000)),
        format!("SELECT * FROM t {}", repeated("JOIN u ON a = b", " ", 100_000)),
        format!("SELECT * FROM t {}", repeated("LATERAL VIEW f(a) b", " ", 100_000)),
        format!("SELECT CASE {} END", repeated("WHEN a THEN b", " ", 100_000)),
        format!("SELECT {} FROM t", repeated("a", ", ", 100_000)),
        format!("SELECT f({})", repeated("a", ", ", 100_000)),
        format!("FROM t {}", repeated("INSERT INTO u SELECT a", " ", 100_000)),
        format!("WITH {} SELECT 1", repeated("a AS (SELECT 1)", ", ", 100_000)),
        format!("SELECT * FROM t WHERE a IN ({})", repeated("1", ", ", 1_000_000)),
        format!("INSERT INTO t VALUES {}", repeated("(1, 'a')", ", ", 300_000)),
        format!("SELECT '{}'", "x".repeat(10_000_000)),
        format!("SELECT {}", repeated("'a'", " ", 100_000)),
    ] {
        must_be_read(text);
    }
}

#[test]
fn time_grows_with_length_only() {
    type Case = (&'static str, fn(usize) -> String);
    let cases: [Case; 7] = [
        ("operands", |count| format!("SELECT {}", repeated("a", " AND ", count))),
        ("arms", |count| repeated("SELECT 1", " UNION ALL ", count)),
        ("items", |count| format!("SELECT a IN ({})", repeated("1", ", ", count))),
        ("rows", |count| format!("INSERT INTO t VALUES {}", repeated("(1, 'a')", ", ", count))),
        ("open parentheses", |count| format!("SELECT {}", "(".repeat(count))),
        ("open subqueries", |count| format!("SELECT {}", "((SELECT 1), ".repeat(count))),
        ("open functions", |count| format!("SELECT {}", "f(".repeat(count))),
    ];
    for (name, text) in cases {
        let (short, long) = (fastest(&text(3_000)), fastest(&text(30_000)));
        assert!(long < short * 60 + Duration::from_millis(20), "{name}: {short:?} became {long:?}");
    }
}

fn fastest(text: &str) -> Duration {
    let times = (0..3).map(|_| {
        let arena = Arena::new();
        let start = cpu_time::ThreadTime::now();
        let _ = std::hint::black_box(parse_statement(&arena, text, ParserSettings::default()));
        start.elapsed()
    });
    times.min().unwrap()
}
