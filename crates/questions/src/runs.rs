//! Which runs are recorded, and what one of them did?

use guardbee_engine::run_store::{RunFilter, RunPlace, RunSeq, StoredRun};
use guardbee_engine::{Problem, Viewer};
use guardbee_lineage::{AsOf, DatasetId, Graph, Run, RunIndex, RunKey};
use guardbee_policy::Timestamp;
use guardbee_wire::runs::{RunDocument, RunsDocument, SeenRun};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::defaults;
use crate::excerpt::Runs;
use crate::ground::{Ground, READ_RUNS, Unanswered};
use crate::moment::{Moment, is_between};
use crate::names::Names;

/// However many are asked for.
const MOST: usize = 1000;
/// So many are read at once by who does not see all of them, and so many times for one answer.
const PAGE: u32 = 500;
const MOST_PAGES: usize = 40;

/// Which runs are recorded? Those that failed or were denied are in the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunsQuestion {
    /// Only those of this user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Only those of Hive's operation type, such as `QUERY` or `CREATETABLE_AS_SELECT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Only those that read, wrote or changed this table, view or path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// Only those that ended at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Moment>,
    /// Only those that ended before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
    /// The `next` of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// How many to list, 1000 at most.
    #[serde(default = "defaults::records")]
    pub limit: u32,
}

impl Default for RunsQuestion {
    fn default() -> Self {
        Self {
            user: None,
            operation: None,
            dataset: None,
            database: defaults::database(),
            from: None,
            until: None,
            cursor: None,
            limit: defaults::RECORDS,
        }
    }
}

/// What did one run do?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RunQuestion {
    pub key: String,
}

/// The runs that fit, newest first. One that touched nothing the viewer may know of is not among them, unless it is theirs.
///
/// # Errors
/// [`Unanswered`].
pub async fn runs(ground: &Ground<'_>, question: &RunsQuestion) -> Result<RunsDocument, Unanswered> {
    let mut listing = Listing::new(ground.viewer, question);
    let next = match &question.dataset {
        None => listing.take_all(ground, question).await?,
        Some(dataset) => listing.take_those_of(ground, question, dataset).await?,
    };
    Ok(RunsDocument::of(&listing.runs, next))
}

/// One run, as the viewer may see it.
///
/// # Errors
/// [`Unanswered::NotFound`] where nobody knows the key, the run is forgotten, or the viewer may not know of it.
pub async fn run(ground: &Ground<'_>, question: &RunQuestion) -> Result<RunDocument, Unanswered> {
    let key = RunKey(SmolStr::new(&question.key));
    let stored = ground.storage.runs_by_key(&[key]).await.map_err(Unanswered::store(READ_RUNS))?;
    let found = stored.into_iter().next().and_then(|stored| seen(ground.viewer, stored.run));
    found.as_ref().map(RunDocument::of).ok_or_else(|| {
        let message = format!("no recorded run has the key `{}`", question.key);
        Unanswered::NotFound(Problem::new("unknown-run", message))
    })
}

fn seen(viewer: &Viewer, run: Run) -> Option<SeenRun> {
    if viewer.sees_everything() {
        return Some(SeenRun { run, partial: false });
    }
    viewer.sees_run(&run).then(|| {
        let seen = viewer.seen(run.clone());
        SeenRun { partial: seen != run, run: seen }
    })
}

/// A page as it fills.
struct Listing<'l> {
    viewer: &'l Viewer,
    user: Option<&'l str>,
    limit: usize,
    runs: Vec<SeenRun>,
}

impl<'l> Listing<'l> {
    fn new(viewer: &'l Viewer, question: &'l RunsQuestion) -> Self {
        let limit = (question.limit as usize).min(MOST);
        Self { viewer, user: question.user.as_deref(), limit, runs: Vec::new() }
    }

    /// Takes a run that belongs on the page; false where the page is full, and there is more.
    fn take(&mut self, run: Run) -> bool {
        let Some(seen) = seen(self.viewer, run) else { return true };
        // Who ran it is not told by asking for them either.
        if self.user.is_some_and(|user| seen.run.context.user != user) {
            return true;
        }
        if self.runs.len() == self.limit {
            return false;
        }
        self.runs.push(seen);
        true
    }

    async fn take_all(
        &mut self,
        ground: &Ground<'_>,
        question: &RunsQuestion,
    ) -> Result<Option<String>, Unanswered> {
        let filter = RunFilter {
            user: question.user.as_deref().map(SmolStr::new),
            operation: question.operation.as_deref().map(SmolStr::new),
            from: question.from.map(|Moment(moment)| moment),
            until: question.until.map(|Moment(moment)| moment),
        };
        let mut behind = question.cursor.as_deref().map(place).transpose()?;
        let page_size = match self.viewer.sees_everything() {
            true => u32::try_from(self.limit + 1).unwrap_or(PAGE),
            false => PAGE,
        };
        for _ in 0..MOST_PAGES {
            let page = ground.storage.find_runs(&filter, behind, page_size).await;
            let page = page.map_err(Unanswered::store(READ_RUNS))?;
            let is_last = page.len() < page_size as usize;
            for StoredRun { seq, run } in page {
                let this = RunPlace { ended_at: run.ended_at, seq };
                if !self.take(run) {
                    return Ok(behind.map(place_text));
                }
                behind = Some(this);
            }
            if is_last {
                return Ok(None);
            }
        }
        Ok(behind.map(place_text))
    }

    /// The graph knows which runs touched a dataset, whatever it was called.
    async fn take_those_of(
        &mut self,
        ground: &Ground<'_>,
        question: &RunsQuestion,
        dataset: &str,
    ) -> Result<Option<String>, Unanswered> {
        let graph = ground.graph;
        let names = Names::of(ground, AsOf::Now, &question.database);
        let node = names.find_for(ground.viewer, dataset)?;
        let mut touched = touched(graph, node.dataset);
        if let Some(cursor) = &question.cursor {
            let key = RunKey(SmolStr::new(cursor));
            let last = graph.run_of_key(&key).ok_or_else(|| Unanswered::wrong_cursor(cursor))?;
            touched.retain(|run| graph.is_run_before(*run, last));
        }
        touched.retain(|run| is_meant(graph, question, *run));
        let mut last: Option<RunIndex> = None;
        for page in touched.chunks(PAGE as usize).take(MOST_PAGES) {
            let runs = Runs::fetch(ground.storage, graph, page.iter().copied()).await?;
            for index in page {
                if let Some(run) = runs.get(*index)
                    && !self.take(run.clone())
                {
                    return Ok(last.map(|run| run_text(graph, run)));
                }
                last = Some(*index);
            }
        }
        let is_all = touched.len() <= PAGE as usize * MOST_PAGES;
        Ok(last.filter(|_| !is_all).map(|run| run_text(graph, run)))
    }
}

fn is_meant(graph: &Graph, question: &RunsQuestion, run: RunIndex) -> bool {
    is_between(graph.run_ended_at(run), question.from, question.until)
        && question.operation.as_deref().is_none_or(|operation| graph.run_operation(run) == operation)
}

/// The runs that read, wrote or changed a dataset, newest first.
fn touched(graph: &Graph, dataset: DatasetId) -> Vec<RunIndex> {
    let state = graph.dataset(dataset, AsOf::Now);
    let renamed = state.names.iter().flat_map(|period| [period.since, period.until]).flatten();
    let written = graph.history(dataset, AsOf::Now).into_iter().map(|version| version.run);
    let mut runs: Vec<RunIndex> =
        graph.readers(dataset).into_iter().chain(written).chain(renamed).chain(state.closed_by).collect();
    runs.sort_by(|one, other| match (graph.is_run_before(*one, *other), one == other) {
        (_, true) => std::cmp::Ordering::Equal,
        (true, false) => std::cmp::Ordering::Greater,
        (false, false) => std::cmp::Ordering::Less,
    });
    runs.dedup();
    runs
}

fn run_text(graph: &Graph, run: RunIndex) -> String {
    graph.run_key(run).0.to_string()
}

fn place_text(place: RunPlace) -> String {
    format!("{}:{}", place.ended_at.0, place.seq.0)
}

fn place(text: &str) -> Result<RunPlace, Unanswered> {
    let read = text.split_once(':').and_then(|(ended, seq)| {
        Some(RunPlace { ended_at: Timestamp(ended.parse().ok()?), seq: RunSeq(seq.parse().ok()?) })
    });
    read.ok_or_else(|| Unanswered::wrong_cursor(text))
}
