//! `guardbee who-did`: who read or wrote a dataset or column, and who asked to.

use anyhow::Context as _;
use guardbee_engine::Viewer;
use guardbee_engine::audit::ObjectFilter;
use guardbee_engine::run_store::{RunFilter, RunPlace};
use guardbee_engine::store::At;
use guardbee_lineage::{
    AsOf, DatasetName, DatasetState, Graph, Node, NodeName, Run, TraceSubject, Visibility, utc,
};
use guardbee_model::{Name, Timestamp};
use smol_str::SmolStr;

use super::audit;
use super::dataset::Names;
use super::store::Opened;
use super::trail::note_reading;
use super::viewing;
use crate::arguments::{AnswerFormat, WhoDid};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::source::{self, NoPolicy};
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::audit::{Deed, WhoDidDocument};

/// So many runs are looked at at once.
const PAGE: u32 = 1000;

pub async fn who_did(arguments: &WhoDid) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &WhoDid) -> Result<Outcome, NoPolicy> {
    let opened = Opened::open(arguments.store.store.as_deref()).await?;
    let errors = Style::for_errors(arguments.appearance.color);
    let question = format!("{} {}", arguments.dataset, audit::question(&arguments.filter));
    let noted = note_reading(&*opened.storage, "who-did", question.trim(), errors).await?;
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let graph = opened.graph();
    let names = Names {
        graph: &graph,
        at: AsOf::Now,
        database: &arguments.database,
        file_system: &policy.settings().default_file_system,
    };
    let viewer = viewing::viewer(&policy, &arguments.filter.viewing)?;
    let found = names.find(&arguments.dataset);
    let sees = viewer.visibility(&graph, AsOf::Now);
    // What they may not know of looks as if nobody had touched it.
    let is_hidden = found.is_some_and(|node| sees(node.dataset) == Visibility::Masked);
    let subject = found.filter(|_| !is_hidden).and_then(|node| Subject::of(&graph, node));
    let deeds = match &subject {
        Some(subject) => deeds(&opened, subject, arguments, &viewer).await?,
        None => Vec::new(),
    };
    let filter = guardbee_engine::audit::AuditFilter {
        objects: objects(subject.as_ref(), &arguments.dataset, &arguments.database)
            .into_iter()
            .filter(|object| subject.is_some() || viewer.sees_object(&object.name))
            .collect(),
        ..audit::filter(&arguments.filter)
    };
    let entries = match is_hidden || filter.objects.is_empty() {
        true => Vec::new(),
        false => audit::read(&*opened.storage, &filter, noted, arguments.limit, &viewer).await?,
    };
    let has_any = !deeds.is_empty() || !entries.is_empty();
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document = WhoDidDocument::of(&arguments.dataset, deeds, &entries);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            let asked = match entries.is_empty() {
                true => String::new(),
                false => {
                    let heading = style.paint(Paint::Heading, "Decisions");
                    format!("\n{heading}\n{}", audit::table(style, &entries))
                }
            };
            runs_text(style, &deeds) + &asked
        }
    };
    print(&text)?;
    Ok(if has_any { Outcome::Fine } else { Outcome::Findings })
}

/// A dataset under all its names, and the column that is meant.
struct Subject {
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
        Some(Self { periods: periods.collect(), column })
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
        if self.column.is_none() && run.changes.iter().any(|change| self.is_changed(change, run)) {
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

    fn is_changed(&self, change: &guardbee_lineage::DatasetChange, run: &Run) -> bool {
        use guardbee_lineage::DatasetChange as Change;
        match change {
            Change::Create { dataset, .. }
            | Change::Ensure { dataset, .. }
            | Change::Drop { dataset }
            | Change::RenameColumn { dataset, .. }
            | Change::DropColumn { dataset, .. }
            | Change::DropPartition { dataset, .. } => self.is(dataset, run),
            Change::Rename { from, to } | Change::MovePartition { from, to, .. } => {
                self.is(from, run) || self.is(to, run)
            }
        }
    }
}

/// Runs that touched it, newest first.
async fn deeds(
    opened: &Opened,
    subject: &Subject,
    arguments: &WhoDid,
    viewer: &Viewer,
) -> anyhow::Result<Vec<Deed>> {
    let filter = RunFilter {
        user: arguments.filter.user.as_deref().map(SmolStr::new),
        operation: None,
        from: arguments.filter.from,
        until: arguments.filter.until,
    };
    let mut deeds = Vec::new();
    let mut behind: Option<RunPlace> = None;
    // Nothing that was refused has run.
    let is_asked = arguments.filter.verdict != Some(crate::arguments::VerdictName::Denied);
    while is_asked && deeds.len() < arguments.limit as usize {
        let page = opened.storage.find_runs(&filter, behind, PAGE).await;
        let page = page.context("cannot read the recorded runs")?;
        let Some(last) = page.last() else { break };
        behind = Some(RunPlace { ended_at: last.run.ended_at, seq: last.seq });
        for stored in page {
            let did = subject.done_by(&stored.run);
            if !did.is_empty() {
                deeds.push(deed(&viewer.seen(stored.run), did));
            }
        }
    }
    deeds.truncate(arguments.limit as usize);
    Ok(deeds)
}

fn deed(run: &Run, did: Vec<&'static str>) -> Deed {
    Deed {
        run: run.key.0.to_string(),
        user: run.context.user.to_string(),
        operation: run.operation.to_string(),
        did,
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

fn runs_text(style: Style, deeds: &[Deed]) -> String {
    if deeds.is_empty() {
        return "no recorded run touched it\n".to_owned();
    }
    let rows: Vec<Vec<String>> = deeds
        .iter()
        .map(|deed| {
            vec![
                deed.ended_at.chars().take(19).collect::<String>().replacen('T', " ", 1),
                printable(&deed.user),
                deed.did.join(", "),
                printable(&deed.operation),
                printable(deed.script.as_deref().unwrap_or_default()),
            ]
        })
        .collect();
    let heading = style.paint(Paint::Heading, "Runs");
    format!("{heading}\n{}", grid(style, &["at", "who", "did", "operation", "script"], &rows))
}
