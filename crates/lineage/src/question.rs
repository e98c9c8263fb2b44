//! What can be asked of a graph, and what an answer is made of.

use std::fmt;

use guardbee_model::{Name, Timestamp};

use crate::mark::FlowKind;
use crate::moment::RunIndex;
use crate::run::DatasetName;
use crate::timeline::{ColumnId, DatasetId};

/// The moment that names and edges are taken from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum AsOf {
    /// After all runs.
    #[default]
    Now,
    /// After all runs that had ended then.
    At(Timestamp),
}

/// A dataset, or a column of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    pub dataset: DatasetId,
    pub column: Option<ColumnId>,
}

impl Node {
    #[must_use]
    pub const fn dataset(dataset: DatasetId) -> Self {
        Self { dataset, column: None }
    }

    #[must_use]
    pub const fn column(dataset: DatasetId, column: ColumnId) -> Self {
        Self { dataset, column: Some(column) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Direction {
    /// Where it came from.
    #[default]
    Up,
    /// Where it went.
    Down,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Level {
    #[default]
    Dataset,
    Column,
    /// Datasets, and between them the runs that made one of the others.
    Run,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EdgeFilter {
    /// Only where values go.
    #[default]
    Direct,
    /// Also what decides about rows and values.
    All,
}

/// What becomes of temporary tables on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Temporaries {
    /// What went through one is shown as if it had gone straight.
    #[default]
    Collapse,
    Show,
}

/// Runs that ended from a moment until before another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Window {
    pub from: Timestamp,
    pub until: Timestamp,
}

/// May whoever asks know of a dataset?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    Visible,
    /// It keeps its place in the answer and loses its name.
    Masked,
}

/// How much of an answer is wanted at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Limit {
    pub nodes: usize,
    pub edges: usize,
}

impl Limit {
    pub const NONE: Self = Self { nodes: usize::MAX, edges: usize::MAX };
}

/// Where an answer goes on: how much of it was given already. It holds for the same question to a graph of the same
/// runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cursor {
    pub nodes: usize,
    pub edges: usize,
}

/// A question to trace.
pub struct Question<'q> {
    pub start: Vec<Node>,
    pub direction: Direction,
    pub level: Level,
    /// How many steps to take at most; a step leads from one dataset to another.
    pub depth: Option<u32>,
    pub edges: EdgeFilter,
    pub as_of: AsOf,
    pub window: Option<Window>,
    /// Datasets that are shown where they are reached, and nothing behind them.
    pub stop: Vec<DatasetId>,
    pub limit: Limit,
    pub cursor: Option<Cursor>,
    pub temporaries: Temporaries,
    /// Temporary tables that are shown even so, besides those of the start.
    pub shown: Vec<Node>,
    pub visible: &'q dyn Fn(DatasetId) -> Visibility,
}

impl Question<'_> {
    /// Everything that goes into or comes out of a node, on the level of that node.
    #[must_use]
    pub fn about(node: Node, direction: Direction) -> Self {
        let level = if node.column.is_some() { Level::Column } else { Level::Dataset };
        Self { start: vec![node], direction, level, ..Self::default() }
    }
}

impl Default for Question<'_> {
    fn default() -> Self {
        Self {
            start: Vec::new(),
            direction: Direction::default(),
            level: Level::default(),
            depth: None,
            edges: EdgeFilter::default(),
            as_of: AsOf::default(),
            window: None,
            stop: Vec::new(),
            limit: Limit::NONE,
            cursor: None,
            temporaries: Temporaries::default(),
            shown: Vec::new(),
            visible: &|_| Visibility::Visible,
        }
    }
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("start", &self.start)
            .field("direction", &self.direction)
            .field("level", &self.level)
            .field("depth", &self.depth)
            .field("edges", &self.edges)
            .field("as_of", &self.as_of)
            .field("window", &self.window)
            .field("stop", &self.stop)
            .field("limit", &self.limit)
            .field("cursor", &self.cursor)
            .field("temporaries", &self.temporaries)
            .finish_non_exhaustive()
    }
}

/// What a node of an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TraceSubject {
    /// A dataset as a whole, or all its columns.
    Dataset(DatasetId),
    Column(DatasetId, ColumnId),
    Run(RunIndex),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceNode {
    pub subject: TraceSubject,
    /// Steps from the start.
    pub depth: u32,
    /// It may not be named to whoever asked.
    pub masked: bool,
    /// It was gone at the moment asked for.
    pub closed: bool,
    pub temporary: bool,
}

/// From one node of an answer to another, along the flow of data. All runs that did the same are one edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceEdge {
    /// Places in the whole answer, of which [`Trace::nodes`] may be a page.
    pub from: u32,
    pub to: u32,
    pub kind: FlowKind,
    /// The value passes a function that hides it.
    pub masked: bool,
    /// Nobody knows whether the source has the column.
    pub unresolved: bool,
    /// The latest run that did it; that wrote the target, where temporary tables lie between.
    pub run: RunIndex,
    pub run_count: u32,
}

/// An answer, or a page of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Trace {
    /// How many nodes and edges earlier pages had.
    pub before: Cursor,
    /// In the order in which they are reached.
    pub nodes: Vec<TraceNode>,
    pub edges: Vec<TraceEdge>,
    /// Set where there is more: the cursor of the rest.
    pub truncated: Option<Cursor>,
}

impl Trace {
    /// The node at a place in the whole answer, if this page has it.
    #[must_use]
    pub fn node(&self, place: u32) -> Option<&TraceNode> {
        self.nodes.get((place as usize).checked_sub(self.before.nodes)?)
    }
}

/// What something is called at the moment asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeName {
    pub dataset: DatasetName,
    pub column: Option<Name>,
}

impl fmt::Display for NodeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            None => write!(f, "{}", self.dataset),
            Some(column) => write!(f, "{}.{column}", self.dataset),
        }
    }
}
