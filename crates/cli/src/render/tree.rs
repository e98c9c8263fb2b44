//! A traversal for people, as a tree.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::lineage::{Direction, Edge, Graph, NodeId, Traversal, far_end};
use crate::terminal::{Paint, Style, padded, printable, shortened, shown_width};

/// A wider name does not push the other cells to the right for all rows.
const WIDEST_NAME: usize = 64;
/// Less of an expression says nothing.
const SHORTEST_EXPRESSION: usize = 12;
const LONGEST_EXPRESSION: usize = 48;
/// Rows past this are cut: nobody reads them, and a shell should not drown.
const MOST_ROWS: usize = 5_000;

/// How a tree is written.
#[derive(Debug, Clone, Copy)]
pub struct Look<'l> {
    pub style: Style,
    pub direction: Direction,
    /// The folder that file names are shown from.
    pub folder: Option<&'l str>,
}

/// The traversal as a tree. A node that is reached on several ways is opened at the first one only.
#[must_use]
pub fn tree(graph: &Graph, traversal: &Traversal, look: Look<'_>) -> String {
    let mut rows = vec![Row { name: label(graph, traversal.root), ..Row::default() }];
    let mut opened = HashSet::from([traversal.root]);
    let mut open =
        vec![Open { children: children(traversal, traversal.root, look.direction), lead: String::new() }];
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
        let grandchildren = children(traversal, child.node, look.direction);
        let is_opened = opened.insert(child.node);
        let note = match (is_opened, child.node == traversal.root) {
            (_, true) => " (itself)",
            (false, false) if !grandchildren.is_empty() => " (see above)",
            _ => "",
        };
        rows.push(Row {
            lead: format!("{lead}{}", if is_last { "└─ " } else { "├─ " }),
            name: label(graph, child.node) + note,
            how: child.how.join(", "),
            expression: child.edges.iter().find_map(|edge| expression(edge)).unwrap_or_default(),
            from: places(graph, &child.edges, look.folder),
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
            Direction::Up => "nothing in these files feeds it",
            Direction::Down => "nothing in these files is made of it",
        };
        let _ = writeln!(out, "└─ {}", look.style.paint(Paint::Dim, nothing));
    }
    if rows.len() >= MOST_ROWS {
        out.push_str("… cut off here; --depth shows less, --format json all\n");
    } else if traversal.is_truncated {
        out.push_str("… goes on; a greater --depth shows more\n");
    }
    out
}

#[derive(Default)]
struct Row {
    lead: String,
    name: String,
    how: String,
    expression: String,
    from: String,
}

/// A node whose children are being written, last one first.
struct Open<'t> {
    children: Vec<Child<'t>>,
    lead: String,
}

struct Child<'t> {
    node: NodeId,
    how: Vec<&'static str>,
    edges: Vec<&'t Edge>,
}

/// What lies one step on, each node once, the last one first.
fn children(traversal: &Traversal, node: NodeId, direction: Direction) -> Vec<Child<'_>> {
    let mut children: Vec<Child<'_>> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for edge in traversal.steps.get(&node).into_iter().flatten() {
        let next = far_end(edge, direction);
        let place = *places.entry(next).or_insert(children.len());
        if place == children.len() {
            children.push(Child { node: next, how: Vec::new(), edges: Vec::new() });
        }
        if let Some(child) = children.get_mut(place) {
            if !child.how.contains(&edge.how) {
                child.how.push(edge.how);
            }
            child.edges.push(edge);
        }
    }
    children.reverse();
    children
}

fn label(graph: &Graph, node: NodeId) -> String {
    let Some(dataset) = graph.node(node) else { return String::new() };
    let mark = if dataset.session().is_some() { " (temporary)" } else { "" };
    printable(&dataset.to_string()) + mark
}

fn expression(edge: &Edge) -> Option<String> {
    let start: String = edge.expression.as_deref()?.chars().take(500).collect();
    Some(printable(&start.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// `load_orders.hql:7`, and how many other statements there are.
fn places(graph: &Graph, edges: &[&Edge], folder: Option<&str>) -> String {
    let mut places: Vec<String> = Vec::new();
    for process in edges.iter().filter_map(|edge| graph.process(edge)) {
        let file = folder.and_then(|folder| process.file.strip_prefix(folder)).unwrap_or(&process.file);
        let place = format!("{}:{}", printable(file.trim_start_matches('/')), process.line);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    match places.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    }
}

fn write_rows(rows: &[Row], style: Style) -> String {
    let widest = |cell: fn(&Row) -> usize| rows.iter().map(cell).max().unwrap_or(0);
    let name = widest(|row| shown_width(&row.lead) + shown_width(&row.name)).min(WIDEST_NAME);
    let how = widest(|row| shown_width(&row.how));
    let from = widest(|row| shown_width(&row.from));
    let left = style.width.saturating_sub(name + 2 + how + 2 + from + 2);
    let expression = widest(|row| shown_width(&row.expression)).min(LONGEST_EXPRESSION).min(left);
    let mut out = String::new();
    for row in rows {
        let used = shown_width(&row.lead);
        let mut line = format!(
            "{}{}  {}",
            style.paint(Paint::Dim, &row.lead),
            style.paint(Paint::Name, &padded(&row.name, name.saturating_sub(used))),
            padded(&row.how, how),
        );
        if expression >= SHORTEST_EXPRESSION {
            let _ = write!(line, "  {}", padded(&shortened(&row.expression, expression), expression));
        }
        let _ = write!(line, "  {}", style.paint(Paint::Dim, &row.from));
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}
