//! Statements that nest as deep as the parser lets them, and views stacked on views: all of them end, in the
//! two mebibytes of stack that a thread has.

use guardbee_analysis::{Catalog, Session};
use guardbee_model::{DiagnosticCode, HiveVersion};

/// The statement of a given depth.
type Shape = fn(usize) -> String;

const SHAPES: [(&str, Shape); 7] = [
    ("subqueries", |depth| {
        (0..depth).fold("select a from t".to_owned(), |query, level| {
            format!("select a from ({query}) q{level} where a > 1")
        })
    }),
    ("conditions", |depth| {
        (0..depth)
            .fold("select a from t".to_owned(), |query, _| format!("select a from t where a in ({query})"))
    }),
    ("calls", |depth| {
        let nested = (0..depth).fold("a".to_owned(), |inner, _| format!("abs({inner} + 1)"));
        format!("select {nested} from t")
    }),
    ("parentheses", |depth| format!("select {}a{} from t", "(".repeat(depth), ")".repeat(depth))),
    ("logic", |depth| {
        let nested =
            (0..depth).fold("a = 1".to_owned(), |inner, _| format!("(({inner}) and a > 1 or not (a = 2))"));
        format!("select a from t where {nested}")
    }),
    ("cases", |depth| {
        let nested = (0..depth).fold("a".to_owned(), |inner, _| format!("case when a = 1 then {inner} end"));
        format!("select {nested} from t")
    }),
    ("joins", |depth| {
        let nested = (0..depth)
            .fold("t".to_owned(), |inner, level| format!("({inner} join t t{level} on t{level}.a = 1)"));
        format!("select 1 from {nested}")
    }),
];

/// What a thread has; without optimisation the same work takes a multiple of it.
const STACK_BYTES: usize = if cfg!(debug_assertions) { 16 << 20 } else { 2 << 20 };

fn on_a_small_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(test).expect("a thread starts");
    thread.join().expect("it ends well");
}

#[test]
fn depth_ends_in_a_clear_error() {
    on_a_small_stack(analyse_every_shape);
}

fn analyse_every_shape() {
    for (name, shape) in SHAPES {
        let mut session = Session::new(Catalog::new(), HiveVersion::V4_0);
        session.analyze("create table t (a int)");
        let mut deepest = 0;
        for depth in (1..).map(|step| step * 25).take(50) {
            let analysis = session.analyze(&shape(depth));
            let is_limited = analysis.diagnostics.iter().any(|found| found.code == DiagnosticCode::LIMIT);
            if analysis.effects.is_none() || is_limited {
                assert!(is_limited, "{name} of depth {depth}: {:?}", analysis.diagnostics);
                break;
            }
            deepest = depth;
        }
        assert!(deepest >= 50, "{name} end at depth {deepest}");
    }
}

#[test]
fn views_stack_until_a_clear_end() {
    on_a_small_stack(stack_views);
}

fn stack_views() {
    let mut session = Session::new(Catalog::new(), HiveVersion::V4_0);
    session.analyze("create table v0 (a int)");
    for level in 1..240 {
        let below = level - 1;
        session.analyze(&format!("create view v{level} as select a from v{below} where a > 0"));
    }
    let analysis = session.analyze("select a from v100");
    assert!(analysis.error().is_none(), "{:?}", analysis.diagnostics);
    assert_eq!(analysis.effects.map(|effects| effects.reads.len()), Some(101));
    let analysis = session.analyze("select a from v239");
    let codes: Vec<DiagnosticCode> = analysis.diagnostics.iter().map(|found| found.code).collect();
    assert!(codes.is_empty() || codes.contains(&DiagnosticCode::LIMIT), "{codes:?}");
}

#[test]
fn a_view_of_itself_ends() {
    let mut session = Session::new(Catalog::new(), HiveVersion::V4_0);
    session.analyze("create view v as select a from w");
    session.analyze("create view w as select a from v");
    let analysis = session.analyze("select a from v");
    assert!(analysis.effects.is_some());
}
