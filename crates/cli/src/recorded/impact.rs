//! `guardbee impact`: who would miss a dataset or column.

use guardbee_questions::{ImpactQuestion, MASKED, Moment};
use guardbee_wire::lineage::{DependentLine, ImpactDocument};

use super::asking::{Asking, Tags, answer};
use crate::arguments::Impact;
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::grid;
use crate::render::moment::minute;
use crate::terminal::{Paint, Style, printable};

/// More columns of one dataset are counted, not named.
const MOST_COLUMNS: usize = 6;

pub async fn impact(arguments: &Impact) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Impact) -> Result<Outcome, NoPolicy> {
    let asking =
        Asking::of(Tags::AsSeen, &arguments.asked.home, &arguments.asked.viewing, arguments.appearance)
            .await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    let has_any = !document.dependents.is_empty() || document.reads > 0;
    Ok(if has_any { Outcome::Findings } else { Outcome::Fine })
}

pub(super) fn question(arguments: &Impact) -> ImpactQuestion {
    ImpactQuestion {
        dataset: arguments.dataset.clone(),
        database: arguments.asked.database.clone(),
        as_of: arguments.asked.as_of.map(Moment),
    }
}

fn text(style: Style, document: &ImpactDocument) -> String {
    let mut out = String::new();
    if !document.dependents.is_empty() {
        let rows: Vec<Vec<String>> = document.dependents.iter().map(|line| row(style, line)).collect();
        out.push_str(&grid(style, &["what", "kind", "steps", "how", "last run", "by", "columns"], &rows));
        out.push('\n');
    }
    match document.dependents.len() {
        0 => out.push_str("nothing recorded depends on it\n"),
        1 => out.push_str("1 dataset depends on it\n"),
        count => out.push_str(&format!("{count} datasets depend on it\n")),
    }
    if let Some(run) = &document.last_read {
        let runs = if document.reads == 1 { "1 run".to_owned() } else { format!("{} runs", document.reads) };
        let last = format!("last {} by {}", minute(&run.ended_at), printable(&run.user));
        out.push_str(&format!("{runs} read the dataset, {}\n", style.paint(Paint::Dim, &last)));
    }
    out
}

fn row(style: Style, line: &DependentLine) -> Vec<String> {
    let how = |column| if line.direct && line.indirect.contains(column) { " (decides)" } else { "" };
    let shown = line.columns.iter().take(MOST_COLUMNS);
    let mut columns: Vec<String> =
        shown.map(|column| format!("{}{}", printable(column), how(column))).collect();
    if line.columns.len() > MOST_COLUMNS {
        columns.push(format!("and {} more", line.columns.len() - MOST_COLUMNS));
    }
    let last_run = line.last_run.as_ref();
    vec![
        style.paint(Paint::Name, &printable(line.name.as_deref().unwrap_or(MASKED))),
        printable(&line.kind),
        line.steps.to_string(),
        if line.direct { "values" } else { "decides" }.to_owned(),
        last_run.map(|run| printable(&minute(&run.ended_at))).unwrap_or_default(),
        last_run.map(|run| printable(&run.user)).unwrap_or_default(),
        columns.join(", "),
    ]
}
