//! Flow charts of Mermaid, which many documents show as pictures.

use std::fmt::Write as _;

use super::{Excerpt, clusters, one_line};

/// A box for each dataset with its columns inside; direct edges solid, indirect ones dotted.
#[must_use]
pub fn mermaid(excerpt: &Excerpt<'_>) -> String {
    let mut out = String::from("flowchart LR\n");
    for (number, (title, nodes)) in clusters(excerpt).iter().enumerate() {
        let _ = writeln!(out, "  subgraph d{number}[\"{}\"]", escaped(title));
        for (place, node) in nodes {
            let _ = writeln!(out, "    n{place}[\"{}\"]", escaped(node.label()));
        }
        out.push_str("  end\n");
    }
    for edge in &excerpt.edges {
        let arrow = if edge.is_direct() { "-->" } else { "-.->" };
        let label = escaped(&edge.label(excerpt.run_of(edge)));
        let label = if label.is_empty() { String::new() } else { format!("|{label}|") };
        let _ = writeln!(out, "  n{} {arrow}{label} n{}", edge.from, edge.to);
    }
    out
}

/// Mermaid takes entities for what it would read as its own signs.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' | '|' | '[' | ']' | '{' | '}' | '(' | ')' | '`' | ';' | '\\' => {
                let _ = write!(out, "#{};", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out
}
