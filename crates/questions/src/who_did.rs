//! Who read or wrote a dataset or column, and who asked to.

use std::borrow::Cow;

use guardbee_engine::audit::{AuditFilter, ObjectFilter};
use guardbee_lineage::{
    AsOf, DatasetChange, DatasetId, DatasetName, DatasetState, Graph, Node, NodeName, Run, TraceSubject, utc,
};
use guardbee_model::{Name, Timestamp};
use guardbee_wire::audit::{Deed, WhoDidDocument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::audit::{self, Terms, VerdictName, note_reading};
use crate::defaults;
use crate::excerpt::Runs;
use crate::ground::{Ground, Unanswered};
use crate::moment::{Moment, is_between};
use crate::names::Names;

/// So many runs are looked at at once.
const PAGE: usize = 500;

/// Who read or wrote a table, column or path, and who asked to?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhoDidQuestion {
    /// A table (`db.table`), a column (`db.table.column`), or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// Only what this user asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Only what was allowed, or denied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<VerdictName>,
    /// Only what was asked at this moment or later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Moment>,
    /// Only what was asked before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Moment>,
    /// How many of the last runs and records to list.
    #[serde(default = "defaults::records")]
    pub limit: u32,
}

impl WhoDidQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        Self {
            dataset: dataset.to_owned(),
            database: defaults::database(),
            user: None,
            verdict: None,
            from: None,
            until: None,
            limit: defaults::RECORDS,
        }
    }

    fn terms(&self) -> Terms<'_> {
        let Self { user, verdict, from, until, .. } = self;
        Terms { user: user.as_deref(), verdict: *verdict, from: *from, until: *until }
    }
}

/// The runs that touched it and the decisions about it, newest first. What nobody knows, and what the viewer may not know
/// of, nobody touched.
///
/// # Errors
/// [`Unanswered`].
pub async fn who_did(ground: &Ground<'_>, question: &WhoDidQuestion) -> Result<WhoDidDocument, Unanswered> {
    let terms = question.terms();
    let text = format!("{} {}", question.dataset, terms.text(ground));
    let noted = note_reading(ground, "who-did", text.trim()).await?;
    let names = Names::of(ground, AsOf::Now, &question.database);
    let found = names.find_seen(ground.viewer, &question.dataset);
    // What they may not know of looks as if nobody had touched it.
    let is_hidden = found.is_none() && names.find(&question.dataset).is_some();
    let subject = found.and_then(|node| Subject::of(ground.graph, node));
    let deeds = match &subject {
        Some(subject) => deeds(ground, subject, question).await?,
        None => Vec::new(),
    };
    let filter = AuditFilter {
        objects: objects(subject.as_ref(), &question.dataset, &question.database)
            .into_iter()
            .filter(|object| subject.is_some() || ground.viewer.sees_object(&object.name))
            .collect(),
        ..terms.filter()
    };
    let entries = match is_hidden || filter.objects.is_empty() {
        true => Vec::new(),
        false => audit::newest(ground, &filter, noted, question.limit).await?,
    };
    Ok(WhoDidDocument::of(&question.dataset, deeds, &entries, noted.is_none()))
}

/// A dataset under all its names, and the column that is meant.
struct Subject {
    dataset: DatasetId,
    periods: Vec<Period>,
    column: Option<Name>,
}

/// A name for as long as it held, by when runs ended.
struct Period {
    name: DatasetName,
    since: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl Subject {
    fn of(graph: &Graph, node: Node) -> Option<Self> {
        let DatasetState { names, .. } = graph.dataset(node.dataset, AsOf::Now);
        let subject = match node.column {
            Some(column) => TraceSubject::Column(node.dataset, column),
            None => TraceSubject::Dataset(node.dataset),
        };
        let NodeName { column, .. } = graph.name(subject, AsOf::Now)?;
        let periods = names.into_iter().map(|period| Period {
            name: period.name,
            since: period.since.map(|run| graph.run_ended_at(run)),
            until: period.until.map(|run| graph.run_ended_at(run)),
        });
        Some(Self { dataset: node.dataset, periods: periods.collect(), column })
    }

    fn is(&self, dataset: &DatasetName, run: &Run) -> bool {
        self.periods.iter().any(|period| {
            period.name == *dataset
                && period.since.is_none_or(|since| run.ended_at >= since)
                && period.until.is_none_or(|until| run.ended_at <= until)
        })
    }

    /// What a run did with it.
    fn done_by(&self, run: &Run) -> Vec<&'static str> {
        let mut done = Vec::new();
        let is_read = match &self.column {
            None => run.inputs.iter().any(|input| self.is(&input.dataset, run)),
            Some(column) => self.reads_column(run, column),
        };
        if is_read {
            done.push("read");
        }
        let writes = run.targets.iter().filter(|target| self.is(&target.dataset, run));
        let is_written = match &self.column {
            None => writes.count() > 0,
            Some(column) => writes.flat_map(|target| &target.columns).any(|written| written.name == *column),
        };
        if is_written {
            done.push("wrote");
        }
        if self.column.is_none()
            && run.changes.iter().flat_map(DatasetChange::datasets).any(|dataset| self.is(dataset, run))
        {
            done.push("changed");
        }
        done
    }

    fn reads_column(&self, run: &Run, column: &Name) -> bool {
        let is = |dataset: &DatasetName, read: &Name| read == column && self.is(dataset, run);
        run.targets.iter().any(|target| {
            let decides =
                target.influences.iter().chain(target.columns.iter().flat_map(|made| &made.influences));
            let sources = target.columns.iter().flat_map(|made| &made.sources);
            decides.into_iter().any(|found| is(&found.dataset, &found.column))
                || sources.into_iter().any(|found| is(&found.dataset, &found.column))
                || target.whole.iter().any(|whole| self.is(whole, run))
        })
    }
}

/// Runs that touched it, newest first. The graph tells which they may be, so that nothing else is read.
async fn deeds(
    ground: &Ground<'_>,
    subject: &Subject,
    question: &WhoDidQuestion,
) -> Result<Vec<Deed>, Unanswered> {
    // Nothing that was refused has run.
    if question.verdict == Some(VerdictName::Denied) {
        return Ok(Vec::new());
    }
    let mut touching = ground.graph.runs_touching(subject.dataset);
    touching.retain(|run| is_between(ground.graph.run_ended_at(*run), question.from, question.until));
    touching.reverse();
    let mut deeds = Vec::new();
    for page in touching.chunks(PAGE) {
        let runs = Runs::fetch(ground.storage, ground.graph, page.iter().copied()).await?;
        for run in page.iter().filter_map(|run| runs.get(*run)) {
            let did = subject.done_by(run);
            let run = ground.viewer.seen(run.clone());
            // Who ran it is not told by asking for them either.
            let is_known = question.user.as_ref().is_none_or(|user| run.context.user == *user);
            if is_known && !did.is_empty() {
                deeds.push(deed(&run, did));
            }
        }
        if deeds.len() >= question.limit as usize {
            break;
        }
    }
    deeds.truncate(question.limit as usize);
    Ok(deeds)
}

fn deed(run: &Run, did: Vec<&'static str>) -> Deed {
    Deed {
        run: run.key.0.to_string(),
        user: run.context.user.to_string(),
        operation: run.operation.to_string(),
        did: did.into_iter().map(Cow::Borrowed).collect(),
        ended_at: utc::text(run.ended_at),
        script: run.context.script.as_ref().map(ToString::to_string),
    }
}

/// What records of the audit log call it: by all its names, or as it was written where no run knows it.
fn objects(subject: Option<&Subject>, text: &str, database: &str) -> Vec<ObjectFilter> {
    match subject {
        Some(subject) => {
            let column = subject.column.clone();
            let names = subject.periods.iter().map(|period| SmolStr::new(period.name.to_string()));
            names.map(|name| ObjectFilter { name, column: column.clone() }).collect()
        }
        None => {
            let parts: Vec<&str> = text.splitn(3, '.').collect();
            let name = |name: String, column: Option<&str>| ObjectFilter {
                name: SmolStr::new(name),
                column: column.map(Name::fold),
            };
            match parts.as_slice() {
                _ if text.contains('/') => vec![name(text.to_owned(), None)],
                [table] => vec![name(format!("{database}.{table}").to_lowercase(), None)],
                [first, second] => vec![
                    name(format!("{first}.{second}").to_lowercase(), None),
                    name(format!("{database}.{first}").to_lowercase(), Some(second)),
                ],
                [first, second, column] => {
                    vec![name(format!("{first}.{second}").to_lowercase(), Some(column))]
                }
                _ => vec![name(text.to_owned(), None)],
            }
        }
    }
}
