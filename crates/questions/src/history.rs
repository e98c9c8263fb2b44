//! What happened to a dataset.

use std::cmp::Ordering;

use guardbee_engine::Viewer;
use guardbee_lineage::{DatasetState, Graph, Partition, Run, RunIndex, Version, utc};
use guardbee_wire::lineage::{HistoryDocument, HistoryLine, VERSION};
use guardbee_wire::runs::partition_text;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults;
use crate::excerpt::Runs;
use crate::ground::{Ground, Unanswered};
use crate::moment::{self, Moment};
use crate::names::{MASKED, Names};

/// What happened to a table or path?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HistoryQuestion {
    /// A table (`db.table`) or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// What was so at this moment; what is so now unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Moment>,
    /// How many of the last events to list.
    #[serde(default = "defaults::records")]
    pub limit: u32,
}

impl HistoryQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        let (dataset, database) = (dataset.to_owned(), defaults::database());
        Self { dataset, database, as_of: None, limit: defaults::RECORDS }
    }
}

/// Every write, rename and drop, newest first.
///
/// # Errors
/// [`Unanswered`].
pub async fn history(ground: &Ground<'_>, question: &HistoryQuestion) -> Result<HistoryDocument, Unanswered> {
    let graph = ground.graph;
    let at = moment::as_of(question.as_of);
    let names = Names::of(ground, at, &question.database);
    let node = names.find_for(ground.viewer, &question.dataset)?;
    let state = graph.dataset(node.dataset, at);
    let mut events = events(graph, &state, graph.history(node.dataset, at), ground.viewer);
    let older = events.len().saturating_sub(question.limit as usize);
    events.drain(..older);
    let wanted = events.iter().filter_map(|event| event.run);
    let runs = Runs::fetch(ground.storage, graph, wanted).await?.seen_by(ground.viewer);
    Ok(HistoryDocument {
        version: VERSION,
        dataset: question.dataset.clone(),
        closed: state.closed_by.is_some(),
        events: events.iter().rev().map(|event| event.line(graph, &runs)).collect(),
        truncated: older > 0,
        older,
        predecessor: state.predecessor.is_some(),
    })
}

/// Something that happened to a dataset.
struct Event {
    run: Option<RunIndex>,
    what: String,
    version: Option<u32>,
    partition: Partition,
    is_current: bool,
}

impl Event {
    fn of_identity(run: Option<RunIndex>, what: String) -> Self {
        Self { run, what, version: None, partition: Partition::new(), is_current: false }
    }

    fn line(&self, graph: &Graph, runs: &Runs) -> HistoryLine {
        let run: Option<&Run> = self.run.and_then(|run| runs.get(run));
        HistoryLine {
            at: self.run.map(|run| utc::text(graph.run_ended_at(run))),
            version: self.version,
            what: self.what.clone(),
            partition: partition_text(&self.partition),
            current: self.is_current,
            run: self.run.map(|run| graph.run_key(run).0.to_string()),
            operation: self.run.map(|run| graph.run_operation(run).to_string()),
            user: run.map(|run| run.context.user.to_string()),
            script: run.and_then(|run| run.context.script.as_ref()).map(ToString::to_string),
        }
    }
}

/// Writes, names and the end, in order of time.
fn events(graph: &Graph, state: &DatasetState, versions: Vec<Version>, viewer: &Viewer) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    for (place, period) in state.names.iter().enumerate() {
        if let Some(since) = period.since {
            let what = match (place, viewer.sees(&period.name)) {
                (0, _) => "made".to_owned(),
                (_, true) => format!("renamed to {}", period.name),
                (_, false) => format!("renamed to {MASKED}"),
            };
            events.push(Event::of_identity(Some(since), what));
        }
    }
    events.extend(versions.into_iter().map(|version| Event {
        run: Some(version.run),
        what: version.act.as_str().to_owned(),
        version: Some(version.number),
        partition: version.partition,
        is_current: version.current,
    }));
    events.extend(state.closed_by.map(|run| Event::of_identity(Some(run), "dropped".to_owned())));
    let is_before = |one: &Event, other: &Event| match (one.run, other.run) {
        (Some(one), Some(other)) if one != other => graph.is_run_before(one, other),
        _ => false,
    };
    // A run makes a dataset before it writes it.
    events.sort_by(|one, other| match (is_before(one, other), is_before(other, one)) {
        (true, _) => Ordering::Less,
        (_, true) => Ordering::Greater,
        _ => Ordering::Equal,
    });
    events
}
