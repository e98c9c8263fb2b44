//! A statement costs the same however many came before it and however many tables there are. Counted is
//! the processor time of the thread, so that a busy machine changes nothing.

use std::time::Duration;

use cpu_time::ThreadTime;
use guardbee_analysis::{Catalog, Session};
use guardbee_model::HiveVersion;

/// Statements that make, change and drop one table among many.
fn statements(number: usize) -> [String; 4] {
    [
        format!("CREATE TABLE probe_{number} (a INT, b STRING) PARTITIONED BY (ds STRING)"),
        format!("ALTER TABLE probe_{number} ADD COLUMNS (c DOUBLE)"),
        format!("ALTER TABLE probe_{number} RENAME TO renamed_{number}"),
        format!("DROP TABLE renamed_{number}"),
    ]
}

/// The shortest of several rounds, in which nothing else got in the way.
fn shortest_round(session: &mut Session) -> Duration {
    (0..20)
        .map(|round| {
            let start = ThreadTime::now();
            for number in 0..25 {
                for statement in statements(round * 25 + number) {
                    assert!(session.analyze(&statement).error().is_none(), "{statement}");
                }
            }
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

#[test]
fn a_statement_costs_the_same_among_100_000_tables() {
    let mut session = Session::new(Catalog::new(), HiveVersion::default());
    let few = shortest_round(&mut session);
    for number in 0..100_000 {
        session.analyze(&format!("CREATE TABLE t_{number} (a INT)"));
    }
    let many = shortest_round(&mut session);
    assert_eq!(session.catalog().tables("default").count(), 100_000);
    assert!(many < few * 6, "{few:?} with few tables, {many:?} with many");
}

#[test]
fn dropping_a_database_takes_time_in_proportion_to_its_tables() {
    let time_of_drop = |tables: usize| {
        let mut session = Session::new(Catalog::new(), HiveVersion::default());
        session.analyze("CREATE DATABASE d");
        for number in 0..tables {
            session.analyze(&format!("CREATE TABLE d.t_{number} (a INT)"));
        }
        let start = ThreadTime::now();
        let writes = session.analyze("DROP DATABASE d CASCADE").effects.map(|effects| effects.writes.len());
        assert_eq!(writes, Some(tables + 1));
        start.elapsed()
    };
    let shortest = |tables| (0..3).map(|_| time_of_drop(tables)).min().unwrap_or_default();
    let (few, many) = (shortest(4_000), shortest(40_000));
    assert!(many < few * 40, "{few:?} for 4,000 tables, {many:?} for 40,000");
}

#[test]
fn a_snapshot_never_sees_later_changes() {
    let mut session = Session::new(Catalog::new(), HiveVersion::default());
    session.analyze("CREATE TABLE t (a INT)");
    let before = session.catalog().clone();
    session.analyze("ALTER TABLE t ADD COLUMNS (b INT)");
    session.analyze("CREATE TABLE u (a INT)");
    let columns = |catalog: &Catalog| catalog.table("default", "t").map(|table| table.columns.len());
    assert_eq!((columns(&before), columns(session.catalog())), (Some(1), Some(2)));
    assert_eq!((before.tables("default").count(), session.catalog().tables("default").count()), (1, 2));
}
