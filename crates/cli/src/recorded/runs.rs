//! `guardbee runs`: which runs are recorded, and what one of them did.

use std::fmt::Write as _;

use guardbee_questions::{MASKED, Moment, RunQuestion, RunsQuestion};
use guardbee_wire::runs::{ListedRun, RunChange, RunColumn, RunDocument, RunSource, RunTarget, RunsDocument};

use super::asking::{Asking, Tags, answer};
use crate::arguments::{Appearance, Runs, RunsCommand, RunsList, RunsShow};
use crate::exit::Outcome;
use crate::policy::source::NoPolicy;
use crate::render::grid::{facts, goes_on, grid};
use crate::render::moment::second;
use crate::terminal::{Paint, Style, printable};

/// More sources of one column are counted, not named.
const MOST_SOURCES: usize = 8;

pub async fn runs(arguments: &Runs) -> anyhow::Result<Outcome> {
    let (answer, appearance): (_, Appearance) = match &arguments.command {
        None => (list(&arguments.list).await, arguments.list.appearance),
        Some(RunsCommand::Show(arguments)) => (show(arguments).await, arguments.appearance),
    };
    match answer {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(appearance),
    }
}

async fn list(arguments: &RunsList) -> Result<Outcome, NoPolicy> {
    let asking = Asking::of(Tags::AsSeen, &arguments.home, &arguments.viewing, arguments.appearance).await?;
    let document = asking.ask(&question(arguments)).await?;
    answer(&document, arguments.format, arguments.appearance, table)?;
    Ok(if document.runs.is_empty() { Outcome::Findings } else { Outcome::Fine })
}

pub(super) fn question(arguments: &RunsList) -> RunsQuestion {
    RunsQuestion {
        user: arguments.user.clone(),
        operation: arguments.operation.clone(),
        dataset: arguments.dataset.clone(),
        database: arguments.database.clone(),
        from: arguments.from.map(Moment),
        until: arguments.until.map(Moment),
        cursor: arguments.page.cursor.clone(),
        limit: arguments.page.limit,
    }
}

fn table(style: Style, document: &RunsDocument) -> String {
    let row = |listed: &ListedRun| {
        let user = if listed.run.user.is_empty() && listed.partial { MASKED } else { &listed.run.user };
        let outputs = listed.outputs.join(", ");
        let arrow = if outputs.is_empty() || listed.inputs.is_empty() { "" } else { " <- " };
        vec![
            printable(&second(&listed.run.ended_at)),
            printable(user),
            printable(&listed.run.operation),
            printable(&listed.run.key),
            printable(&format!("{outputs}{arrow}{}", listed.inputs.join(", "))),
        ]
    };
    let mut out = match document.runs.as_slice() {
        [] => "no recorded run fits\n".to_owned(),
        runs => {
            let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
            grid(style, &["at", "who", "operation", "key", "what"], &rows)
        }
    };
    out.push_str(&goes_on(style, document.next.as_deref()));
    out
}

async fn show(arguments: &RunsShow) -> Result<Outcome, NoPolicy> {
    let asking = Asking::of(Tags::AsSeen, &arguments.home, &arguments.viewing, arguments.appearance).await?;
    let document = asking.ask(&RunQuestion { key: arguments.key.clone() }).await?;
    answer(&document, arguments.format, arguments.appearance, text)?;
    Ok(Outcome::Fine)
}

fn text(style: Style, document: &RunDocument) -> String {
    let mut out = head(style, document);
    for input in &document.inputs {
        let partitions = input.partitions.join(", ");
        let through = match input.through.as_slice() {
            [] => String::new(),
            views => format!("  through {}", views.join(", ")),
        };
        let line = printable(&format!("{} {partitions}{through}", input.dataset));
        let _ = writeln!(out, "reads  {}", line.trim_end());
    }
    for change in &document.changes {
        let _ = writeln!(out, "{}", printable(&change_text(change)));
    }
    for target in &document.targets {
        out.push_str(&target_text(style, target));
    }
    if document.partial {
        let _ = writeln!(out, "{}", style.paint(Paint::Dim, "it touched what may not be known of, too"));
    }
    let statement = document.run.statement.trim();
    if !statement.is_empty() {
        let _ = writeln!(out, "\n{}", statement.lines().map(printable).collect::<Vec<_>>().join("\n"));
    }
    out
}

fn head(style: Style, document: &RunDocument) -> String {
    let run = &document.run;
    let known = |value: &Option<String>| value.clone();
    let listed = |values: &[String]| (!values.is_empty()).then(|| values.join(", "));
    let user = Some(run.user.clone()).filter(|user| !user.is_empty());
    let lines = [
        ("started", run.started_at.as_deref().map(second)),
        ("ended", Some(second(&run.ended_at))),
        ("user", user),
        ("acting for", known(&document.impersonated)),
        ("groups", listed(&document.groups)),
        ("roles", listed(&document.roles)),
        ("origin", Some(run.origin.to_string())),
        ("script", known(&run.script)),
        ("job", known(&run.job)),
        ("purpose", known(&run.purpose)),
        ("application", known(&document.application)),
        ("part of", known(&document.parent_run)),
        ("engine", known(&document.engine)),
        ("version", known(&document.engine_version)),
        ("query id", known(&document.query_id)),
        ("session", known(&document.session)),
        ("cluster", known(&document.cluster)),
        ("host", known(&document.host)),
        ("client", known(&document.client_address)),
        ("rows written", document.rows_written.map(|rows| rows.to_string())),
        ("bytes written", document.bytes_written.map(|bytes| bytes.to_string())),
    ];
    let mut out =
        format!("{}  {}\n", style.paint(Paint::Name, &printable(&run.key)), printable(&run.operation));
    out.push_str(&facts(style, lines.map(|(heading, line)| (heading, line.map(|line| printable(&line))))));
    out.push('\n');
    out
}

fn change_text(change: &RunChange) -> String {
    let part = change.part.as_deref().map(|part| format!(" ({part})")).unwrap_or_default();
    let to = change.to.as_deref().map(|to| format!(" to {to}")).unwrap_or_default();
    format!("{}  {}{part}{to}", change.change.replace('_', " "), change.dataset)
}

fn target_text(style: Style, target: &RunTarget) -> String {
    let name = target.dataset.as_deref().unwrap_or("(the client)");
    let name = style.paint(Paint::Name, &printable(name));
    let mut out = format!("{}  {name}  {}", target.write, printable(&target.partition)).trim_end().to_owned();
    out.push('\n');
    let row = |column: &RunColumn| {
        vec![
            format!("  {}", printable(&column.name)),
            column.kind.to_lowercase(),
            sources_text(&column.sources),
        ]
    };
    let rows: Vec<Vec<String>> = target.columns.iter().map(row).collect();
    if !rows.is_empty() {
        out.push_str(&grid(style, &["  column", "kind", "from"], &rows));
    }
    if !target.whole.is_empty() {
        let _ = writeln!(out, "  whole of {}", printable(&target.whole.join(", ")));
    }
    if !target.influences.is_empty() {
        let _ = writeln!(out, "  rows by {}", sources_text(&target.influences));
    }
    out
}

fn sources_text(sources: &[RunSource]) -> String {
    let name = |source: &RunSource| {
        let mark = if source.unresolved { "?" } else { "" };
        format!("{}.{}{mark}", source.dataset, source.column)
    };
    let mut names: Vec<String> = sources.iter().take(MOST_SOURCES).map(name).collect();
    names.dedup();
    if sources.len() > MOST_SOURCES {
        names.push(format!("{} more", sources.len() - MOST_SOURCES));
    }
    printable(&names.join(", "))
}
