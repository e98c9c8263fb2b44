//! A traced graph in the forms that other tools read: DOT, Mermaid, CSV, GraphML.
//!
//! Pure functions from an [`Excerpt`] to text. Whoever traced decides what is in it; names are whatever people may
//! have called things, and are escaped for each form.

mod csv;
mod dot;
mod graphml;
mod mermaid;

use guardbee_model::Name;

use crate::{DatasetName, FlowKind, Run, utc};

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

/// A node of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    pub subject: Subject,
    /// Was it asked for?
    pub is_start: bool,
    /// It is no more: dropped, or gone with its database.
    pub is_closed: bool,
}

/// What a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A dataset as a whole, or all its columns.
    Dataset(DatasetName),
    Column(DatasetName, Name),
    /// A run, by its place.
    Run(usize),
    /// Whoever asks may not see what it is.
    Masked,
}

/// An edge between two nodes, by their places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub kind: FlowKind,
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

    /// What the node belongs to, in one line; a temporary table with its session, so that two do not look the same.
    #[must_use]
    pub fn title(&self, node: &Node) -> String {
        match &node.subject {
            Subject::Dataset(name) | Subject::Column(name, _) => dataset_text(name),
            Subject::Run(place) => {
                self.runs.get(*place).map_or_else(|| "a run".to_owned(), |run| run_text(run))
            }
            Subject::Masked => "(masked)".to_owned(),
        }
    }
}

impl Node {
    /// The dataset that it is or belongs to.
    #[must_use]
    pub const fn dataset(&self) -> Option<&DatasetName> {
        match &self.subject {
            Subject::Dataset(name) | Subject::Column(name, _) => Some(name),
            Subject::Run(_) | Subject::Masked => None,
        }
    }

    #[must_use]
    pub const fn column(&self) -> Option<&Name> {
        match &self.subject {
            Subject::Column(_, column) => Some(column),
            Subject::Dataset(_) | Subject::Run(_) | Subject::Masked => None,
        }
    }

    /// The name of the column, or a word for the whole.
    fn label(&self) -> &str {
        match &self.subject {
            Subject::Column(_, column) => column.as_str(),
            Subject::Dataset(_) => "(all)",
            Subject::Run(_) => "(run)",
            Subject::Masked => "(masked)",
        }
    }

    /// What it is, in a word.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match &self.subject {
            Subject::Masked => "masked",
            Subject::Run(_) => "run",
            Subject::Column(..) => "column",
            Subject::Dataset(name) => dataset_kind(name),
        }
    }
}

/// What a dataset is, in a word.
#[must_use]
pub const fn dataset_kind(name: &DatasetName) -> &'static str {
    match name {
        DatasetName::Database(_) => "database",
        DatasetName::Table(_) => "table",
        DatasetName::Temporary { .. } => "temporary table",
        DatasetName::Path(_) => "path",
        DatasetName::Result(_) => "result",
    }
}

/// The name in one line, with the session of a temporary table.
fn dataset_text(name: &DatasetName) -> String {
    match name {
        DatasetName::Temporary { session, table } => format!("{table} (temporary, {session})"),
        other => other.to_string(),
    }
}

fn run_text(run: &Run) -> String {
    let operation = run.operation.to_ascii_lowercase();
    format!("{operation} {} {}", utc::text(run.ended_at), run.context.user).trim_end().to_owned()
}

impl Edge {
    /// Do values take it?
    #[must_use]
    pub const fn is_direct(&self) -> bool {
        self.kind.is_direct()
    }

    /// How, in the words of people.
    fn label(&self, run: Option<&Run>) -> String {
        let how = match self.kind {
            FlowKind::Column(kind) => kind.as_str().to_ascii_lowercase().replace('_', " "),
            _ => run.map(|run| run.operation.to_ascii_lowercase()).unwrap_or_default(),
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
        let title = excerpt.title(node);
        let key = if node.dataset().is_some() { title.clone() } else { format!("{title}{number}") };
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
