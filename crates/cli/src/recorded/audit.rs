//! `guardbee audit`: who asked for what, what came of it, and whether the log is what was written.

use std::io::{self, IsTerminal as _, Write};

use anyhow::{Context as _, anyhow};
use guardbee_questions::{AuditQuestion, Moment, VerifyQuestion};
use guardbee_wire::audit::{AuditDocument, AuditLine, Touched, VerifyDocument};

use super::asking::{Asking, answer};
use super::audit_pages::RecordPages;
use super::audit_table::AuditTable;
use crate::arguments::{
    self, Appearance, Audit, AuditCommand, AuditExport, AuditList, AuditVerify, LogFormat, Viewing,
};
use crate::exit::Outcome;
use crate::output::{Output, say_warning};
use crate::policy::source::NoPolicy;
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::whole_file::WholeFile;
use crate::wire;

/// More objects of one record are counted, not named.
const MOST_OBJECTS: usize = 8;

pub async fn audit(arguments: &Audit) -> anyhow::Result<Outcome> {
    let (answer, appearance) = match &arguments.command {
        None => (list(&arguments.list).await, arguments.list.appearance),
        Some(AuditCommand::Verify(verify)) => (self::verify(verify).await, verify.appearance),
        Some(AuditCommand::Export(export)) => (self::export(export).await, export.appearance),
    };
    match answer {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(appearance),
    }
}

async fn list(arguments: &AuditList) -> Result<Outcome, NoPolicy> {
    let asking = Asking::of_log(&arguments.home, &arguments.filter.viewing, arguments.appearance).await?;
    let document = asking.ask(&question(arguments)).await?;
    if document.unnoted {
        say_unnoted(arguments.appearance);
    }
    let table = |style, document: &AuditDocument| table(style, &document.records);
    answer(&document, arguments.format, arguments.appearance, table)?;
    Ok(Outcome::Fine)
}

pub(super) fn question(arguments: &AuditList) -> AuditQuestion {
    AuditQuestion { limit: arguments.limit, ..filtered(&arguments.filter) }
}

fn filtered(filter: &arguments::AuditFilter) -> AuditQuestion {
    AuditQuestion {
        user: filter.user.clone(),
        verdict: filter.verdict.map(Into::into),
        from: filter.from.map(Moment),
        until: filter.until.map(Moment),
        ..AuditQuestion::default()
    }
}

/// Says that a log was read which does not say so.
pub fn say_unnoted(appearance: Appearance) {
    let message = "the store cannot be written: that its audit log is read is not in its audit log";
    say_warning(Style::for_errors(appearance.color), message);
}

/// Records for people, newest first.
#[must_use]
pub fn table(style: Style, records: &[AuditLine]) -> String {
    if records.is_empty() {
        return "nothing in the audit log fits\n".to_owned();
    }
    let row = |record: &AuditLine| {
        let paint = if record.verdict == "denied" { Paint::Bad } else { Paint::Good };
        vec![
            record.number.to_string(),
            printable(&record.at),
            printable(&record.user),
            style.paint(paint, &printable(&record.verdict)),
            printable(&record.operation),
            printable(&about(record)),
        ]
    };
    let rows: Vec<Vec<String>> = records.iter().map(row).collect();
    grid(style, &["number", "at", "who", "verdict", "operation", "about"], &rows)
}

/// What is missing says most, then what is touched, then the text.
fn about(record: &AuditLine) -> String {
    if !record.missing.is_empty() {
        return format!("needs {}", record.missing.join(", "));
    }
    if record.verdict == "denied"
        && let Some(reason) = record.reasons.first()
    {
        return reason.clone();
    }
    if record.kind == "read" {
        return record.statement.clone();
    }
    let shown = record.objects.iter().take(MOST_OBJECTS);
    let mut shown: Vec<String> = shown.map(touched).collect();
    if record.objects.len() > MOST_OBJECTS {
        shown.push(format!("{} more", record.objects.len() - MOST_OBJECTS));
    }
    shown.join(", ")
}

fn touched(object: &Touched) -> String {
    match object.columns.is_empty() {
        true => format!("{} {}", object.access, object.name),
        false => format!("{} {} ({})", object.access, object.name, object.columns.join(", ")),
    }
}

async fn verify(arguments: &AuditVerify) -> Result<Outcome, NoPolicy> {
    let asking = Asking::of_log(&arguments.home, &Viewing::default(), arguments.appearance).await?;
    let question = VerifyQuestion { anchor: arguments.anchor.clone() };
    let document = asking.ask(&question).await?;
    if document.unnoted {
        say_unnoted(arguments.appearance);
    }
    answer(&document, arguments.format, arguments.appearance, verdict_text)?;
    Ok(if document.whole { Outcome::Fine } else { Outcome::Findings })
}

fn verdict_text(style: Style, document: &VerifyDocument) -> String {
    if document.whole {
        let count = document.records.unwrap_or_default();
        let records = if count == 1 { "1 record".to_owned() } else { format!("{count} records") };
        let whole = style.paint(Paint::Good, "whole");
        let hash = printable(document.hash.as_deref().unwrap_or_default());
        return format!("the audit log is {whole}: {records}, ending at {count}:{hash}\n");
    }
    let broken = style.paint(Paint::Bad, "broken");
    let at = document.broken_at.unwrap_or_default();
    let reason = printable(document.reason.as_deref().unwrap_or_default());
    format!("the audit log is {broken} at record {at}: {reason}\n")
}

async fn export(arguments: &AuditExport) -> Result<Outcome, NoPolicy> {
    if arguments.format == LogFormat::Parquet && arguments.output.is_none() && io::stdout().is_terminal() {
        let message = "a Parquet file is nothing to read on a terminal: `-o FILE` says where to";
        return Err(NoPolicy::WrongUse(message.to_owned()));
    }
    let asking = Asking::of_log(&arguments.home, &arguments.filter.viewing, arguments.appearance).await?;
    let pages = RecordPages::of(&asking, filtered(&arguments.filter)).await?;
    if pages.is_unnoted() {
        say_unnoted(arguments.appearance);
    }
    match &arguments.output {
        None => {
            let mut output = write(pages, Output::standard(), arguments.format, Output::is_wanted).await?;
            output.finish()?;
        }
        Some(path) => {
            let cannot = || format!("cannot write `{}`", path.display());
            let file = WholeFile::create(path).with_context(cannot)?;
            let file = write(pages, file, arguments.format, |_| true).await.with_context(cannot)?;
            file.keep().with_context(cannot)?;
        }
    }
    Ok(Outcome::Fine)
}

/// Writes all records, for as long as that is of any use; hands back where to.
async fn write<W: Write>(
    mut pages: RecordPages<'_>,
    mut out: W,
    format: LogFormat,
    is_wanted: impl Fn(&W) -> bool,
) -> anyhow::Result<W> {
    if format == LogFormat::Parquet {
        let mut table = AuditTable::new(out)?;
        loop {
            let page = pages.next().await?;
            if page.is_empty() {
                return Ok(table.finish()?);
            }
            page.iter().try_for_each(|record| table.add(record))?;
        }
    }
    loop {
        let page = pages.next().await?;
        if page.is_empty() || !is_wanted(&out) {
            return Ok(out);
        }
        for record in &page {
            let line = wire::line(record).map_err(|error| anyhow!(error))?;
            writeln!(out, "{line}")?;
        }
    }
}
