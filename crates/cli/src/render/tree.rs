//! A traversal for people, as a tree.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::lineage::{Direction, Edge, Graph, NodeId, Traversal, far_end};
use crate::terminal::{Paint, Style, padded, printable, shortened, shown_width};

/// A wider name does not push the other cells to the right for all rows.
const WIDEST_NAME: usize = 64;
const NARROWEST_NAME: usize = 24;
/// Less of an expression says nothing.
const SHORTEST_EXPRESSION: usize = 12;
const LONGEST_EXPRESSION: usize = 48;
/// Rows past this are cut: nobody reads them, and a shell should not drown.
pub(super) const MOST_ROWS: usize = 5_000;

/// How a tree is written.
#[derive(Debug, Clone, Copy)]
pub struct Look<'l> {
    pub style: Style,
    pub direction: Direction,
    /// The folder that file names are shown from.
    pub folder: Option<&'l str>,
    /// Is the other direction shown, too? Then the root says which this is.
    pub is_one_of_two: bool,
}

/// The traversal as a tree. A node that is reached on several ways is opened at the first one only.
#[must_use]
pub fn tree(graph: &Graph, traversal: &Traversal, look: Look<'_>) -> String {
    let title = match (look.is_one_of_two, look.direction) {
        (false, _) => "",
        (true, Direction::Up) => " comes from",
        (true, Direction::Down) => " goes to",
    };
    let mut rows = vec![Row { name: label(graph, traversal.root) + title, ..Row::default() }];
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
    if rows.len() == 1 && !traversal.is_truncated {
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

/// One line: the lines before its name, the name, and what is known of the edge to it.
#[derive(Default)]
pub(super) struct Row {
    pub lead: String,
    pub name: String,
    pub how: String,
    pub expression: String,
    pub from: String,
}

/// A node whose children are being written, last one first.
struct Open<'t> {
    children: Vec<Child<'t>>,
    lead: String,
}

struct Child<'t> {
    node: NodeId,
    how: Vec<String>,
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
            let how = edge.how_in_words();
            if !child.how.contains(&how) {
                child.how.push(how);
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

/// Rows with their cells aligned.
pub(super) fn write_rows(rows: &[Row], style: Style) -> String {
    let cells = Cells::of(rows, style.width);
    let mut out = String::new();
    for row in rows {
        let used = shown_width(&row.lead) + shown_width(&row.name);
        let lead = style.paint(Paint::Dim, &row.lead);
        let name = style.paint(Paint::Name, &row.name);
        let details = cells.details(style, row);
        let line = if details.is_empty() || used <= cells.name {
            format!("{lead}{name}{:gap$}{details}", "", gap = cells.name.saturating_sub(used))
        } else {
            // A name that takes the room of the other cells has them on a line of their own.
            let lead_below = row.lead.replace("├─ ", "│  ").replace("└─ ", "   ");
            let gap = cells.name.saturating_sub(shown_width(&lead_below));
            format!("{lead}{name}\n{}{:gap$}{details}", style.paint(Paint::Dim, &lead_below), "")
        };
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// How wide the cells are.
struct Cells {
    name: usize,
    how: usize,
    expression: usize,
}

impl Cells {
    fn of(rows: &[Row], width: usize) -> Self {
        let widest = |cell: fn(&Row) -> usize| rows.iter().map(cell).max().unwrap_or(0);
        let how = widest(|row| shown_width(&row.how));
        let rest = 2 + how + 2 + widest(|row| shown_width(&row.from));
        let name = widest(|row| shown_width(&row.lead) + shown_width(&row.name))
            .min(WIDEST_NAME)
            .min(width.saturating_sub(rest).max(NARROWEST_NAME));
        let left = width.saturating_sub(name + rest + 2).min(LONGEST_EXPRESSION);
        let expression = widest(|row| shown_width(&row.expression)).min(left);
        Self { name, how, expression: if expression < SHORTEST_EXPRESSION { 0 } else { expression } }
    }

    fn details(&self, style: Style, row: &Row) -> String {
        if row.how.is_empty() {
            return String::new();
        }
        let mut details = format!("  {}", padded(&row.how, self.how));
        if self.expression > 0 {
            let expression = shortened(&row.expression, self.expression);
            let _ = write!(details, "  {}", padded(&expression, self.expression));
        }
        let _ = write!(details, "  {}", style.paint(Paint::Dim, &row.from));
        details
    }
}
