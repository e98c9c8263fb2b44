//! `guardbee trace`: where a dataset comes from, or what is made of it, over a folder of scripts.

use std::collections::HashSet;
use std::path::PathBuf;

use guardbee_analysis::Catalog;
use guardbee_model::nearest;

use crate::arguments::{Edges, Trace, TraceFormat};
use crate::catalogs::Catalogs;
use crate::exit::Outcome;
use crate::input;
use crate::lineage::{Direction, Edge, Follow, Graph, Limits, NodeId, Recorder, Step, Traversal, walk};
use crate::output::{print, say, say_error, say_unreadable, say_warning};
use crate::progress::Progress;
use crate::render::graph::Selection;
use crate::render::{graph, trace, tree};
use crate::run::{self, Counts, Rendered, Work};
use crate::terminal::{Style, printable};
use crate::wire;

/// Nodes that a trace reaches at most; past it the result says that it is cut off.
const MOST_NODES: usize = 10_000;
/// How many names are suggested for one that nobody knows.
const MOST_SUGGESTIONS: usize = 5;

/// Runs the command.
///
/// # Errors
/// A catalog that cannot be read, or output that cannot be written.
pub fn run(arguments: &Trace) -> anyhow::Result<Outcome> {
    let style = Style::for_errors(arguments.appearance.color);
    if needs_runs(arguments.format) {
        say_error(
            style,
            "that format tells of runs, which scripts have not: give `--store` instead of `--files`",
        );
        return Ok(Outcome::WrongUse);
    }
    let (inputs, mut unreadable) = input::collect(&arguments.paths);
    let progress = Progress::of(&inputs, arguments.appearance);
    let catalogs =
        Catalogs::read(&arguments.reading)?.with_declarations(&inputs, &arguments.reading, &progress);
    let work =
        Work { inputs: &inputs, catalogs: &catalogs, reading: &arguments.reading, progress: &progress };
    let follow = follow(arguments);
    let (mut lineage, ran) = lineage(work, follow)?;
    progress.finish();
    unreadable.extend(ran.unreadable);
    say_unreadable(style, &unreadable);
    say_left_out(style, ran.counts);

    let (dataset, database) = (&arguments.dataset, &arguments.reading.database);
    let found =
        lineage.find(dataset, database).or_else(|| lineage.find_in(catalogs.shared(), dataset, database));
    match found {
        Some(root) => print(&rendered(&lineage, root, arguments)?)?,
        None => say_unknown(&lineage, catalogs.shared(), dataset, style),
    }
    Ok(match (found, unreadable.is_empty()) {
        (_, false) => Outcome::Failure,
        (Some(_), true) => Outcome::Fine,
        (None, true) => Outcome::Findings,
    })
}

const fn needs_runs(format: TraceFormat) -> bool {
    matches!(format, TraceFormat::Openlineage | TraceFormat::Prov | TraceFormat::Csv | TraceFormat::Graphml)
}

/// Reads all inputs into one graph.
///
/// # Errors
/// As [`run::run`].
pub fn lineage(work: Work<'_>, follow: Follow) -> anyhow::Result<(Graph, run::Ran)> {
    let mut recorder = Recorder::new(follow);
    let ran = run::run::<Steps>(
        work,
        |report, around, steps| steps.0.extend(Step::of(report, around).map(Some)),
        |steps| {
            for step in &steps.0 {
                match step {
                    Some(step) => recorder.record(step),
                    None => recorder.end_session(),
                }
            }
            true
        },
    )?;
    Ok((recorder.into_graph(), ran))
}

/// Steps on their way into a graph; nothing marks the end of a session.
#[derive(Debug, Default)]
struct Steps(Vec<Option<Step>>);

impl Rendered for Steps {
    fn size_bytes(&self) -> usize {
        self.0.len() * 1024
    }

    fn end_input(&mut self) {
        self.0.push(None);
    }
}

const fn follow(arguments: &Trace) -> Follow {
    match arguments.edges {
        Edges::Direct => Follow::Direct,
        Edges::All => Follow::All,
    }
}

fn directions(arguments: &Trace) -> Vec<Direction> {
    match (arguments.up, arguments.down) {
        (true, true) => vec![Direction::Up, Direction::Down],
        (false, true) => vec![Direction::Down],
        (_, false) => vec![Direction::Up],
    }
}

fn rendered(lineage: &Graph, root: NodeId, arguments: &Trace) -> anyhow::Result<String> {
    let limits =
        Limits { depth: arguments.depth.unwrap_or(u32::MAX), nodes: MOST_NODES, follow: follow(arguments) };
    let traversals: Vec<(Direction, Traversal)> = directions(arguments)
        .into_iter()
        .map(|direction| (direction, walk(lineage, root, direction, limits)))
        .collect();
    Ok(match arguments.format {
        TraceFormat::Tree => trees(lineage, &traversals, arguments),
        TraceFormat::Json => wire::pretty(&trace::document(lineage, root, &traversals))? + "\n",
        TraceFormat::Dot => graph::dot(lineage, &selection(root, &traversals)),
        // Those that need runs have been refused.
        TraceFormat::Mermaid
        | TraceFormat::Openlineage
        | TraceFormat::Prov
        | TraceFormat::Csv
        | TraceFormat::Graphml => graph::mermaid(lineage, &selection(root, &traversals)),
    })
}

fn trees(lineage: &Graph, traversals: &[(Direction, Traversal)], arguments: &Trace) -> String {
    let style = Style::for_output(arguments.appearance.color);
    let folder = folder(&arguments.paths);
    let is_one_of_two = traversals.len() > 1;
    let trees = traversals.iter().map(|(direction, traversal)| {
        let look = tree::Look { style, direction: *direction, folder: folder.as_deref(), is_one_of_two };
        tree::tree(lineage, traversal, look)
    });
    trees.collect::<Vec<_>>().join("\n")
}

/// The one folder that was asked for: file names are shown from there on.
fn folder(paths: &[PathBuf]) -> Option<String> {
    match paths {
        [path] if path.is_dir() => Some(path.display().to_string()),
        _ => None,
    }
}

fn selection(root: NodeId, traversals: &[(Direction, Traversal)]) -> Selection<'_> {
    let mut seen = HashSet::new();
    let edges = traversals.iter().flat_map(|(_, traversal)| {
        traversal.nodes.iter().filter_map(|(id, _)| traversal.steps.get(id)).flatten()
    });
    let is_first = |edge: &&Edge| seen.insert((edge.from, edge.to, edge.process, edge.how));
    Selection { edges: edges.filter(is_first).collect(), root: Some(root) }
}

/// An answer without statements that could not be read must not look like the whole of it.
fn say_left_out(style: Style, counts: Counts) {
    if counts.without_effects > 0 {
        let statements = match counts.without_effects {
            1 => "1 statement".to_owned(),
            count => format!("{count} statements"),
        };
        let next = "`guardbee analyze --findings` shows why";
        say_warning(style, &format!("{statements} could not be read and left no trace: {next}"));
    }
}

fn say_unknown(lineage: &Graph, catalog: &Catalog, text: &str, style: Style) {
    say_error(style, &format!("no table, view, column or path `{text}` in these files"));
    let suggestions = suggestions(lineage, catalog, text);
    if !suggestions.is_empty() {
        let names: Vec<String> = suggestions.iter().map(|name| format!("`{}`", printable(name))).collect();
        say(&format!("did you mean {}?", names.join(" or ")));
    }
}

/// Names that end as the text does, or else the one that is nearly the same.
fn suggestions(lineage: &Graph, catalog: &Catalog, text: &str) -> Vec<String> {
    let mut names: Vec<String> = lineage.nodes().map(|(_, dataset)| dataset.to_string()).collect();
    for database in catalog.databases() {
        names.extend(catalog.tables(&database.name).map(|table| table.name.to_string()));
    }
    names.sort_unstable();
    names.dedup();
    let ending = format!(".{}", text.to_lowercase());
    let same_end = names.iter().filter(|name| name.ends_with(&ending)).take(MOST_SUGGESTIONS);
    let same_end: Vec<String> = same_end.cloned().collect();
    if !same_end.is_empty() {
        return same_end;
    }
    nearest(text, names.iter().map(String::as_str)).map(str::to_owned).into_iter().collect()
}
