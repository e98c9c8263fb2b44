//! GraphML, the XML that yEd, Gephi, NetworkX and others read.

use std::fmt::Write as _;

use crate::utc;

use super::{Edge, Excerpt, Node};

const HEAD: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="type" for="node" attr.name="type" attr.type="string"/>
  <key id="dataset" for="node" attr.name="dataset" attr.type="string"/>
  <key id="column" for="node" attr.name="column" attr.type="string"/>
  <key id="kind" for="edge" attr.name="kind" attr.type="string"/>
  <key id="masked" for="edge" attr.name="masked" attr.type="boolean"/>
  <key id="unresolved" for="edge" attr.name="unresolved" attr.type="boolean"/>
  <key id="run" for="edge" attr.name="run" attr.type="string"/>
  <key id="operation" for="edge" attr.name="operation" attr.type="string"/>
  <key id="user" for="edge" attr.name="user" attr.type="string"/>
  <key id="ended_at" for="edge" attr.name="ended_at" attr.type="string"/>
  <key id="runs" for="edge" attr.name="runs" attr.type="long"/>
  <graph id="lineage" edgedefault="directed">
"#;

/// The graph with all that is known of nodes and edges as data.
#[must_use]
pub fn graphml(excerpt: &Excerpt<'_>) -> String {
    let mut out = String::from(HEAD);
    for (place, node) in excerpt.nodes.iter().enumerate() {
        self::node(&mut out, excerpt, place, node);
    }
    for (place, edge) in excerpt.edges.iter().enumerate() {
        self::edge(&mut out, excerpt, place, edge);
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}

fn node(out: &mut String, excerpt: &Excerpt<'_>, place: usize, node: &Node) {
    let _ = write!(out, "    <node id=\"n{place}\">");
    data(out, "type", node.kind());
    data(out, "dataset", &excerpt.title(node));
    data(out, "column", node.column().map_or("", |column| column.as_str()));
    out.push_str("</node>\n");
}

fn edge(out: &mut String, excerpt: &Excerpt<'_>, place: usize, edge: &Edge) {
    let _ = write!(out, "    <edge id=\"e{place}\" source=\"n{}\" target=\"n{}\">", edge.from, edge.to);
    data(out, "kind", edge.kind.as_str());
    data(out, "masked", if edge.masked { "true" } else { "false" });
    data(out, "unresolved", if edge.unresolved { "true" } else { "false" });
    if let Some(run) = excerpt.run_of(edge) {
        data(out, "run", &run.key.0);
        data(out, "operation", &run.operation);
        data(out, "user", &run.context.user);
        data(out, "ended_at", &utc::text(run.ended_at));
    }
    data(out, "runs", &edge.run_count.to_string());
    out.push_str("</edge>\n");
}

fn data(out: &mut String, key: &str, text: &str) {
    if !text.is_empty() {
        let _ = write!(out, "<data key=\"{key}\">{}</data>", escaped(text));
    }
}

/// Characters that no XML may hold are replaced, even where they would be written as entities.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\t' | '\n' => out.push(character),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(character),
        }
    }
    out
}
