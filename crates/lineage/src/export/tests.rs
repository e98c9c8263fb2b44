//! Each form on a graph with names as bad as they come.

use std::sync::Arc;

use guardbee_model::{TableName, Timestamp};

use super::*;
use crate::{Context, EdgeKind, RunKey};

fn run() -> Run {
    Run {
        key: RunKey("q-1".into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(1_000),
        context: Arc::new(Context { user: "ana, \"etl\"".into(), ..Context::default() }),
        inputs: Vec::new(),
        targets: Vec::new(),
        changes: Vec::new(),
    }
}

fn excerpt(run: &Run) -> Excerpt<'_> {
    let table = |name: &str| DatasetName::Table(TableName::new("d".into(), name.into()));
    let node = |subject| Node { subject, is_start: false, is_closed: false };
    let edge = |from, to, kind| Edge {
        from,
        to,
        kind,
        masked: false,
        unresolved: false,
        run: Some(0),
        run_count: 2,
    };
    Excerpt {
        nodes: vec![
            node(Subject::Column(table("a\"<b>"), "x,\n\u{202e}y\0".into())),
            Node { is_start: true, ..node(Subject::Column(table("b"), "x".into())) },
            node(Subject::Masked),
            node(Subject::Dataset(table("b"))),
            node(Subject::Masked),
        ],
        edges: vec![
            Edge { masked: true, ..edge(0, 1, FlowKind::Column(EdgeKind::Identity)) },
            edge(2, 3, FlowKind::Whole),
            edge(0, 3, FlowKind::Column(EdgeKind::GroupBy)),
            edge(4, 3, FlowKind::Indirect),
        ],
        runs: vec![run],
    }
}

#[test]
fn dot_quotes_names() {
    let run = run();
    let text = dot(&excerpt(&run));
    assert!(text.contains(r#"label="d.a\"<b>";"#), "{text}");
    assert!(text.contains("n0 [label=\"x, \u{fffd}y\u{fffd}\"];"), "{text}");
    assert!(text.contains("n1 [label=\"x\", style=bold];"), "{text}");
    assert!(text.contains("n0 -> n1 [label=\"identity, masked\"];"), "{text}");
    assert!(text.contains("n0 -> n3 [label=\"group by\", style=dotted];"), "{text}");
    assert_eq!(text.matches("subgraph").count(), 4, "{text}");
}

#[test]
fn mermaid_takes_entities() {
    let run = run();
    let text = mermaid(&excerpt(&run));
    assert!(text.contains("[\"d.a#34;#60;b#62;\"]"), "{text}");
    assert!(
        text.contains("  n0 -->|identity, masked| n1\n  n2 -->|query| n3\n  n0 -.->|group by| n3\n"),
        "{text}"
    );
}

#[test]
fn csv_quotes_fields() {
    let run = run();
    let text = csv(&excerpt(&run));
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert_eq!(
        lines[1],
        "column,\"d.a\"\"<b>\",\"x,\n\u{202e}y\0\",column,d.b,x,IDENTITY,true,true,false,\
         q-1,QUERY,\"ana, \"\"etl\"\"\",1970-01-01T00:00:01.000Z,2"
    );
    assert!(lines[2].starts_with("masked,(masked),,table,d.b,,WHOLE,true,"), "{text}");
}

#[test]
fn graphml_is_xml_whatever_the_names() {
    let run = run();
    let text = graphml(&excerpt(&run));
    assert!(text.contains("<data key=\"dataset\">d.a&quot;&lt;b&gt;</data>"), "{text}");
    assert!(!text.contains('\0'));
    assert_eq!(text.matches("<node ").count(), 5);
    assert_eq!(text.matches("</edge>").count(), 4);
}
