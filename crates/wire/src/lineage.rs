//! The documented shapes of what is asked of recorded runs: `trace`, `impact`, `path` and `history`.

use std::borrow::Cow;
use std::collections::HashMap;

use guardbee_lineage::export::{Edge, Excerpt, Node, Subject};
use guardbee_lineage::{Cursor, DatasetName, Direction, FlowKind, Run, Trace, utc};
use guardbee_model::{Name, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of these shapes.
pub const VERSION: u32 = 1;
/// So many characters of an expression say what is done.
const LONGEST_EXPRESSION: usize = 500;

/// `trace --store`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceDocument {
    pub version: u32,
    /// What was asked for, as it was written.
    pub dataset: String,
    #[schemars(extend("enum" = ["up", "down", "both"]))]
    pub direction: Cow<'static, str>,
    /// The moment that was asked for; absent for now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<String>,
    /// In the order in which they are reached; edges name them by their ids.
    pub nodes: Vec<TraceNode>,
    pub edges: Vec<TraceEdge>,
    /// The latest run behind each edge.
    pub runs: Vec<RunLine>,
    /// A limit cut something off.
    pub truncated: bool,
    /// Where the rest begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<CursorLine>,
}

/// A dataset, a column of one, or a run.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceNode {
    pub id: usize,
    /// `masked` is what whoever asks may not see.
    #[serde(rename = "type")]
    #[schemars(extend(
        "enum" = ["database", "table", "temporary table", "path", "result", "column", "run", "masked"]
    ))]
    pub node_type: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The dataset that a column belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The session that a temporary table belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The key of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Steps from what was asked for.
    pub depth: u32,
    /// It was gone at the moment that was asked for.
    pub closed: bool,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct TraceEdge {
    pub from: usize,
    pub to: usize,
    /// `direct`: values go from one to the other. `indirect`: one decides about the other.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["direct", "indirect"]))]
    pub edge_type: Cow<'static, str>,
    /// Between columns OpenLineage's word; `WHOLE` where no column can be named; `DIRECT` and `INDIRECT` between
    /// datasets.
    #[schemars(extend("enum" = [
        "IDENTITY", "TRANSFORMATION", "AGGREGATION", "FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW",
        "CONDITIONAL", "WHOLE", "DIRECT", "INDIRECT",
    ]))]
    pub kind: Cow<'static, str>,
    /// Passes a function that hides the value.
    pub masking: bool,
    /// Nobody knows whether the source has the column.
    pub unresolved: bool,
    /// The key of the latest run that made it; absent where that is forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How many runs made it.
    pub runs: u32,
    /// What the latest of them made the column by, on one line: the first 500 characters of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
}

/// A run, without what it read and wrote.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunLine {
    pub key: String,
    pub operation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    pub ended_at: String,
    pub user: String,
    #[schemars(extend("enum" = ["declared", "query log", "reported", "imported"]))]
    pub origin: Cow<'static, str>,
    pub statement: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct CursorLine {
    pub nodes: usize,
    pub edges: usize,
}

impl TraceDocument {
    #[must_use]
    pub fn of(
        excerpt: &Excerpt<'_>,
        trace: &Trace,
        direction: Direction,
        as_of: Option<Timestamp>,
        dataset: &str,
    ) -> Self {
        let depths = trace.nodes.iter().map(|node| node.depth);
        let first = trace.before.nodes;
        let nodes = (first..).zip(excerpt.nodes.iter().zip(depths));
        Self {
            version: VERSION,
            dataset: dataset.to_owned(),
            direction: match direction {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Both => "both",
            }
            .into(),
            as_of: as_of.map(utc::text),
            nodes: nodes.map(|(id, (node, depth))| TraceNode::of(excerpt, id, node, depth)).collect(),
            edges: edges(excerpt, first),
            runs: excerpt.runs.iter().map(|run| RunLine::of(run)).collect(),
            truncated: trace.truncated.is_some(),
            cursor: trace.truncated.map(|Cursor { nodes, edges }| CursorLine { nodes, edges }),
        }
    }
}

/// The edges of an excerpt whose first node has this place in the whole answer.
fn edges(excerpt: &Excerpt<'_>, first: usize) -> Vec<TraceEdge> {
    let expressions = expressions(excerpt);
    let key =
        |run: Option<usize>| run.and_then(|place| excerpt.runs.get(place)).map(|run| run.key.0.to_string());
    let edge = |edge: &Edge| TraceEdge {
        from: edge.from,
        to: edge.to,
        edge_type: if edge.is_direct() { "direct" } else { "indirect" }.into(),
        kind: edge.kind.as_str().into(),
        masking: edge.masked,
        unresolved: edge.unresolved,
        run: key(edge.run),
        runs: edge.run_count,
        expression: expression(excerpt, first, edge, &expressions),
    };
    excerpt.edges.iter().map(edge).collect()
}

/// A column that a run made.
type Made<'e> = (usize, &'e DatasetName, &'e Name);

/// What columns are made by, as the statements have it.
fn expressions<'e>(excerpt: &'e Excerpt<'_>) -> HashMap<Made<'e>, &'e str> {
    let mut expressions = HashMap::new();
    for (run, target) in
        excerpt.runs.iter().enumerate().flat_map(|(place, run)| run.targets.iter().map(move |to| (place, to)))
    {
        for column in &target.columns {
            if let Some(expression) = &column.expression {
                expressions.entry((run, &target.dataset, &column.name)).or_insert(&**expression);
            }
        }
    }
    expressions
}

fn expression(
    excerpt: &Excerpt<'_>,
    first: usize,
    edge: &Edge,
    expressions: &HashMap<Made<'_>, &str>,
) -> Option<String> {
    if !matches!(edge.kind, FlowKind::Column(kind) if kind.is_direct()) {
        return None;
    }
    let made = excerpt.nodes.get(edge.to.checked_sub(first)?)?;
    let Subject::Column(dataset, column) = &made.subject else { return None };
    let expression = expressions.get(&(edge.run?, dataset, column))?;
    let start: String = expression.chars().take(LONGEST_EXPRESSION).collect();
    Some(start.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl TraceNode {
    fn of(excerpt: &Excerpt<'_>, id: usize, node: &Node, depth: u32) -> Self {
        let name = match &node.subject {
            Subject::Dataset(name) => Some(name.to_string()),
            Subject::Column(name @ DatasetName::Path(_), column) => Some(format!("{name}#{column}")),
            Subject::Column(name, column) => Some(format!("{name}.{column}")),
            Subject::Run(_) => Some(excerpt.title(node)),
            Subject::Masked => None,
        };
        Self {
            id,
            node_type: node.kind().into(),
            name,
            dataset: node.column().and(node.dataset()).map(ToString::to_string),
            column: node.column().map(ToString::to_string),
            session: match node.dataset() {
                Some(DatasetName::Temporary { session, .. }) => Some(session.to_string()),
                _ => None,
            },
            run: match &node.subject {
                Subject::Run(place) => excerpt.runs.get(*place).map(|run| run.key.0.to_string()),
                _ => None,
            },
            depth,
            closed: node.is_closed,
        }
    }
}

impl RunLine {
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let context = &run.context;
        Self {
            key: run.key.0.to_string(),
            operation: run.operation.to_string(),
            started_at: run.started_at.map(utc::text),
            ended_at: utc::text(run.ended_at),
            user: context.user.to_string(),
            origin: context.origin.as_str().into(),
            statement: context.statement.to_string(),
            script: context.script.as_ref().map(ToString::to_string),
            job: context.job.as_ref().map(ToString::to_string),
            purpose: context.purpose.as_ref().map(ToString::to_string),
        }
    }
}

/// `impact`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ImpactDocument {
    pub version: u32,
    /// What was asked for.
    pub dataset: String,
    /// How many runs read the dataset.
    pub reads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_read: Option<RunLine>,
    /// Nearest first.
    pub dependents: Vec<DependentLine>,
}

/// Something that is derived from what was asked for.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct DependentLine {
    /// Absent where the viewer may not know of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[schemars(extend("enum" = ["view", "table", "temporary table", "export", "result", "masked"]))]
    pub kind: Cow<'static, str>,
    /// The columns that are derived, directly or indirectly; empty where tables as a whole were asked for, or where it is
    /// about all rows.
    pub columns: Vec<String>,
    /// Those among the columns that no value goes into: it only decides about them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indirect: Vec<String>,
    pub steps: u32,
    /// Do values go there, all the way, or does it only decide?
    pub direct: bool,
    /// The latest run that derived it; absent where that is forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_run: Option<RunLine>,
}

impl ImpactDocument {
    #[must_use]
    pub fn of(
        dataset: &str,
        reads: usize,
        last_read: Option<RunLine>,
        dependents: Vec<DependentLine>,
    ) -> Self {
        Self { version: VERSION, dataset: dataset.to_owned(), reads, last_read, dependents }
    }
}

/// `path`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PathDocument {
    pub version: u32,
    pub from: String,
    pub to: String,
    /// The shortest way; absent where none leads there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortest: Option<WayLine>,
    /// Everything that lies on any way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all: Option<WayLine>,
    /// The latest run behind each edge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<RunLine>,
}

/// Nodes and the edges between them.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct WayLine {
    pub nodes: Vec<TraceNode>,
    pub edges: Vec<TraceEdge>,
}

impl PathDocument {
    #[must_use]
    pub fn none(from: &str, to: &str) -> Self {
        let (from, to) = (from.to_owned(), to.to_owned());
        Self { version: VERSION, from, to, shortest: None, all: None, runs: Vec::new() }
    }

    #[must_use]
    pub fn of(from: &str, to: &str, shortest: &Shown<'_>, all: &Shown<'_>) -> Self {
        let runs = all.excerpt.runs.iter().map(|run| RunLine::of(run)).collect();
        let (shortest, all) = (Some(WayLine::of(shortest)), Some(WayLine::of(all)));
        Self { shortest, all, runs, ..Self::none(from, to) }
    }
}

/// An excerpt, and how deep its nodes lie.
pub struct Shown<'s> {
    pub excerpt: Excerpt<'s>,
    pub trace: &'s Trace,
}

impl WayLine {
    fn of(shown: &Shown<'_>) -> Self {
        let depths = shown.trace.nodes.iter().map(|node| node.depth);
        let nodes = shown.excerpt.nodes.iter().zip(depths).enumerate();
        let nodes = nodes.map(|(id, (node, depth))| TraceNode::of(&shown.excerpt, id, node, depth));
        Self { nodes: nodes.collect(), edges: edges(&shown.excerpt, 0) }
    }
}

/// `history`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct HistoryDocument {
    pub version: u32,
    /// What was asked for.
    pub dataset: String,
    /// Is it no more?
    pub closed: bool,
    /// Newest first.
    pub events: Vec<HistoryLine>,
    /// There are older events than these.
    pub truncated: bool,
    /// How many older ones.
    #[serde(default)]
    pub older: usize,
    /// Another dataset had the name before.
    #[serde(default)]
    pub predecessor: bool,
}

/// Something that happened to a dataset.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The version that a write made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// What was done: a kind of write, `made`, `renamed to ...` or `dropped`.
    pub what: String,
    /// As `ds=1/hr=2`; empty for the whole.
    pub partition: String,
    /// Is what a write brought still there?
    pub current: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Absent where the run is forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
}
