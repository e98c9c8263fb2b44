//! Lineage as a picture: DOT for Graphviz, Mermaid for documents.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::lineage::{Dataset, Edge, Graph, NodeId};
use crate::terminal::printable;

/// What of a graph is drawn.
#[derive(Debug, Default)]
pub struct Selection<'g> {
    pub edges: Vec<&'g Edge>,
    /// A node that is there even if no edge leads to it.
    pub root: Option<NodeId>,
}

/// The nodes of a picture by the dataset they belong to.
type Clusters<'g> = BTreeMap<String, Vec<(NodeId, &'g Dataset)>>;

/// The graph in the DOT language: a box for each dataset, its columns inside, direct edges solid and
/// indirect ones dotted.
#[must_use]
pub fn dot(graph: &Graph, selection: &Selection<'_>) -> String {
    let mut out =
        String::from("digraph lineage {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for (index, (dataset, nodes)) in clusters(graph, selection).iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{index} {{\n    label={};", quoted(dataset));
        for (id, node) in nodes {
            let _ = writeln!(out, "    {} [label={}];", name(*id), quoted(&short(node)));
        }
        out.push_str("  }\n");
    }
    for edge in &selection.edges {
        let style = if edge.is_direct { "" } else { ", style=dotted" };
        let _ = writeln!(
            out,
            "  {} -> {} [label={}{style}];",
            name(edge.from),
            name(edge.to),
            quoted(&edge.how_in_words())
        );
    }
    out.push_str("}\n");
    out
}

/// The graph as a Mermaid flow chart.
#[must_use]
pub fn mermaid(graph: &Graph, selection: &Selection<'_>) -> String {
    let mut out = String::from("flowchart LR\n");
    for (index, (dataset, nodes)) in clusters(graph, selection).iter().enumerate() {
        let _ = writeln!(out, "  subgraph d{index}[\"{}\"]", escaped(dataset));
        for (id, node) in nodes {
            let _ = writeln!(out, "    {}[\"{}\"]", name(*id), escaped(&short(node)));
        }
        out.push_str("  end\n");
    }
    for edge in &selection.edges {
        let arrow = if edge.is_direct { "-->" } else { "-.->" };
        let _ = writeln!(out, "  {} {arrow}|{}| {}", name(edge.from), edge.how_in_words(), name(edge.to));
    }
    out
}

fn clusters<'g>(graph: &'g Graph, selection: &Selection<'_>) -> Clusters<'g> {
    let ends = selection.edges.iter().flat_map(|edge| [edge.from, edge.to]);
    let mut used: Vec<NodeId> = ends.chain(selection.root).collect();
    used.sort_unstable();
    used.dedup();
    let mut clusters = Clusters::new();
    for id in used {
        let Some(node) = graph.node(id) else { continue };
        let dataset = node.whole().map_or_else(|| "unresolved".to_owned(), |whole| title(&whole));
        clusters.entry(dataset).or_default().push((id, node));
    }
    clusters
}

/// What is written over the columns of a dataset.
fn title(whole: &Dataset) -> String {
    match whole.session() {
        Some(file) => format!("{whole} (temporary, {file})"),
        None => whole.to_string(),
    }
}

/// What is written in the box: a column without its table.
fn short(node: &Dataset) -> String {
    match node {
        Dataset::Unresolved { .. } => node.to_string(),
        _ => node.column().map_or_else(|| "(all)".to_owned(), ToString::to_string),
    }
}

fn name(id: NodeId) -> String {
    format!("n{}", id.index())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(text).replace('\\', "\\\\").replace('"', "\\\""))
}

/// Mermaid takes entities for what it would read as its own signs.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in printable(text).chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' | '|' | '[' | ']' | '{' | '}' | '`' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}
