//! Short statements whose naive reading would cost twice as much with every level.

use guardbee_analysis::{Analysis, Catalog, Session};
use guardbee_model::{DiagnosticCode, HiveVersion};

/// Deep enough that two to this power would take years.
const LEVELS: usize = 60;

fn analysis_of_the_last(statements: &[String]) -> Analysis {
    let mut session = Session::new(Catalog::new(), HiveVersion::default());
    session.analyze("CREATE TABLE t (a INT)");
    let mut last = None;
    for statement in statements {
        last = Some(session.analyze(statement));
    }
    last.expect("there is at least one statement")
}

fn sources(analysis: &Analysis) -> usize {
    let targets = analysis.effects.iter().flat_map(|effects| &effects.targets);
    targets.flat_map(|target| &target.columns).map(|column| column.sources.len()).sum()
}

#[test]
fn macros_that_call_the_one_before_twice_end_in_an_error() {
    let mut statements = vec!["CREATE TEMPORARY MACRO m0(x INT) x + 1".to_owned()];
    statements
        .extend((1..LEVELS).map(|n| format!("CREATE TEMPORARY MACRO m{n}(x INT) m{0}(x) + m{0}(x)", n - 1)));
    statements.push(format!("SELECT m{}(a) FROM t", LEVELS - 1));
    let analysis = analysis_of_the_last(&statements);
    let error = analysis.diagnostics.iter().find(|diagnostic| diagnostic.code == DiagnosticCode::LIMIT);
    assert!(error.is_some(), "{:?}", analysis.diagnostics);
}

#[test]
fn macros_that_call_the_one_before_once_are_expanded() {
    let mut statements = vec!["CREATE TEMPORARY MACRO m0(x INT) x + 1".to_owned()];
    statements.extend((1..LEVELS).map(|n| format!("CREATE TEMPORARY MACRO m{n}(x INT) m{}(x) + 1", n - 1)));
    statements.push(format!("SELECT m{}(a) FROM t", LEVELS - 1));
    let analysis = analysis_of_the_last(&statements);
    assert!(analysis.diagnostics.is_empty(), "{:?}", analysis.diagnostics);
    assert_eq!(sources(&analysis), 1);
}

#[test]
fn an_unknown_column_in_nested_select_lists_is_looked_for_once_more_only() {
    let mut expression = "nowhere".to_owned();
    for _ in 0..LEVELS {
        expression = format!("(SELECT a, {expression} FROM t)");
    }
    let analysis = analysis_of_the_last(&[format!("SELECT a, {expression} FROM t")]);
    let unknown = |code: &DiagnosticCode| *code == DiagnosticCode::UNKNOWN_COLUMN;
    assert_eq!(analysis.diagnostics.iter().filter(|diagnostic| unknown(&diagnostic.code)).count(), 1);
}

#[test]
fn views_that_join_the_one_below_with_itself_are_read_once() {
    let mut statements = vec!["CREATE VIEW v0 AS SELECT a FROM t".to_owned()];
    statements.extend(
        (1..LEVELS)
            .map(|n| format!("CREATE VIEW v{n} AS SELECT x.a FROM v{0} x JOIN v{0} y ON x.a = y.a", n - 1)),
    );
    statements.push(format!("SELECT a FROM v{}", LEVELS - 1));
    let analysis = analysis_of_the_last(&statements);
    assert!(analysis.diagnostics.is_empty(), "{:?}", analysis.diagnostics);
    assert_eq!(sources(&analysis), 1);
}
