//! Where a dataset comes from, or what is made of it.

use guardbee_engine::Problem;
use guardbee_lineage::{
    AsOf, Cursor, DatasetId, EdgeFilter, Level, Limit, Node, Question, Temporaries, Trace, Window,
};
use guardbee_policy::Timestamp;
use guardbee_wire::lineage::TraceDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults::{self, Edges};
use crate::excerpt::{self, Runs};
use crate::ground::{Ground, Unanswered};
use crate::moment::{self, Moment};
use crate::names::Names;

/// Where does a table, column or path come from, and what is made of it?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TraceQuestion {
    /// A table (`db.table`), a column (`db.table.column`), or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// Where it comes from, or what is made of it.
    #[serde(default)]
    pub direction: Direction,
    /// Whole tables, columns, or runs between tables; as the dataset is named unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<TraceLevel>,
    /// How many steps to go at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Which edges to follow: values only, or also what filters, joins, groups and sorts.
    #[serde(default)]
    pub edges: Edges,
    /// What was so at this moment; what is so now unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Moment>,
    /// Only what runs did that ended at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Moment>,
    /// Only what runs did that ended before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
    /// Go no further than these datasets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop: Vec<String>,
    /// Show temporary tables instead of what leads through them.
    #[serde(default)]
    pub temporary: bool,
    /// How many nodes to show at most.
    #[serde(default = "defaults::nodes")]
    pub limit: usize,
    /// Where an answer ended that was cut off: `nodes` of its `cursor`.
    #[serde(default)]
    pub cursor_nodes: usize,
    /// The same for `edges`.
    #[serde(default)]
    pub cursor_edges: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Where it comes from.
    #[default]
    Up,
    /// What is made of it.
    Down,
    Both,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceLevel {
    Table,
    Column,
    Run,
}

impl TraceQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        Self {
            dataset: dataset.to_owned(),
            database: defaults::database(),
            direction: Direction::default(),
            level: None,
            depth: None,
            edges: Edges::default(),
            as_of: None,
            from: None,
            until: None,
            stop: Vec::new(),
            temporary: false,
            limit: defaults::NODES,
            cursor_nodes: 0,
            cursor_edges: 0,
        }
    }
}

/// Everything on the way, in the order in which it is reached.
///
/// # Errors
/// [`Unanswered`].
pub async fn trace(ground: &Ground<'_>, question: &TraceQuestion) -> Result<TraceDocument, Unanswered> {
    let Traced { trace, runs, at } = traced(ground, question).await?;
    let excerpt = excerpt::excerpt(ground.graph, &trace, at, &runs);
    let as_of = question.as_of.map(|Moment(moment)| moment);
    Ok(TraceDocument::of(&excerpt, &trace, question.direction.into(), as_of, &question.dataset))
}

/// An answer in numbers, and the runs that it names.
pub(crate) struct Traced {
    pub trace: Trace,
    pub runs: Runs,
    pub at: AsOf,
}

pub(crate) async fn traced(ground: &Ground<'_>, question: &TraceQuestion) -> Result<Traced, Unanswered> {
    let at = moment::as_of(question.as_of);
    let trace = follow(ground, question, at)?;
    let wanted = excerpt::runs_of(&trace);
    let runs = Runs::fetch(ground.storage, ground.graph, wanted).await?.seen_by(ground.viewer);
    Ok(Traced { trace, runs, at })
}

fn follow(ground: &Ground<'_>, question: &TraceQuestion, at: AsOf) -> Result<Trace, Unanswered> {
    let names = Names::of(ground, at, &question.database);
    let start = names.find_for(ground.viewer, &question.dataset)?;
    let stop = stops(ground, &names, question)?;
    let sees = ground.viewer.visibility(ground.graph, at);
    Ok(ground.graph.trace(&Question { visible: &sees, ..asked(question, at, start, stop) }))
}

/// Where to stop; what the viewer may not know of looks as if it were not there.
fn stops(
    ground: &Ground<'_>,
    names: &Names<'_>,
    question: &TraceQuestion,
) -> Result<Vec<DatasetId>, Unanswered> {
    let stop = |text: &String| {
        let found = names.find_for(ground.viewer, text).map(|node| node.dataset);
        found.map_err(|_| {
            let message = format!("no table, view or path `{text}` to stop at in the recorded runs");
            Unanswered::WrongUse(Problem::new("unknown-stop", message))
        })
    };
    question.stop.iter().map(stop).collect()
}

fn asked(question: &TraceQuestion, at: AsOf, start: Node, stop: Vec<DatasetId>) -> Question<'static> {
    let level = match (question.level, start.column) {
        (Some(TraceLevel::Table), _) | (None, None) => Level::Dataset,
        (Some(TraceLevel::Column), _) | (None, Some(_)) => Level::Column,
        (Some(TraceLevel::Run), _) => Level::Run,
    };
    let moment = |moment: Option<Moment>, open| moment.map_or(Timestamp(open), |Moment(moment)| moment);
    let window = (question.from.is_some() || question.until.is_some())
        .then(|| Window { from: moment(question.from, i64::MIN), until: moment(question.until, i64::MAX) });
    let cursor = Cursor { nodes: question.cursor_nodes, edges: question.cursor_edges };
    Question {
        start: vec![if level == Level::Column { start } else { Node::dataset(start.dataset) }],
        direction: question.direction.into(),
        level,
        depth: question.depth,
        edges: EdgeFilter::from(question.edges),
        as_of: at,
        window,
        stop,
        limit: Limit { nodes: question.limit, edges: question.limit.saturating_mul(10) },
        cursor: (cursor != Cursor::default()).then_some(cursor),
        temporaries: if question.temporary { Temporaries::Show } else { Temporaries::Collapse },
        ..Question::default()
    }
}

impl From<Direction> for guardbee_lineage::Direction {
    fn from(direction: Direction) -> Self {
        match direction {
            Direction::Up => Self::Up,
            Direction::Down => Self::Down,
            Direction::Both => Self::Both,
        }
    }
}
