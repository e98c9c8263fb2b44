//! `guardbee history`: what happened to a dataset.

use guardbee_engine::Viewer;
use guardbee_engine::store::At;
use guardbee_lineage::{AsOf, DatasetState, Graph, Partition, Run, RunIndex, Version, utc};

use super::dataset::Names;
use super::excerpt::Runs;
use super::store::Opened;
use super::viewing::{self, MASKED};
use crate::arguments::{AnswerFormat, DatasetHistory};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::source::{self, NoPolicy};
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::lineage::{HistoryDocument, HistoryLine};

pub async fn history(arguments: &DatasetHistory) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &DatasetHistory) -> Result<Outcome, NoPolicy> {
    let opened = Opened::open(arguments.asked.store.store.as_deref()).await?;
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    let graph = opened.graph();
    let at = arguments.asked.as_of.map_or(AsOf::Now, AsOf::At);
    let names = Names {
        graph: &graph,
        at,
        database: &arguments.asked.database,
        file_system: &policy.settings().default_file_system,
    };
    let viewer = viewing::viewer(&policy, &arguments.asked.viewing)?;
    let errors = Style::for_errors(arguments.appearance.color);
    let Some(node) = viewing::find(&viewer, &names, &arguments.dataset, errors) else {
        return Ok(Outcome::Findings);
    };
    let state = graph.dataset(node.dataset, at);
    let mut events = events(&graph, &state, graph.history(node.dataset, at), &viewer);
    let older = events.len().saturating_sub(arguments.limit);
    events.drain(..older);
    let wanted = events.iter().filter_map(|event| event.run);
    let runs = Runs::fetch(&*opened.storage, &graph, wanted).await?.seen_by(&viewer);
    let lines: Vec<HistoryLine> = events.iter().rev().map(|event| event.line(&graph, &runs)).collect();
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document =
                HistoryDocument::of(&arguments.dataset, state.closed_by.is_some(), lines, older > 0);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => text(Style::for_output(arguments.appearance.color), &state, &lines, older),
    };
    print(&text)?;
    Ok(Outcome::Fine)
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
        let partition = self.partition.iter().map(|(column, value)| match value {
            Some(value) => format!("{column}={value}"),
            None => column.to_string(),
        });
        HistoryLine {
            at: self.run.map(|run| utc::text(graph.run_ended_at(run))),
            version: self.version,
            what: self.what.clone(),
            partition: partition.collect::<Vec<_>>().join("/"),
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
        (true, _) => std::cmp::Ordering::Less,
        (_, true) => std::cmp::Ordering::Greater,
        _ => std::cmp::Ordering::Equal,
    });
    events
}

fn text(style: Style, state: &DatasetState, lines: &[HistoryLine], older: usize) -> String {
    let rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| {
            let at = line.at.as_deref().unwrap_or_default();
            vec![
                line.version.map(|version| version.to_string()).unwrap_or_default(),
                at.chars().take(19).collect::<String>().replacen('T', " ", 1),
                printable(line.user.as_deref().unwrap_or_default()),
                if line.current { style.paint(Paint::Good, &line.what) } else { printable(&line.what) },
                printable(&line.partition),
                printable(line.script.as_deref().unwrap_or_default()),
            ]
        })
        .collect();
    let mut out = if rows.is_empty() {
        "nothing recorded was done to it\n".to_owned()
    } else {
        grid(style, &["version", "at", "by", "what", "partition", "script"], &rows)
    };
    if older > 0 {
        out.push_str(&format!("{}\n", style.paint(Paint::Dim, &format!("and {older} before: see --limit"))));
    }
    if state.predecessor.is_some() {
        out.push_str("another dataset had the name before\n");
    }
    out
}
