//! A statement ten times as long takes about ten times as long, whatever it has many of. Counted is the
//! processor time of the thread, so that a busy machine changes nothing.

use std::time::Duration;

use cpu_time::ThreadTime;
use guardbee_analysis::{Analysis, Catalog, Session};
use guardbee_model::HiveVersion;

/// How much more of everything the long statement has.
const TIMES: usize = 10;
/// More than this is no proportion any more; a square would be a hundred.
const MOST: u32 = 35;
const FEW: usize = 400;

/// What is many, and the statements of which the last is measured.
type Case = (&'static str, fn(usize) -> Vec<String>);

const CASES: [Case; 20] = [
    ("columns of an INSERT", |n| {
        vec![wide("t", n), format!("INSERT INTO t ({}) SELECT {} FROM t", names("c", n), names("c", n))]
    }),
    ("columns that an INSERT leaves out", |n| {
        vec![wide("t", 2 * n), format!("INSERT INTO t ({}) SELECT {} FROM t", names("c", n), names("c", n))]
    }),
    ("INSERTs with columns", |n| {
        let branches =
            (0..n).map(|number| format!("INSERT INTO t{number} (c0) SELECT c0")).collect::<Vec<_>>();
        vec![wide("t", 1), format!("FROM t {}", branches.join(" "))]
    }),
    ("INSERTs into one table", |n| {
        let branch = |number| format!("INSERT INTO u PARTITION (p = {number}) (c{number}) SELECT c0");
        vec![wide("t", 1), format!("FROM t {}", (0..n).map(branch).collect::<Vec<_>>().join(" "))]
    }),
    ("columns of partitions", |n| {
        let values = list("p", n, " = 1");
        vec![partitioned("t", n), format!("INSERT INTO t PARTITION ({values}) SELECT 1")]
    }),
    ("columns that the rows bring", |n| {
        vec![partitioned("t", n), format!("INSERT INTO t PARTITION ({}) SELECT 1", names("p", n))]
    }),
    ("assignments of an UPDATE", |n| vec![wide("t", n), format!("UPDATE t SET {}", list("c", n, " = 1"))]),
    ("columns of a MERGE", |n| {
        let insert =
            format!("INSERT ({}) VALUES ({})", names("t.c", n).replace("t.", ""), list("s.c", n, ""));
        vec![wide("t", n), format!("MERGE INTO t USING t s ON t.c0 = s.c0 WHEN NOT MATCHED THEN {insert}")]
    }),
    ("partition columns of a new table", |n| {
        let columns = names("c", n);
        vec![format!("CREATE TABLE t PARTITIONED BY ({columns}) AS SELECT 1 a, {}", list("1 c", n, ""))]
    }),
    ("properties", |n| {
        let properties = (0..n).map(|number| format!("'k{number}' = 'v'")).collect::<Vec<_>>().join(", ");
        vec![wide("t", 1), format!("ALTER TABLE t SET TBLPROPERTIES ({properties})")]
    }),
    ("properties taken away", |n| {
        let keys =
            |value: &str| (0..n).map(|number| format!("'k{number}'{value}")).collect::<Vec<_>>().join(", ");
        vec![
            wide("t", 1),
            format!("ALTER TABLE t SET TBLPROPERTIES ({})", keys(" = 'v'")),
            format!("ALTER TABLE t UNSET TBLPROPERTIES ({})", keys("")),
        ]
    }),
    ("queries of a WITH", |n| {
        let queries =
            (0..n).map(|number| format!("q{number} AS (SELECT 1 a)")).collect::<Vec<_>>().join(", ");
        let reads = (0..n).map(|number| format!("SELECT a FROM q{number}")).collect::<Vec<_>>();
        vec![format!("WITH {queries} {}", reads.join(" UNION ALL "))]
    }),
    ("functions", |n| vec![format!("SELECT {}", list("f", n, "(1)"))]),
    ("windows", |n| {
        let windows = (0..n).map(|number| format!("w{number} AS (ORDER BY c0)")).collect::<Vec<_>>();
        let calls = list("sum(c0) OVER w", n, "");
        vec![wide("t", 1), format!("SELECT {calls} FROM t WINDOW {}", windows.join(", "))]
    }),
    ("aliases", |n| {
        let columns = list("c0 + 1 AS x", n, "");
        vec![wide("t", 1), format!("SELECT {columns} FROM t ORDER BY {}", names("x", n))]
    }),
    ("aliases in HAVING and GROUP BY", |n| {
        let having = (0..n).map(|number| format!("x{number} > 1")).collect::<Vec<_>>().join(" AND ");
        let columns = list("c0 + 1 AS x", n, "");
        vec![wide("t", 1), format!("SELECT {columns} FROM t GROUP BY {} HAVING {having}", names("x", n))]
    }),
    ("aliases beside", |n| {
        vec![wide("t", 1), format!("SELECT {}, {} FROM t", list("c0 AS x", n, ""), list("x", n, " + 1"))]
    }),
    ("unknown tables", |n| vec![format!("SELECT {} FROM {}", names("c", n), names("u", n))]),
    ("unknown tables that are joined", |n| {
        let joins =
            (1..n).map(|number| format!("JOIN u{number} ON a{number} = b{number}")).collect::<Vec<_>>();
        vec![format!("SELECT x FROM u0 {}", joins.join(" "))]
    }),
    ("known columns that are pinned", |n| {
        let conditions = (0..n).map(|number| format!("c{number} = 1")).collect::<Vec<_>>().join(" AND ");
        vec![wide("t", n), format!("SELECT {} FROM t WHERE {conditions}", names("c", n))]
    }),
];

/// `prefix0 suffix, prefix1 suffix, ...`.
fn list(prefix: &str, count: usize, suffix: &str) -> String {
    (0..count).map(|number| format!("{prefix}{number}{suffix}")).collect::<Vec<_>>().join(", ")
}

fn names(prefix: &str, count: usize) -> String {
    list(prefix, count, "")
}

fn wide(table: &str, columns: usize) -> String {
    format!("CREATE TABLE {table} ({})", list("c", columns, " INT"))
}

fn partitioned(table: &str, columns: usize) -> String {
    format!("CREATE TABLE {table} (a INT) PARTITIONED BY ({})", list("p", columns, " INT"))
}

fn measured(statements: &[String]) -> (Duration, Analysis) {
    let mut session = Session::new(Catalog::new(), HiveVersion::default());
    let (last, others) = statements.split_last().expect("there is a statement");
    for statement in others {
        session.analyze(statement);
    }
    let start = ThreadTime::now();
    let analysis = session.analyze(last);
    (start.elapsed(), analysis)
}

fn shortest(statements: &[String]) -> Duration {
    (0..3).map(|_| measured(statements).0).min().unwrap_or_default()
}

#[test]
fn time_is_in_proportion_to_the_length() {
    for (what, statements) in CASES {
        let (few, many) = (statements(FEW), statements(FEW * TIMES));
        assert!(measured(&few).1.effects.is_some(), "{what}: {:?}", measured(&few).1.diagnostics);
        let (short, long) = (shortest(&few), shortest(&many));
        assert!(long < short * MOST, "{what}: {short:?} for {FEW}, {long:?} for {TIMES} times as many");
    }
}
