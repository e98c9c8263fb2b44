//! A traversal for people, as a tree; and as JSON.

use std::collections::HashSet;
use std::fmt::Write as _;

use schemars::JsonSchema;
use serde::Serialize;

use super::finding::printable;
use crate::lineage::walk::far_end;
use crate::lineage::{Direction, Edge, Graph, NodeId, Traversal};
use crate::terminal::{Paint, Style};

/// The whole of `guardbee trace --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    pub version: u32,
    pub dataset: String,
    /// `up` or `down`.
    pub direction: &'static str,
    pub nodes: Vec<Node>,
    pub edges: Vec<Link>,
    /// A limit cut something off.
    pub truncated: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Node {
    pub name: String,
    /// Steps from the dataset that was asked for.
    pub depth: u32,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Link {
    pub from: String,
    pub to: String,
    /// `direct` or `indirect`.
    #[serde(rename = "type")]
    pub link_type: &'static str,
    /// `identity`, `transformation`, `aggregation`, `FILTER`, `JOIN`, `insert`, `load`, `rename` and so on.
    pub how: &'static str,
    pub file: String,
    pub line: u32,
    pub operation: &'static str,
}

/// The traversal as a document.
#[must_use]
pub fn document(graph: &Graph, traversal: &Traversal, direction: Direction) -> Document {
    let name = |id| graph.node(id).map(ToString::to_string).unwrap_or_default();
    let nodes = traversal.nodes.iter().map(|&(id, depth)| Node { name: name(id), depth }).collect();
    let mut edges = Vec::new();
    for (id, _) in &traversal.nodes {
        for edge in traversal.steps.get(id).into_iter().flatten() {
            let Some(process) = graph.process(edge) else { continue };
            edges.push(Link {
                from: name(edge.from),
                to: name(edge.to),
                link_type: if edge.is_direct { "direct" } else { "indirect" },
                how: edge.how,
                file: process.file.clone(),
                line: process.line,
                operation: process.operation,
            });
        }
    }
    Document {
        version: crate::wire::VERSION,
        dataset: name(traversal.root),
        direction: match direction {
            Direction::Up => "up",
            Direction::Down => "down",
        },
        nodes,
        edges,
        truncated: traversal.is_truncated,
    }
}

/// The traversal as a tree. A node that is reached on several ways is opened at the first one only.
#[must_use]
pub fn tree(graph: &Graph, traversal: &Traversal, direction: Direction, style: Style) -> String {
    let mut rows = vec![Row {
        lead: String::new(),
        name: label(graph, traversal.root),
        how: String::new(),
        from: String::new(),
    }];
    let mut opened = HashSet::from([traversal.root]);
    let mut open: Vec<Open> =
        vec![Open { children: children(traversal, traversal.root, direction), lead: String::new() }];
    while let Some(level) = open.last_mut() {
        let Some(child) = level.children.pop() else {
            open.pop();
            continue;
        };
        let is_last = level.children.is_empty();
        let lead = level.lead.clone();
        let is_first_visit = opened.insert(child.node);
        let grandchildren =
            if is_first_visit { children(traversal, child.node, direction) } else { Vec::new() };
        let is_seen = !is_first_visit && !children(traversal, child.node, direction).is_empty();
        rows.push(Row {
            lead: format!("{lead}{}", if is_last { "└─ " } else { "├─ " }),
            name: label(graph, child.node) + if is_seen { " (see above)" } else { "" },
            how: child.how.join(", "),
            from: child
                .edges
                .iter()
                .find_map(|edge| graph.process(edge))
                .map(|process| format!("{}:{}", process.file, process.line))
                .unwrap_or_default(),
        });
        open.push(Open {
            children: grandchildren,
            lead: format!("{lead}{}", if is_last { "   " } else { "│  " }),
        });
    }
    write_rows(&rows, traversal.is_truncated, style)
}

struct Row {
    lead: String,
    name: String,
    how: String,
    from: String,
}

/// A node whose children are being written, last one first.
struct Open {
    children: Vec<Child>,
    lead: String,
}

struct Child {
    node: NodeId,
    how: Vec<&'static str>,
    edges: Vec<Edge>,
}

/// What lies one step on, each node once, the last one first.
fn children(traversal: &Traversal, node: NodeId, direction: Direction) -> Vec<Child> {
    let mut children: Vec<Child> = Vec::new();
    for edge in traversal.steps.get(&node).into_iter().flatten() {
        let next = far_end(edge, direction);
        match children.iter_mut().find(|child| child.node == next) {
            Some(child) => {
                if !child.how.contains(&edge.how) {
                    child.how.push(edge.how);
                }
                child.edges.push(*edge);
            }
            None => children.push(Child { node: next, how: vec![edge.how], edges: vec![*edge] }),
        }
    }
    children.reverse();
    children
}

fn label(graph: &Graph, node: NodeId) -> String {
    graph.node(node).map(|dataset| printable(&dataset.to_string())).unwrap_or_default()
}

fn write_rows(rows: &[Row], is_truncated: bool, style: Style) -> String {
    let name_width =
        rows.iter().map(|row| row.lead.chars().count() + row.name.chars().count()).max().unwrap_or(0).min(60);
    let how_width = rows.iter().map(|row| row.how.len()).max().unwrap_or(0).min(30);
    let mut out = String::new();
    for row in rows {
        let width = name_width.saturating_sub(row.lead.chars().count());
        let padding = " ".repeat(width.saturating_sub(row.name.chars().count()));
        let line = format!(
            "{}{}{padding}  {:how_width$}  {}",
            style.paint(Paint::Dim, &row.lead),
            style.paint(Paint::Name, &row.name),
            row.how,
            style.paint(Paint::Dim, &row.from),
        );
        let _ = writeln!(out, "{}", line.trim_end());
    }
    if is_truncated {
        out.push_str("… cut off; go further with --depth\n");
    }
    out
}
