//! Comma-separated values as RFC 4180 describes them: one line an edge.

use std::fmt::Write as _;

use crate::utc;

use super::{Edge, Excerpt, Node};

const HEAD: &str = "from_type,from_dataset,from_column,to_type,to_dataset,to_column,kind,direct,masked,unresolved,\
                    run,operation,user,ended_at,runs\r\n";

/// One line for each edge, with both its ends and the latest run that made it.
#[must_use]
pub fn csv(excerpt: &Excerpt<'_>) -> String {
    let mut out = String::from(HEAD);
    for edge in &excerpt.edges {
        let (Some(from), Some(to)) = (excerpt.nodes.get(edge.from), excerpt.nodes.get(edge.to)) else {
            continue;
        };
        line(&mut out, excerpt, edge, from, to);
    }
    out
}

fn line(out: &mut String, excerpt: &Excerpt<'_>, edge: &Edge, from: &Node, to: &Node) {
    for node in [from, to] {
        field(out, node.kind());
        field(out, &excerpt.title(node));
        field(out, node.column().map_or("", |column| column.as_str()));
    }
    field(out, edge.kind.as_str());
    for flag in [edge.is_direct(), edge.masked, edge.unresolved] {
        field(out, if flag { "true" } else { "false" });
    }
    let run = excerpt.run_of(edge);
    field(out, run.map_or("", |run| &run.key.0));
    field(out, run.map_or("", |run| &run.operation));
    field(out, run.map_or("", |run| &run.context.user));
    field(out, &run.map(|run| utc::text(run.ended_at)).unwrap_or_default());
    let _ = write!(out, "{}\r\n", edge.run_count);
}

/// A field and the comma behind it.
fn field(out: &mut String, text: &str) {
    if text.contains(['"', ',', '\n', '\r']) {
        let _ = write!(out, "\"{}\",", text.replace('"', "\"\""));
    } else {
        let _ = write!(out, "{text},");
    }
}
