//! The documented shapes of what the commands about recorded runs write as JSON.

use std::sync::Arc;

use guardbee_engine::run_store::{BuriedLetter, LetterUse};
use guardbee_engine::{Checked, Outcome, missing_text};
use guardbee_lineage::export::{Excerpt, Node, Subject};
use guardbee_lineage::{Cursor, DatasetChange, DatasetName, Direction, Run, Trace, utc};
use guardbee_model::Timestamp;
use guardbee_policy::Policy;
use schemars::JsonSchema;
use serde::Serialize;

/// The version of these shapes.
pub const VERSION: u32 = 1;

/// `record`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordDocument {
    pub version: u32,
    /// Every statement, in the order of files and of the text.
    pub statements: Vec<RecordedStatement>,
    pub summary: RecordSummary,
}

/// What came of one statement.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RecordedStatement {
    /// File and line.
    pub place: String,
    #[schemars(extend("enum" = ["allowed", "denied", "error"]))]
    pub outcome: &'static str,
    /// Hive's operation type; empty where the statement could not be read.
    pub operation: String,
    /// The key of its run; absent where it leaves nothing to remember.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Why it may not run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// What came of all statements.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub struct RecordSummary {
    pub statements: u64,
    /// Runs that are new in the store.
    pub recorded: u64,
    /// Runs that it had before.
    pub known: u64,
    /// Statements that neither read nor write data nor change which datasets there are.
    pub nothing: u64,
    pub denied: u64,
    pub errors: u64,
    /// What could not be recorded and lies with the dead letters.
    pub buried: u64,
    pub unreadable_files: u64,
}

/// What came of one statement.
#[derive(Debug)]
pub struct Line {
    /// The script and line.
    pub place: Arc<str>,
    pub outcome: Outcome,
    pub operation: &'static str,
    /// The key of its run, where it leaves one.
    pub run: Option<String>,
    pub inputs: Vec<String>,
    pub outputs: Vec<String>,
    /// Why it may not run.
    pub problem: Option<String>,
}

impl Line {
    #[must_use]
    pub fn of(place: Arc<str>, checked: &Checked, run: Option<&Run>, policy: &Policy) -> Self {
        let missing = checked.decision.missing();
        let missing: Vec<String> = missing.map(|missing| missing_text(missing, policy.settings())).collect();
        let problem = match (checked.outcome, missing.is_empty()) {
            (Outcome::Allowed, _) => None,
            (Outcome::Denied, false) => Some(format!("needs {}", missing.join(", "))),
            _ => checked.problem.as_ref().map(ToString::to_string),
        };
        Self {
            place,
            outcome: checked.outcome,
            operation: checked.effects.as_ref().map_or("", |effects| effects.operation.as_str()),
            run: run.map(|run| run.key.0.to_string()),
            inputs: run.map(inputs).unwrap_or_default(),
            outputs: run.map(outputs).unwrap_or_default(),
            problem,
        }
    }
}

fn inputs(run: &Run) -> Vec<String> {
    let direct = run.inputs.iter().filter(|input| input.through.is_empty());
    direct.map(|input| input.dataset.to_string()).collect()
}

/// What it writes, or else what it makes, renames or removes.
fn outputs(run: &Run) -> Vec<String> {
    let written = run.targets.iter().map(|target| &target.dataset);
    let written = written.filter(|dataset| !matches!(dataset, DatasetName::Result(_)));
    let changed = run.changes.iter().map(|change| match change {
        DatasetChange::Create { dataset, .. }
        | DatasetChange::Ensure { dataset, .. }
        | DatasetChange::Drop { dataset }
        | DatasetChange::RenameColumn { dataset, .. }
        | DatasetChange::DropColumn { dataset, .. }
        | DatasetChange::DropPartition { dataset, .. }
        | DatasetChange::Rename { to: dataset, .. }
        | DatasetChange::MovePartition { to: dataset, .. } => dataset,
    });
    let mut outputs: Vec<String> = Vec::new();
    for output in written.chain(changed).map(ToString::to_string) {
        if !outputs.contains(&output) {
            outputs.push(output);
        }
    }
    outputs
}

impl RecordDocument {
    #[must_use]
    pub fn of(lines: &[Line], summary: RecordSummary) -> Self {
        let statement = |line: &Line| RecordedStatement {
            place: line.place.to_string(),
            outcome: match line.outcome {
                Outcome::Allowed => "allowed",
                Outcome::Denied => "denied",
                Outcome::Error => "error",
            },
            operation: line.operation.to_owned(),
            run: line.run.clone(),
            inputs: line.inputs.clone(),
            outputs: line.outputs.clone(),
            problem: line.problem.clone(),
        };
        Self { version: VERSION, statements: lines.iter().map(statement).collect(), summary }
    }
}

/// `import querylog`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ImportDocument {
    pub version: u32,
    pub summary: ImportSummary,
}

impl ImportDocument {
    #[must_use]
    pub const fn of(summary: ImportSummary) -> Self {
        Self { version: VERSION, summary }
    }
}

/// What came of query logs.
#[derive(Debug, Default, Clone, Copy, Serialize, JsonSchema)]
pub struct ImportSummary {
    pub files: u64,
    pub statements: u64,
    /// Runs that are new in the store.
    pub recorded: u64,
    /// Runs that it had before.
    pub known: u64,
    /// Statements that neither read nor write data nor change which datasets there are.
    pub nothing: u64,
    /// Lines that are no statement.
    pub refused: u64,
    /// What could not be recorded and lies with the dead letters; lines that are no statement are among it.
    pub buried: u64,
    pub unreadable_files: u64,
}

/// `import letters`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct LettersDocument {
    pub version: u32,
    /// How many there are, and what they take up.
    pub count: u64,
    pub bytes: u64,
    /// Oldest first.
    pub letters: Vec<Letter>,
}

/// Something that could not be recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Letter {
    pub id: u64,
    pub received_at: String,
    /// How often it came.
    pub times: u64,
    pub source: String,
    pub reason: String,
    pub payload: String,
}

impl LettersDocument {
    #[must_use]
    pub fn of(letters: &[BuriedLetter], used: LetterUse) -> Self {
        let letter = |buried: &BuriedLetter| Letter {
            id: buried.id.0,
            received_at: utc::text(buried.letter.received_at),
            times: buried.times,
            source: buried.letter.source.to_string(),
            reason: buried.letter.reason.to_string(),
            payload: String::from_utf8_lossy(&buried.letter.payload).into_owned(),
        };
        Self {
            version: VERSION,
            count: used.count,
            bytes: used.bytes,
            letters: letters.iter().map(letter).collect(),
        }
    }
}

/// `trace --store`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceDocument {
    pub version: u32,
    /// What was asked for, as it was written.
    pub dataset: String,
    #[schemars(extend("enum" = ["up", "down", "both"]))]
    pub direction: &'static str,
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
#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceNode {
    pub id: usize,
    /// `masked` is what whoever asks may not see.
    #[serde(rename = "type")]
    #[schemars(extend(
        "enum" = ["database", "table", "temporary table", "path", "result", "column", "run", "masked"]
    ))]
    pub node_type: &'static str,
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

#[derive(Debug, Serialize, JsonSchema)]
pub struct TraceEdge {
    pub from: usize,
    pub to: usize,
    /// `direct`: values go from one to the other. `indirect`: one decides about the other.
    #[serde(rename = "type")]
    #[schemars(extend("enum" = ["direct", "indirect"]))]
    pub edge_type: &'static str,
    /// Between columns OpenLineage's word; `WHOLE` where no column can be named; `DIRECT` and `INDIRECT` between
    /// datasets.
    #[schemars(extend("enum" = [
        "IDENTITY", "TRANSFORMATION", "AGGREGATION", "FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW",
        "CONDITIONAL", "WHOLE", "DIRECT", "INDIRECT",
    ]))]
    pub kind: &'static str,
    /// Passes a function that hides the value.
    pub masking: bool,
    /// Nobody knows whether the source has the column.
    pub unresolved: bool,
    /// The key of the latest run that made it; absent where that is forgotten.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// How many runs made it.
    pub runs: u32,
}

/// A run, without what it read and wrote.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RunLine {
    pub key: String,
    pub operation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    pub ended_at: String,
    pub user: String,
    #[schemars(extend("enum" = ["declared", "query log", "reported", "imported"]))]
    pub origin: &'static str,
    pub statement: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
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
        let nodes = excerpt.nodes.iter().zip(depths).enumerate();
        Self {
            version: VERSION,
            dataset: dataset.to_owned(),
            direction: match direction {
                Direction::Up => "up",
                Direction::Down => "down",
                Direction::Both => "both",
            },
            as_of: as_of.map(utc::text),
            nodes: nodes.map(|(id, (node, depth))| TraceNode::of(excerpt, id, node, depth)).collect(),
            edges: edges(excerpt),
            runs: excerpt.runs.iter().map(|run| RunLine::of(run)).collect(),
            truncated: trace.truncated.is_some(),
            cursor: trace.truncated.map(|Cursor { nodes, edges }| CursorLine { nodes, edges }),
        }
    }
}

/// The edges of an excerpt.
#[must_use]
pub fn edges(excerpt: &Excerpt<'_>) -> Vec<TraceEdge> {
    let key =
        |run: Option<usize>| run.and_then(|place| excerpt.runs.get(place)).map(|run| run.key.0.to_string());
    let edge = |edge: &guardbee_lineage::export::Edge| TraceEdge {
        from: edge.from,
        to: edge.to,
        edge_type: if edge.is_direct() { "direct" } else { "indirect" },
        kind: edge.kind.as_str(),
        masking: edge.masked,
        unresolved: edge.unresolved,
        run: key(edge.run),
        runs: edge.run_count,
    };
    excerpt.edges.iter().map(edge).collect()
}

impl TraceNode {
    #[must_use]
    pub fn of(excerpt: &Excerpt<'_>, id: usize, node: &Node, depth: u32) -> Self {
        let name = match &node.subject {
            Subject::Dataset(name) => Some(name.to_string()),
            Subject::Column(name @ DatasetName::Path(_), column) => Some(format!("{name}#{column}")),
            Subject::Column(name, column) => Some(format!("{name}.{column}")),
            Subject::Run(_) => Some(excerpt.title(node)),
            Subject::Masked => None,
        };
        Self {
            id,
            node_type: node.kind(),
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
            origin: context.origin.as_str(),
            statement: context.statement.to_string(),
            script: context.script.as_ref().map(ToString::to_string),
            job: context.job.as_ref().map(ToString::to_string),
            purpose: context.purpose.as_ref().map(ToString::to_string),
        }
    }
}

/// `impact`.
#[derive(Debug, Serialize, JsonSchema)]
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
#[derive(Debug, Serialize, JsonSchema)]
pub struct DependentLine {
    /// Absent where the viewer may not know of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[schemars(extend("enum" = ["view", "table", "temporary table", "export", "result", "masked"]))]
    pub kind: &'static str,
    /// The columns that are derived; empty where tables as a whole were asked for.
    pub columns: Vec<String>,
    pub steps: u32,
    /// Do values go there, or does it only decide?
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
#[derive(Debug, Serialize, JsonSchema)]
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
}

/// Nodes and the edges between them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct WayLine {
    pub nodes: Vec<TraceNode>,
    pub edges: Vec<TraceEdge>,
}

impl PathDocument {
    #[must_use]
    pub fn none(from: &str, to: &str) -> Self {
        Self { version: VERSION, from: from.to_owned(), to: to.to_owned(), shortest: None, all: None }
    }

    #[must_use]
    pub fn of(from: &str, to: &str, shortest: &Shown<'_>, all: &Shown<'_>) -> Self {
        let (shortest, all) = (Some(WayLine::of(shortest)), Some(WayLine::of(all)));
        Self { shortest, all, ..Self::none(from, to) }
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
        Self { nodes: nodes.collect(), edges: edges(&shown.excerpt) }
    }
}

/// `history`.
#[derive(Debug, Serialize, JsonSchema)]
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
}

/// Something that happened to a dataset.
#[derive(Debug, Serialize, JsonSchema)]
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

impl HistoryDocument {
    #[must_use]
    pub fn of(dataset: &str, closed: bool, events: Vec<HistoryLine>, truncated: bool) -> Self {
        Self { version: VERSION, dataset: dataset.to_owned(), closed, events, truncated }
    }
}
