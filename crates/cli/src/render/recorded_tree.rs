//! A trace of recorded runs for people, as a tree.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use guardbee_lineage::export::{Edge, Excerpt, Node, Subject};
use guardbee_lineage::{DatasetName, Direction, FlowKind, Run, utc};

use super::tree::{MOST_ROWS, Row, write_rows};
use crate::terminal::{Paint, Style, printable};

/// How a tree is written.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub style: Style,
    pub direction: Direction,
    /// Is the other direction shown, too? Then the root says which this is.
    pub is_one_of_two: bool,
}

/// The trace as a tree. A node that is reached on several ways is opened at the first one only; what holds for a
/// dataset as a whole stands at the first of its columns.
#[must_use]
pub fn tree(excerpt: &Excerpt<'_>, is_truncated: bool, look: Look) -> String {
    let graph =
        Steps { edges: steps(excerpt, look.direction), wholes: wholes(excerpt), direction: look.direction };
    let mut out = tree_of(excerpt, &graph, 0, look);
    if is_truncated {
        out.push_str("… goes on; a greater --limit shows more\n");
    }
    out
}

/// What lies one step on from each node.
struct Steps<'e> {
    edges: HashMap<usize, Vec<&'e Edge>>,
    /// For each dataset the node that stands for all of it.
    wholes: HashMap<&'e DatasetName, usize>,
    direction: Direction,
}

impl Steps<'_> {
    /// The node of the whole that a column belongs to.
    fn whole_of(&self, node: &Node) -> Option<usize> {
        node.column().and(node.dataset()).and_then(|dataset| self.wholes.get(dataset)).copied()
    }
}

fn wholes<'e>(excerpt: &'e Excerpt<'_>) -> HashMap<&'e DatasetName, usize> {
    let wholes = places(excerpt).filter(|(_, node)| node.column().is_none());
    wholes.filter_map(|(place, node)| Some((node.dataset()?, place))).collect()
}

fn places<'e>(excerpt: &'e Excerpt<'_>) -> impl Iterator<Item = (usize, &'e Node)> {
    excerpt.nodes.iter().enumerate()
}

/// For each node the edges to what lies one step on.
fn steps<'e>(excerpt: &'e Excerpt<'_>, direction: Direction) -> HashMap<usize, Vec<&'e Edge>> {
    let mut steps: HashMap<usize, Vec<&Edge>> = HashMap::new();
    for edge in &excerpt.edges {
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
    edges: Vec<&'t Edge>,
}

fn tree_of(excerpt: &Excerpt<'_>, steps: &Steps<'_>, start: usize, look: Look) -> String {
    let title = match (look.is_one_of_two, look.direction) {
        (false, _) => "",
        (true, Direction::Down) => " goes to",
        (true, _) => " comes from",
    };
    let mut rows = vec![Row { name: label(excerpt, start) + title, ..Row::default() }];
    let mut opened = HashSet::from([start]);
    let mut open = vec![Open { children: children(excerpt, steps, start, &mut opened), lead: String::new() }];
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
            true => children(excerpt, steps, child.node, &mut opened),
            false => Vec::new(),
        };
        let note = match (is_opened, child.node == start) {
            (_, true) => " (itself)",
            (false, false) if steps.edges.contains_key(&child.node) => " (see above)",
            _ => "",
        };
        let run = child.edges.iter().filter_map(|edge| run_of(excerpt, edge)).max_by_key(|run| run.ended_at);
        rows.push(Row {
            lead: format!("{lead}{}", if is_last { "└─ " } else { "├─ " }),
            name: label(excerpt, child.node) + note,
            how: how(&child, run),
            expression: expression(excerpt, &child).unwrap_or_default(),
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

/// What lies one step on, each node once, the last one first.
fn children<'e>(
    excerpt: &Excerpt<'_>,
    steps: &Steps<'e>,
    node: usize,
    opened: &mut HashSet<usize>,
) -> Vec<Child<'e>> {
    let whole = excerpt.nodes.get(node).and_then(|node| steps.whole_of(node));
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

fn words(edge: &Edge) -> String {
    let mut how = match edge.kind {
        FlowKind::Column(kind) => kind.as_str().to_ascii_lowercase().replace('_', " "),
        FlowKind::Indirect => "indirect".to_owned(),
        FlowKind::Whole => "rows".to_owned(),
        FlowKind::Direct => String::new(),
    };
    for (is_so, word) in [(edge.masked, "masked"), (edge.unresolved, "uncertain")] {
        if is_so {
            how.push_str(if how.is_empty() { "" } else { ", " });
            how.push_str(word);
        }
    }
    how
}

/// Between datasets the operation says more than that there is an edge.
fn how(child: &Child<'_>, run: Option<&Run>) -> String {
    let words = child.how.join(", ");
    match (words.is_empty(), run) {
        (true, Some(run)) => run.operation.to_ascii_lowercase().replace('_', " "),
        (true, None) => "unknown".to_owned(),
        (false, _) => words,
    }
}

fn label(excerpt: &Excerpt<'_>, place: usize) -> String {
    let Some(node) = excerpt.nodes.get(place) else { return String::new() };
    let text = match &node.subject {
        Subject::Dataset(name) => dataset(name),
        Subject::Column(name @ DatasetName::Path(_), column) => format!("{name}#{column}"),
        Subject::Column(DatasetName::Temporary { table, .. }, column) => {
            format!("{table}.{column} (temporary)")
        }
        Subject::Column(name, column) => format!("{name}.{column}"),
        Subject::Run(_) | Subject::Masked => excerpt.title(node),
    };
    let closed = if node.is_closed { " (gone)" } else { "" };
    printable(&text) + closed
}

fn dataset(name: &DatasetName) -> String {
    match name {
        DatasetName::Temporary { table, .. } => format!("{table} (temporary)"),
        other => other.to_string(),
    }
}

fn run_of<'r>(excerpt: &'r Excerpt<'_>, edge: &Edge) -> Option<&'r Run> {
    edge.run.and_then(|run| excerpt.runs.get(run)).copied()
}

/// What the column was made by, as the statement has it.
fn expression(excerpt: &Excerpt<'_>, child: &Child<'_>) -> Option<String> {
    let made_by = |edge: &&Edge| {
        let run = run_of(excerpt, edge)?;
        let Subject::Column(dataset, column) = &excerpt.nodes.get(edge.to)?.subject else { return None };
        let is_direct = matches!(edge.kind, FlowKind::Column(kind) if kind.is_direct());
        let targets = run.targets.iter().filter(|target| is_direct && target.dataset == *dataset);
        let mut columns = targets.flat_map(|target| &target.columns).filter(|found| found.name == *column);
        columns.find_map(|found| found.expression.clone())
    };
    let expression = child.edges.iter().find_map(made_by)?;
    let start: String = expression.chars().take(500).collect();
    Some(printable(&start.split_whitespace().collect::<Vec<_>>().join(" ")))
}

fn runs(child: &Child<'_>) -> u32 {
    child.edges.iter().map(|edge| edge.run_count).max().unwrap_or(1)
}

/// `load_orders.hql:12  2026-11-29 01:02  etl`, and how many runs there were.
fn occasion(run: &Run, count: u32) -> String {
    let script = run.context.script.as_deref().and_then(|script| script.rsplit('/').next());
    let time = utc::text(run.ended_at).replacen('T', " ", 1).chars().take(16).collect::<String>();
    let parts = [script.unwrap_or_default(), &time, &run.context.user];
    let text = parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("  ");
    let count = if count > 1 { format!("  {count} runs") } else { String::new() };
    printable(&text) + &count
}
