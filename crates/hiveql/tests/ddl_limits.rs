//! DDL of absurd depth and length: it works or ends in a clear error, without running out of stack.

use guardbee_hiveql::parser::{ParserSettings, parse_statement};
use guardbee_hiveql::printer::print_statement;
use guardbee_hiveql::tree::Arena;
use guardbee_model::DiagnosticCode;

fn code_of(sql: &str) -> Option<DiagnosticCode> {
    let arena = Arena::new();
    parse_statement(&arena, sql, ParserSettings::default()).err().map(|error| error.code)
}

#[test]
fn scheduled_queries_in_scheduled_queries_are_bounded() {
    let nested =
        |depth: usize| format!("{}drop table t", "create scheduled query q every day as ".repeat(depth));
    assert_eq!(code_of(&nested(20)), None);
    assert_eq!(code_of(&nested(10_000)), Some(DiagnosticCode::LIMIT));
}

#[test]
fn types_and_defaults_are_bounded() {
    let types = format!("create table t (a {}int{})", "array<".repeat(10_000), ">".repeat(10_000));
    assert_eq!(code_of(&types), Some(DiagnosticCode::LIMIT));
    let calls = format!("create table t (a int default {}1{})", "f(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(code_of(&calls), Some(DiagnosticCode::LIMIT));
    let conditions = format!("create table t (a int check ({}a{}))", "(".repeat(10_000), ")".repeat(10_000));
    assert_eq!(code_of(&conditions), Some(DiagnosticCode::LIMIT));
}

#[test]
fn long_lists_are_read_and_printed() {
    let list = |item: &dyn Fn(usize) -> String, separator: &str| {
        (0..100_000).map(item).collect::<Vec<_>>().join(separator)
    };
    let statements = [
        format!("create table t ({})", list(&|n| format!("c{n} int comment 'x'"), ", ")),
        format!("create table t (a int) tblproperties ({})", list(&|n| format!("'k{n}'='v'"), ", ")),
        format!("create table t (a int) skewed by (a) on ({})", list(&|n| format!("{n}"), ", ")),
        format!("create view v ({}) as select 1", list(&|n| format!("c{n}"), ", ")),
        format!("alter table t add {}", list(&|n| format!("partition (a={n}) location 'x'"), " ")),
        format!("alter table t drop {}", list(&|n| format!("partition (a>{n})"), ", ")),
        format!("alter table t touch {}", list(&|n| format!("partition (a={n})"), " ")),
        format!("analyze table t compute statistics for columns {}", list(&|n| format!("c{n}"), ", ")),
    ];
    let arena = Arena::new();
    for sql in &statements {
        let statement = parse_statement(&arena, sql, ParserSettings::default()).expect("a long statement");
        let printed = print_statement(&statement);
        let again = parse_statement(&arena, &printed, ParserSettings::default());
        assert_eq!(again.as_ref(), Ok(&statement));
    }
}
