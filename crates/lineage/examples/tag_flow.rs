//! How long a tag takes to a million derived columns: `cargo run --release -p guardbee-lineage --example tag_flow`.
//!
//! A hundred thousand tables of ten columns, each made of an earlier one, all in the end of one tagged column.

use std::sync::Arc;
use std::time::Instant;

use guardbee_lineage::{
    AsOf, ColumnSource, Context, DatasetName, Derivation, EdgeKind, Graph, Input, Node, Run, RunKey,
    TagNumber, TagRules, TagSource, Target, TargetColumn, WriteKind,
};
use guardbee_model::{Name, TableName, Timestamp};

const TABLES: usize = 100_000;
const COLUMNS: usize = 10;
const BATCH: usize = 10_000;

fn table(number: usize) -> DatasetName {
    DatasetName::Table(TableName::new(Name::fold("d"), Name::fold(&format!("t{number}"))))
}

fn column(number: usize) -> Name {
    Name::fold(&format!("c{number}"))
}

/// Each column is made of the one of its name and of the first one.
fn run(number: usize, context: &Arc<Context>) -> Run {
    let from = table((number - 1) / 3);
    let source = |number| ColumnSource {
        dataset: from.clone(),
        column: column(number),
        kind: EdgeKind::Transformation,
        masked: false,
        unresolved: false,
        through: [].into(),
    };
    let columns = (0..COLUMNS).map(|number| TargetColumn {
        name: column(number),
        expression: None,
        derivation: Derivation::Expression,
        sources: if number == 0 { vec![source(0)] } else { vec![source(0), source(number)] },
        influences: Vec::new(),
    });
    Run {
        key: RunKey(format!("r{number:06}").into()),
        operation: "QUERY".into(),
        started_at: None,
        ended_at: Timestamp(i64::try_from(number).expect("a small number")),
        context: context.clone(),
        inputs: vec![Input { dataset: from.clone(), partitions: Vec::new(), through: [].into() }],
        targets: vec![Target {
            dataset: table(number),
            write: WriteKind::Overwrite,
            partition: Vec::new(),
            columns: columns.collect(),
            influences: Vec::new(),
            whole: Vec::new(),
        }],
        changes: Vec::new(),
    }
}

fn main() {
    let context = Arc::new(Context::default());
    let started = Instant::now();
    let mut graph = Graph::new();
    for batch in (1..=TABLES).collect::<Vec<_>>().chunks(BATCH) {
        let runs: Vec<Run> = batch.iter().map(|number| run(*number, &context)).collect();
        graph = graph.record(&runs).graph;
    }
    let graph = graph.compacted();
    println!("{} edges recorded in {:?}", graph.edge_count(), started.elapsed());
    let dataset = graph.find(&table(0), AsOf::Now).expect("the first table");
    let secret = graph.find_column(dataset, &column(0), AsOf::Now).expect("its first column");
    let source = TagSource { node: Node::column(dataset, secret), tag: TagNumber(0) };
    for _ in 0..5 {
        let started = Instant::now();
        let derived = graph.tag_flow(&[source], TagRules::default()).derived().count();
        println!("{derived} columns carry the tag after {:?}", started.elapsed());
    }
}
