//! A traversal as JSON.

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::Serialize;

use crate::lineage::{Dataset, Direction, Edge, Graph, NodeId, Traversal};

/// The whole of `guardbee trace --format json`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Document {
    pub version: u32,
    /// The dataset that was asked for.
    pub dataset: String,
    /// What was asked: `up`, `down` or both.
    #[schemars(extend("items" = {"type": "string", "enum": ["up", "down"]}))]
    pub directions: Vec<&'static str>,
    /// The dataset itself and all that was reached, nearest first. What lies both up and down, as in a
    /// cycle, is there for each.
    pub nodes: Vec<Node>,
    /// Each edge that was followed, once.
    pub edges: Vec<Link>,
    /// A limit cut something off.
    pub truncated: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Node {
    pub name: String,
    /// `table` (also views), `path`, `column`, `path_column` or `unresolved`: a column that no table could
    /// be found for.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["table", "path", "column", "path_column", "unresolved"]))]
    pub node_type: &'static str,
    /// The table or path that a column belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The column's own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The script that a temporary table belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temporary_in: Option<String>,
    /// The tables that may have an unresolved column.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
    /// Steps from the dataset that was asked for.
    pub depth: u32,
    /// On which side it lies; absent for the dataset itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("enum" = ["up", "down"]))]
    pub direction: Option<&'static str>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub struct Link {
    pub from: String,
    pub to: String,
    /// `direct`: values go from one to the other. `indirect`: one decides about the other.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["direct", "indirect"]))]
    pub link_type: &'static str,
    /// Between columns `IDENTITY`, `TRANSFORMATION`, `AGGREGATION`, or `FILTER`, `JOIN`, `GROUP_BY`,
    /// `SORT`, `WINDOW`, `CONDITIONAL`; between datasets what is done with the rows (`insert`, `overwrite`,
    /// `create`, `load` and so on); `rename` and `exchange` for both.
    pub how: &'static str,
    /// Passes a function that hides the value.
    pub masking: bool,
    /// What is computed, where it is more than a column.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// The views between both ends, outermost first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
    /// The statement that makes the edge.
    pub file: String,
    pub line: u32,
    /// Its operation, as Hive calls it.
    pub operation: &'static str,
}

/// What was reached from one dataset, as a document.
#[must_use]
pub fn document(graph: &Graph, root: NodeId, traversals: &[(Direction, Traversal)]) -> Document {
    let mut nodes = vec![node(graph, root, 0, None)];
    let mut edges = Vec::new();
    let mut seen: HashSet<(NodeId, NodeId, u32, &'static str)> = HashSet::new();
    for (direction, traversal) in traversals {
        let reached = traversal.nodes.iter().filter(|(id, _)| *id != root);
        nodes.extend(reached.map(|&(id, depth)| node(graph, id, depth, Some(direction.as_str()))));
        for edge in traversal.nodes.iter().filter_map(|(id, _)| traversal.steps.get(id)).flatten() {
            if seen.insert((edge.from, edge.to, edge.process, edge.how)) {
                edges.extend(link(graph, edge));
            }
        }
    }
    Document {
        version: crate::wire::VERSION,
        dataset: name(graph, root),
        directions: traversals.iter().map(|(direction, _)| direction.as_str()).collect(),
        nodes,
        edges,
        truncated: traversals.iter().any(|(_, traversal)| traversal.is_truncated),
    }
}

fn name(graph: &Graph, id: NodeId) -> String {
    graph.node(id).map(ToString::to_string).unwrap_or_default()
}

fn node(graph: &Graph, id: NodeId, depth: u32, direction: Option<&'static str>) -> Node {
    let dataset = graph.node(id);
    let candidates = match dataset {
        Some(Dataset::Unresolved { candidates, .. }) => candidates.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    let column = dataset.and_then(Dataset::column);
    Node {
        name: name(graph, id),
        node_type: match dataset {
            Some(Dataset::Table(_)) => "table",
            Some(Dataset::Path(_)) => "path",
            Some(Dataset::Column { .. }) => "column",
            Some(Dataset::PathColumn { .. }) => "path_column",
            Some(Dataset::Unresolved { .. }) | None => "unresolved",
        },
        dataset: column.and(dataset).and_then(Dataset::whole).map(|whole| whole.to_string()),
        column: column.map(ToString::to_string),
        temporary_in: dataset.and_then(Dataset::session).map(str::to_owned),
        candidates,
        depth,
        direction,
    }
}

fn link(graph: &Graph, edge: &Edge) -> Option<Link> {
    let process = graph.process(edge)?;
    Some(Link {
        from: name(graph, edge.from),
        to: name(graph, edge.to),
        link_type: if edge.is_direct { "direct" } else { "indirect" },
        how: edge.how,
        masking: edge.is_masked,
        expression: edge.expression.as_deref().map(str::to_owned),
        through: edge.through.iter().map(ToString::to_string).collect(),
        file: process.file.to_string(),
        line: process.line,
        operation: process.operation,
    })
}
