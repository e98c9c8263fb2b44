//! The DOT language of Graphviz.

use std::fmt::Write as _;

use super::{Excerpt, clusters, one_line};

/// A box for each dataset with its columns inside; direct edges solid, indirect ones dotted.
#[must_use]
pub fn dot(excerpt: &Excerpt<'_>) -> String {
    let mut out =
        String::from("digraph lineage {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    for (number, (title, nodes)) in clusters(excerpt).iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{number} {{\n    label={};", quoted(title));
        for (place, node) in nodes {
            let style = match (node.dataset().is_none(), node.is_start, node.is_closed) {
                (true, ..) => ", style=dashed",
                (_, true, _) => ", style=bold",
                (_, _, true) => ", style=dotted",
                _ => "",
            };
            let _ = writeln!(out, "    n{place} [label={}{style}];", quoted(node.label()));
        }
        out.push_str("  }\n");
    }
    for edge in &excerpt.edges {
        let style = if edge.is_direct() { "" } else { ", style=dotted" };
        let label = quoted(&edge.label(excerpt.run_of(edge)));
        let _ = writeln!(out, "  n{} -> n{} [label={label}{style}];", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}
