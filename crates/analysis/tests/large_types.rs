//! Types that grow with every statement, since each builds on the result of the one before.

use guardbee_analysis::types::Type;
use guardbee_analysis::{Catalog, Session};
use guardbee_model::HiveVersion;

/// The type of the only column after so many tables, each made of the one before by `expression`.
fn last_type(expression: &str, tables: usize) -> Type {
    let mut session = Session::new(Catalog::new(), HiveVersion::default());
    session.analyze("CREATE TABLE t0 (c INT)");
    for table in 1..=tables {
        session.analyze(&format!("CREATE TABLE t{table} AS SELECT {expression} c FROM t{}", table - 1));
    }
    session.analyze(&format!("SELECT c.nowhere FROM t{tables}"));
    let table = session.catalog().table("default", &format!("t{tables}")).expect("the table was made");
    table.column("c").expect("it has its column").data_type.clone()
}

#[test]
fn types_of_some_size_are_kept() {
    assert_eq!(last_type("array(c)", 3).to_string(), "array<array<array<int>>>");
    assert_eq!(last_type("struct(c, c)", 10).to_string().matches("int").count(), 1 << 10);
}

#[test]
fn types_that_double_become_unknown() {
    assert_eq!(last_type("struct(c, c)", 13), Type::Unknown);
    assert!(last_type("struct(c, c)", 60).to_string().len() < 1_000_000);
}

#[test]
fn types_that_nest_without_end_become_unknown() {
    assert_eq!(last_type("array(c)", 200), Type::Unknown);
    assert!(last_type("map('k', c)", 3_000).to_string().len() < 10_000);
}
