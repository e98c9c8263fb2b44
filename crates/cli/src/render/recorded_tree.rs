//! A trace of recorded runs for people, as a tree.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use guardbee_lineage::utc;
use guardbee_questions::{Direction, MASKED};
use guardbee_wire::lineage::{RunLine, TraceEdge, TraceNode};

use super::moment::minute;
use super::tree::{MOST_ROWS, Row, write_rows};
use crate::terminal::{Paint, Style, printable};

/// How a tree is written.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub style: Style,
    pub direction: Direction,
    /// Is the other direction shown, too? Then the root says which this is.
    pub is_one_of_two: bool,
    /// Was the trace told to go no step? Then nothing is known of what lies one step on.
    pub ends_at_start: bool,
}

/// What an answer has of nodes and edges, from its first node on.
#[derive(Debug, Clone, Copy)]
pub struct Branches<'d> {
    pub nodes: &'d [TraceNode],
    pub edges: &'d [TraceEdge],
    pub runs: &'d [RunLine],
}

/// The answer as a tree. A node that is reached on several ways is opened at the first one only; what holds for a
/// dataset as a whole stands at the first of its columns.
#[must_use]
pub fn tree(branches: Branches<'_>, look: Look) -> String {
    let steps = Steps {
        nodes: branches.nodes,
        edges: steps(branches.edges, look.direction),
        wholes: wholes(branches.nodes),
        runs: branches.runs.iter().map(|run| (run.key.as_str(), run)).collect(),
        direction: look.direction,
    };
    tree_of(&steps, 0, look)
}

/// What lies one step on from each node.
struct Steps<'d> {
    nodes: &'d [TraceNode],
    edges: HashMap<usize, Vec<&'d TraceEdge>>,
    /// For each dataset the node that stands for all of it.
    wholes: HashMap<Dataset<'d>, usize>,
    /// By their keys.
    runs: HashMap<&'d str, &'d RunLine>,
    direction: Direction,
}

/// A dataset: is it a path, its name, and the session of a temporary table.
type Dataset<'d> = (bool, &'d str, Option<&'d str>);

impl<'d> Steps<'d> {
    /// The node of the whole that a column belongs to.
    fn whole_of(&self, node: &TraceNode) -> Option<usize> {
        let (dataset, column) = (node.dataset.as_deref()?, node.column.as_deref()?);
        let is_path =
            node.name.as_deref().and_then(|name| name.strip_prefix(dataset)) == Some(&format!("#{column}"));
        self.wholes.get(&(is_path, dataset, node.session.as_deref())).copied()
    }

    fn run_of(&self, edge: &TraceEdge) -> Option<&'d RunLine> {
        self.runs.get(edge.run.as_deref()?).copied()
    }
}

fn wholes(nodes: &[TraceNode]) -> HashMap<Dataset<'_>, usize> {
    let is_whole = |node: &TraceNode| !matches!(&*node.node_type, "column" | "run" | "masked");
    let wholes = nodes.iter().filter(|node| is_whole(node));
    wholes
        .filter_map(|node| {
            Some(((node.node_type == "path", node.name.as_deref()?, node.session.as_deref()), node.id))
        })
        .collect()
}

/// For each node the edges to what lies one step on.
fn steps(edges: &[TraceEdge], direction: Direction) -> HashMap<usize, Vec<&TraceEdge>> {
    let mut steps: HashMap<usize, Vec<&TraceEdge>> = HashMap::new();
    for edge in edges {
        let from = if direction == Direction::Down { edge.from } else { edge.to };
        steps.entry(from).or_default().push(edge);
    }
    steps
}

/// A node whose children are being written, last one first.
struct Open<'t> {
    children: Vec<Child<'t>>,
    lead: String,
}

struct Child<'t> {
    node: usize,
    how: Vec<String>,
    edges: Vec<&'t TraceEdge>,
}

fn tree_of(steps: &Steps<'_>, start: usize, look: Look) -> String {
    let title = match (look.is_one_of_two, look.direction) {
        (false, _) => "",
        (true, Direction::Down) => " goes to",
        (true, _) => " comes from",
    };
    let mut rows = vec![Row { name: label(steps, start) + title, ..Row::default() }];
    let mut opened = HashSet::from([start]);
    let mut first = columns_of(steps, start);
    first.extend(children(steps, start, &mut opened));
    let mut open = vec![Open { children: first, lead: String::new() }];
    while let Some(level) = open.last_mut() {
        let Some(child) = level.children.pop() else {
            open.pop();
            continue;
        };
        if rows.len() >= MOST_ROWS {
            break;
        }
        let is_last = level.children.is_empty();
        let lead = level.lead.clone();
        let is_opened = opened.insert(child.node);
        let grandchildren = match is_opened {
            true => children(steps, child.node, &mut opened),
            false => Vec::new(),
        };
        let note = match (is_opened, child.node == start) {
            (_, true) => " (itself)",
            (false, false) if steps.edges.contains_key(&child.node) => " (see above)",
            _ => "",
        };
        let run = child.edges.iter().filter_map(|edge| steps.run_of(edge));
        let run = run.max_by_key(|run| utc::parse(&run.ended_at));
        rows.push(Row {
            lead: format!("{lead}{}", if is_last { "└─ " } else { "├─ " }),
            name: label(steps, child.node) + note,
            how: how(&child, run),
            expression: child.edges.iter().find_map(|edge| expression(edge)).unwrap_or_default(),
            from: run.map(|run| occasion(run, runs(&child))).unwrap_or_default(),
        });
        if is_opened && !grandchildren.is_empty() {
            open.push(Open {
                children: grandchildren,
                lead: format!("{lead}{}", if is_last { "   " } else { "│  " }),
            });
        }
    }
    let mut out = write_rows(&rows, look.style);
    if rows.len() == 1 {
        let nothing = match look.direction {
            _ if look.ends_at_start => "it was told to stop here",
            Direction::Down => "nothing recorded is made of it",
            Direction::Up | Direction::Both => "nothing recorded feeds it",
        };
        let _ = writeln!(out, "└─ {}", look.style.paint(Paint::Dim, nothing));
    }
    if rows.len() >= MOST_ROWS {
        out.push_str("… cut off here; --depth shows less, --format json all\n");
    }
    out
}

/// Of a dataset as a whole the columns that something lies one step on from, the last one first.
fn columns_of<'e>(steps: &Steps<'e>, whole: usize) -> Vec<Child<'e>> {
    let is_of_it =
        |node: &TraceNode| steps.whole_of(node) == Some(whole) && steps.edges.contains_key(&node.id);
    let columns = steps.nodes.iter().filter(|node| is_of_it(node));
    let mut columns: Vec<Child<'_>> = columns
        .map(|node| Child { node: node.id, how: vec!["column".to_owned()], edges: Vec::new() })
        .collect();
    columns.reverse();
    columns
}

/// What lies one step on, each node once, the last one first.
fn children<'e>(steps: &Steps<'e>, node: usize, opened: &mut HashSet<usize>) -> Vec<Child<'e>> {
    let whole = steps.nodes.get(node).and_then(|node| steps.whole_of(node));
    let whole = whole.filter(|whole| opened.insert(*whole));
    let mut children: Vec<Child<'_>> = Vec::new();
    let mut places: HashMap<usize, usize> = HashMap::new();
    for edge in std::iter::once(node).chain(whole).filter_map(|node| steps.edges.get(&node)).flatten() {
        let end = if steps.direction == Direction::Down { edge.to } else { edge.from };
        let place = *places.entry(end).or_insert(children.len());
        if place == children.len() {
            children.push(Child { node: end, how: Vec::new(), edges: Vec::new() });
        }
        if let Some(child) = children.get_mut(place) {
            let how = words(edge);
            if !how.is_empty() && !child.how.contains(&how) {
                child.how.push(how);
            }
            child.edges.push(edge);
        }
    }
    children.reverse();
    children
}

fn words(edge: &TraceEdge) -> String {
    let mut how = match &*edge.kind {
        "WHOLE" => "rows".to_owned(),
        "DIRECT" => String::new(),
        kind => in_words(kind),
    };
    for (is_so, word) in [(edge.masking, "masked"), (edge.unresolved, "uncertain")] {
        if is_so {
            how.push_str(if how.is_empty() { "" } else { ", " });
            how.push_str(word);
        }
    }
    printable(&how)
}

/// `GROUP_BY` as `group by`.
fn in_words(name: &str) -> String {
    name.to_ascii_lowercase().replace('_', " ")
}

/// Between datasets the operation says more than that there is an edge.
fn how(child: &Child<'_>, run: Option<&RunLine>) -> String {
    let words = child.how.join(", ");
    match (words.is_empty(), run) {
        (true, Some(run)) => printable(&in_words(&run.operation)),
        (true, None) => "unknown".to_owned(),
        (false, _) => words,
    }
}

fn label(steps: &Steps<'_>, place: usize) -> String {
    let Some(node) = steps.nodes.get(place) else { return String::new() };
    let name = node.name.as_deref().unwrap_or(MASKED);
    let temporary = if node.session.is_some() { " (temporary)" } else { "" };
    let closed = if node.closed { " (gone)" } else { "" };
    printable(name) + temporary + closed
}

/// What the column was made by, as the statement has it.
fn expression(edge: &TraceEdge) -> Option<String> {
    edge.expression.as_deref().map(printable)
}

fn runs(child: &Child<'_>) -> u32 {
    child.edges.iter().map(|edge| edge.runs).max().unwrap_or(1)
}

/// `load_orders.hql:12  2026-11-29 01:02  etl`, and how many runs there were.
fn occasion(run: &RunLine, count: u32) -> String {
    let script = run.script.as_deref().and_then(|script| script.rsplit('/').next());
    let time = minute(&run.ended_at);
    let parts = [script.unwrap_or_default(), &time, &run.user];
    let text = parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("  ");
    let count = if count > 1 { format!("  {count} runs") } else { String::new() };
    printable(&text) + &count
}
