//! A traced graph in the forms that other tools read: DOT, Mermaid, CSV, GraphML.
//!
//! Pure functions from an [`Excerpt`] to text. Whoever traced decides what is in it; names are whatever people may
//! have called things, and are escaped for each form.

mod csv;
mod dot;
mod graphml;
mod mermaid;

use guardbee_model::Name;

use crate::{DatasetName, EdgeKind, Run};

pub use csv::csv;
pub use dot::dot;
pub use graphml::graphml;
pub use mermaid::mermaid;

/// A part of the graph, as other tools are to see it.
#[derive(Debug, Clone, Default)]
pub struct Excerpt<'r> {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    /// What the edges' [`Edge::run`] counts in.
    pub runs: Vec<&'r Run>,
}

/// A dataset or a column of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Absent where whoever asks may not see what it is.
    pub dataset: Option<DatasetName>,
    pub column: Option<Name>,
    /// Was it asked for?
    pub is_start: bool,
    /// It is no more: dropped, or under another name since.
    pub is_closed: bool,
}

/// An edge between two nodes, by their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    /// Absent between datasets as a whole.
    pub kind: Option<EdgeKind>,
    pub masked: bool,
    pub unresolved: bool,
    /// The latest of the runs that made it, by its place.
    pub run: Option<usize>,
    pub run_count: u32,
}

impl Excerpt<'_> {
    fn run_of(&self, edge: &Edge) -> Option<&Run> {
        edge.run.and_then(|place| self.runs.get(place)).copied()
    }
}

impl Node {
    /// The dataset's name in one line; a temporary table with its session, so that two do not look the same.
    #[must_use]
    pub fn dataset_text(&self) -> String {
        match &self.dataset {
            None => "(masked)".to_owned(),
            Some(DatasetName::Temporary { session, table }) => format!("{table} (temporary, {session})"),
            Some(name) => name.to_string(),
        }
    }

    /// The name of the column, or a word for the whole.
    fn column_text(&self) -> &str {
        self.column.as_ref().map_or("(all)", Name::as_str)
    }

    /// What it is, in a word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match (&self.dataset, &self.column) {
            (None, _) => "masked",
            (Some(_), Some(_)) => "column",
            (Some(DatasetName::Database(_)), None) => "database",
            (Some(DatasetName::Table(_)), None) => "table",
            (Some(DatasetName::Temporary { .. }), None) => "temporary table",
            (Some(DatasetName::Path(_)), None) => "path",
            (Some(DatasetName::Result(_)), None) => "result",
        }
    }
}

impl Edge {
    /// Do values take it? Those between datasets are of all kinds.
    #[must_use]
    pub fn is_direct(&self) -> bool {
        self.kind.is_none_or(EdgeKind::is_direct)
    }

    /// How, in the words of people.
    fn label(&self, run: Option<&Run>) -> String {
        let how = match self.kind {
            Some(kind) => kind.as_str().to_ascii_lowercase().replace('_', " "),
            None => run.map(|run| run.operation.to_ascii_lowercase()).unwrap_or_default(),
        };
        match self.masked {
            true => how + ", masked",
            false => how,
        }
    }
}

/// The nodes by the dataset they belong to, in the order of the first of each.
fn clusters<'e>(excerpt: &'e Excerpt<'_>) -> Vec<(String, Vec<(usize, &'e Node)>)> {
    let mut clusters: Vec<(String, Vec<(usize, &Node)>)> = Vec::new();
    let mut places: rustc_hash::FxHashMap<String, usize> = rustc_hash::FxHashMap::default();
    for (number, node) in excerpt.nodes.iter().enumerate() {
        // What may not be seen is not told apart, but not thrown together either.
        let title = node.dataset_text();
        let key = if node.dataset.is_some() { title.clone() } else { format!("{title}{number}") };
        let place = *places.entry(key).or_insert(clusters.len());
        if place == clusters.len() {
            clusters.push((title, Vec::new()));
        }
        if let Some((_, nodes)) = clusters.get_mut(place) {
            nodes.push((number, node));
        }
    }
    clusters
}

/// Text on one line, without characters that steer a terminal or the direction of writing.
fn one_line(text: &str) -> String {
    let visible = |character: char| match character {
        '\t' | '\n' | '\r' => ' ',
        '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' => {
            '\u{fffd}'
        }
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    };
    text.chars().map(visible).collect()
}

#[cfg(test)]
mod tests;
