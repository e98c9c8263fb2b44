//! `guardbee trace`: where a dataset comes from, or what is made of it, over a folder of scripts.

use std::fmt::Write as _;

use guardbee_model::{Name, TableName, nearest};

use crate::analyze::{Recorded, print};
use crate::arguments::{Edges, Trace, TraceFormat};
use crate::exit::Outcome;
use crate::input;
use crate::lineage::{Dataset, Direction, Edge, Graph, Limits, NodeId, walk};
use crate::progress::Progress;
use crate::reading::{self, Catalogs};
use crate::render::{finding, graph, tree};
use crate::run as runner;
use crate::terminal::{Paint, Style};

/// Nodes that a trace reaches at most; past it the result says that it is cut off.
const MOST_NODES: usize = 10_000;

/// Runs the command.
///
/// # Errors
/// A catalog that cannot be read, or output that cannot be written.
pub fn run(arguments: &Trace) -> anyhow::Result<Outcome> {
    let style = Style::for_errors(arguments.appearance.color);
    let (inputs, mut unreadable) = input::collect(&arguments.paths);
    let catalogs = Catalogs::read(&inputs, &arguments.reading)?;
    let progress =
        Progress::new(inputs.iter().map(input::Input::size_bytes).sum(), arguments.appearance.quiet);
    let mut lineage = Graph::default();
    let (_, more) = runner::run::<Recorded>(
        &inputs,
        &catalogs,
        &arguments.reading,
        &progress,
        |report, catalog, out| out.take(report, catalog),
        |piece| {
            piece.into_graph(&mut lineage);
            true
        },
    );
    progress.finish();
    unreadable.extend(more);
    for file in &unreadable {
        let word = style.paint(Paint::Bad, "error");
        eprintln!(
            "{word}: cannot read `{}`: {}",
            finding::printable(&file.label),
            reading::reason(&file.reason)
        );
    }
    let Some(root) = find(&lineage, &arguments.dataset, &arguments.reading.database) else {
        say_unknown(&lineage, &arguments.dataset, style);
        return Ok(Outcome::Findings);
    };
    print(&rendered(&lineage, root, arguments)?)?;
    Ok(if unreadable.is_empty() { Outcome::Fine } else { Outcome::Failure })
}

fn directions(arguments: &Trace) -> Vec<Direction> {
    match (arguments.up, arguments.down) {
        (true, true) => vec![Direction::Up, Direction::Down],
        (false, true) => vec![Direction::Down],
        (_, false) => vec![Direction::Up],
    }
}

fn rendered(lineage: &Graph, root: NodeId, arguments: &Trace) -> anyhow::Result<String> {
    let limits = Limits {
        depth: arguments.depth.unwrap_or(u32::MAX),
        nodes: MOST_NODES,
        include_indirect: arguments.edges == Edges::All,
    };
    let traversals: Vec<_> = directions(arguments)
        .into_iter()
        .map(|direction| (direction, walk(lineage, root, direction, limits)))
        .collect();
    let style = Style::for_output(arguments.appearance.color);
    let followed: std::collections::HashSet<Edge> =
        traversals.iter().flat_map(|(_, traversal)| traversal.steps.values().flatten().copied()).collect();
    let mut out = String::new();
    match arguments.format {
        TraceFormat::Tree => {
            for (direction, traversal) in &traversals {
                out.push_str(&tree::tree(lineage, traversal, *direction, style));
            }
        }
        TraceFormat::Json => {
            let documents: Vec<_> = traversals
                .iter()
                .map(|(direction, traversal)| tree::document(lineage, traversal, *direction))
                .collect();
            for document in documents {
                let _ = writeln!(out, "{}", serde_json::to_string_pretty(&document)?);
            }
        }
        TraceFormat::Dot => out = graph::dot(lineage, |edge| followed.contains(edge)),
        TraceFormat::Mermaid => out = graph::mermaid(lineage, |edge| followed.contains(edge)),
    }
    Ok(out)
}

/// The node that the text names: a path as it stands, `[db.]table` or `[db.]table.column`.
fn find(lineage: &Graph, text: &str, database: &str) -> Option<NodeId> {
    let parts: Vec<String> = text.split('.').map(|part| part.trim_matches('`').to_owned()).collect();
    let name = |part: &String| Name::fold(part);
    let candidates = match parts.as_slice() {
        [table] => vec![Dataset::Table(TableName::new(Name::fold(database), name(table)))],
        [first, second] => vec![
            Dataset::Table(TableName::new(name(first), name(second))),
            Dataset::Column {
                table: TableName::new(Name::fold(database), name(first)),
                column: name(second),
            },
        ],
        [first, second, third] => {
            vec![Dataset::Column { table: TableName::new(name(first), name(second)), column: name(third) }]
        }
        _ => Vec::new(),
    };
    candidates.iter().chain([&Dataset::Path(text.to_owned())]).find_map(|dataset| lineage.id(dataset))
}

fn say_unknown(lineage: &Graph, text: &str, style: Style) {
    let word = style.paint(Paint::Bad, "error");
    eprintln!("{word}: no script reads or writes `{}`", finding::printable(text));
    let names: Vec<String> = lineage.nodes().map(|(_, dataset)| dataset.to_string()).collect();
    if let Some(near) = nearest(text, names.iter().map(String::as_str)) {
        eprintln!("did you mean `{}`?", finding::printable(near));
    }
}
