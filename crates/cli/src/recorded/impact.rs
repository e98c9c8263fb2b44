//! `guardbee impact`: who would miss a dataset or column.

use guardbee_engine::Viewer;
use guardbee_engine::store::At;
use guardbee_lineage::{AsOf, Dependent, Graph, Impact, Run, TraceSubject, utc};

use super::dataset::Names;
use super::excerpt::Runs;
use super::store::Opened;
use super::viewing::{self, MASKED};
use crate::arguments::{self, AnswerFormat};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::source::{self, NoPolicy};
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::lineage::{DependentLine, ImpactDocument, RunLine};

/// More columns of one dataset are counted, not named.
const MOST_COLUMNS: usize = 6;

pub async fn impact(arguments: &arguments::Impact) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &arguments::Impact) -> Result<Outcome, NoPolicy> {
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
    let impact = graph.impact(&node, at);
    let wanted = impact.dependents.iter().map(|dependent| dependent.last_run).chain(impact.last_read);
    let runs = Runs::fetch(&*opened.storage, &graph, wanted).await?.seen_by(&viewer);
    let line = |dependent| line(&graph, at, dependent, &runs, &viewer);
    let lines: Vec<DependentLine> = impact.dependents.iter().filter_map(line).collect();
    let last_read = impact.last_read.and_then(|run| runs.get(run));
    let has_any = !lines.is_empty() || impact.reads > 0;
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document =
                ImpactDocument::of(&arguments.dataset, impact.reads, last_read.map(RunLine::of), lines);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            text(style, &impact, &lines, last_read)
        }
    };
    print(&text)?;
    Ok(if has_any { Outcome::Findings } else { Outcome::Fine })
}

fn line(
    graph: &Graph,
    at: AsOf,
    dependent: &Dependent,
    runs: &Runs,
    viewer: &Viewer,
) -> Option<DependentLine> {
    let name = viewer.name(&graph.name(TraceSubject::Dataset(dependent.dataset), at)?);
    let column = |id| graph.name(TraceSubject::Column(dependent.dataset, id), at)?.column;
    let columns = dependent.columns.iter().copied().filter(|_| name.is_some()).filter_map(column);
    Some(DependentLine {
        kind: if name.is_some() { dependent.kind.as_str() } else { "masked" },
        columns: columns.map(|column| column.to_string()).collect(),
        name,
        steps: dependent.depth,
        direct: dependent.direct,
        last_run: runs.get(dependent.last_run).map(RunLine::of),
    })
}

fn text(style: Style, impact: &Impact, lines: &[DependentLine], last_read: Option<&Run>) -> String {
    let mut out = String::new();
    if !lines.is_empty() {
        let rows: Vec<Vec<String>> = lines.iter().map(|line| row(style, line)).collect();
        out.push_str(&grid(style, &["what", "kind", "steps", "how", "last run", "by", "columns"], &rows));
        out.push('\n');
    }
    match lines.len() {
        0 => out.push_str("nothing recorded depends on it\n"),
        1 => out.push_str("1 dataset depends on it\n"),
        count => out.push_str(&format!("{count} datasets depend on it\n")),
    }
    if let Some(run) = last_read {
        let runs = if impact.reads == 1 { "1 run".to_owned() } else { format!("{} runs", impact.reads) };
        let last = format!("last {} by {}", moment(run), printable(&run.context.user));
        out.push_str(&format!("{runs} read the dataset, {}\n", style.paint(Paint::Dim, &last)));
    }
    out
}

fn row(style: Style, line: &DependentLine) -> Vec<String> {
    let mut columns: Vec<String> =
        line.columns.iter().take(MOST_COLUMNS).map(|column| printable(column)).collect();
    if line.columns.len() > MOST_COLUMNS {
        columns.push(format!("and {} more", line.columns.len() - MOST_COLUMNS));
    }
    let (at, by) = line.last_run.as_ref().map_or_else(Default::default, |run| {
        (run.ended_at.chars().take(16).collect::<String>().replacen('T', " ", 1), printable(&run.user))
    });
    vec![
        style.paint(Paint::Name, &printable(line.name.as_deref().unwrap_or(MASKED))),
        line.kind.to_owned(),
        line.steps.to_string(),
        if line.direct { "values" } else { "decides" }.to_owned(),
        at,
        by,
        columns.join(", "),
    ]
}

fn moment(run: &Run) -> String {
    utc::text(run.ended_at).chars().take(16).collect::<String>().replacen('T', " ", 1)
}
