//! `guardbee audit`: who asked for what, what came of it, and whether the log is what was written.

use std::io::{self, IsTerminal as _, Write};

use anyhow::{Context as _, anyhow};
use guardbee_engine::Viewer;
use guardbee_engine::audit::{
    AuditCursor, AuditEntry, AuditFilter, AuditHash, AuditHead, AuditKind, AuditRecord, AuditSeq,
    AuditVerdict, Verdict,
};
use guardbee_engine::store::{At, Storage};
use guardbee_lineage::utc;
use guardbee_policy::Policy;
use smol_str::SmolStr;

use super::audit_table::AuditTable;
use super::store;
use super::trail::note_reading;
use super::viewing;
use crate::arguments::{
    self, AnswerFormat, Audit, AuditCommand, AuditExport, AuditList, AuditVerify, LogFormat, VerdictName,
};
use crate::exit::Outcome;
use crate::output::{Output, print};
use crate::policy::source::{self, NoPolicy};
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::whole_file::WholeFile;
use crate::wire;
use crate::wire::audit::{AuditDocument, AuditLine, VerifyDocument};

/// So many records are read at once.
const PAGE: u32 = 1000;
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
    let storage = source::open(&store::named(arguments.store.store.as_deref())?).await?;
    let filter = filter(&arguments.filter);
    let errors = Style::for_errors(arguments.appearance.color);
    let question = question(&arguments.filter);
    let noted = note_reading(&*storage, "audit", &question, errors).await?;
    let viewer = viewer(&*storage, &arguments.filter).await?;
    let entries = read(&*storage, &filter, noted, arguments.limit, &viewer).await?;
    match arguments.format {
        AnswerFormat::Json => {
            print(&(wire::pretty(&AuditDocument::of(&entries)).map_err(anyhow::Error::new)? + "\n"))?
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            print(&table(style, &entries))?;
        }
    }
    Ok(Outcome::Fine)
}

/// The newest records that fit as somebody may see them, up to the one that says that they are [read](note_reading).
///
/// # Errors
/// What the store says.
pub async fn read(
    storage: &dyn Storage,
    filter: &AuditFilter,
    noted: Option<AuditSeq>,
    limit: u32,
    viewer: &Viewer,
) -> anyhow::Result<Vec<AuditEntry>> {
    let cursor = noted.map_or(AuditCursor::Newest, AuditCursor::Before);
    let entries = storage.read_audit(filter, cursor, limit).await.context("cannot read the audit log")?;
    Ok(entries.into_iter().map(|entry| viewer.seen_record(entry)).collect())
}

async fn viewer(storage: &dyn Storage, arguments: &arguments::AuditFilter) -> Result<Viewer, NoPolicy> {
    let policy = match arguments.viewing.viewer {
        Some(_) => source::from_store(storage, At::Latest).await?.policy,
        None => Policy::new(),
    };
    Ok(viewing::viewer(&policy, &arguments.viewing)?)
}

/// Records for people, newest first.
#[must_use]
pub fn table(style: Style, entries: &[AuditEntry]) -> String {
    if entries.is_empty() {
        return "nothing in the audit log fits\n".to_owned();
    }
    let rows: Vec<Vec<String>> = entries
        .iter()
        .map(|entry| {
            let record = &entry.record;
            let paint = match record.verdict {
                Verdict::Allowed => Paint::Good,
                Verdict::Denied => Paint::Bad,
            };
            vec![
                entry.seq.0.to_string(),
                utc::text(record.at),
                printable(&record.actor),
                style.paint(paint, record.verdict.as_str()),
                printable(&record.operation),
                printable(&about(record)),
            ]
        })
        .collect();
    grid(style, &["number", "at", "who", "verdict", "operation", "about"], &rows)
}

/// What is missing says most, then what is touched, then the text.
fn about(record: &AuditRecord) -> String {
    if !record.missing.is_empty() {
        return format!("needs {}", record.missing.join(", "));
    }
    if record.verdict == Verdict::Denied
        && let Some(reason) = record.reasons.first()
    {
        return reason.to_string();
    }
    if record.kind == AuditKind::Read {
        return record.statement.to_string();
    }
    let shown = record.objects.iter().take(MOST_OBJECTS).map(|object| match object.columns.is_empty() {
        true => format!("{} {}", object.access, object.name),
        false => {
            let columns: Vec<&str> = object.columns.iter().map(guardbee_model::Name::as_str).collect();
            format!("{} {} ({})", object.access, object.name, columns.join(", "))
        }
    });
    let mut shown: Vec<String> = shown.collect();
    if record.objects.len() > MOST_OBJECTS {
        shown.push(format!("{} more", record.objects.len() - MOST_OBJECTS));
    }
    shown.join(", ")
}

async fn verify(arguments: &AuditVerify) -> Result<Outcome, NoPolicy> {
    let storage = source::open(&store::named(arguments.store.store.as_deref())?).await?;
    let anchor = arguments.anchor.as_deref().map(self::anchor).transpose()?;
    let errors = Style::for_errors(arguments.appearance.color);
    note_reading(&*storage, "audit verify", arguments.anchor.as_deref().unwrap_or_default(), errors).await?;
    let verdict = storage.verify_audit(anchor).await.context("cannot read the audit log")?;
    match arguments.format {
        AnswerFormat::Json => {
            print(&(wire::pretty(&VerifyDocument::of(&verdict)).map_err(anyhow::Error::new)? + "\n"))?
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            print(&verdict_text(style, &verdict))?;
        }
    }
    Ok(match verdict {
        AuditVerdict::Verified { .. } => Outcome::Fine,
        AuditVerdict::Broken { .. } => Outcome::Findings,
    })
}

fn verdict_text(style: Style, verdict: &AuditVerdict) -> String {
    match verdict {
        AuditVerdict::Verified { count, head } => {
            let records = if *count == 1 { "1 record".to_owned() } else { format!("{count} records") };
            let whole = style.paint(Paint::Good, "whole");
            format!("the audit log is {whole}: {records}, ending at {count}:{head}\n")
        }
        AuditVerdict::Broken { seq, why } => {
            let broken = style.paint(Paint::Bad, "broken");
            format!("the audit log is {broken} at record {}: {}\n", seq.0, printable(why))
        }
    }
}

fn anchor(text: &str) -> Result<AuditHead, NoPolicy> {
    let wrong = || NoPolicy::WrongUse(format!("`{text}` is no end of a log: expected NUMBER:HASH"));
    let (number, hash) = text.split_once(':').ok_or_else(wrong)?;
    let seq = AuditSeq(number.parse().map_err(|_| wrong())?);
    let mut bytes = [0_u8; 32];
    if hash.len() != 64 || !hash.is_ascii() {
        return Err(wrong());
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        let digits = hash.get(2 * place..2 * place + 2).ok_or_else(wrong)?;
        *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
    }
    Ok(AuditHead { seq, hash: AuditHash(bytes) })
}

async fn export(arguments: &AuditExport) -> Result<Outcome, NoPolicy> {
    if arguments.format == LogFormat::Parquet && arguments.output.is_none() && io::stdout().is_terminal() {
        let message = "a Parquet file is nothing to read on a terminal: `-o FILE` says where to";
        return Err(NoPolicy::WrongUse(message.to_owned()));
    }
    let storage = source::open(&store::named(arguments.store.store.as_deref())?).await?;
    let filter = filter(&arguments.filter);
    let errors = Style::for_errors(arguments.appearance.color);
    let viewer = viewer(&*storage, &arguments.filter).await?;
    let noted = note_reading(&*storage, "audit export", &question(&arguments.filter), errors).await?;
    let pages = Pages { storage: &*storage, filter: &filter, noted, viewer: &viewer, after: AuditSeq(0) };
    match &arguments.output {
        None => {
            let mut output = pages.write(Output::standard(), arguments.format, Output::is_wanted).await?;
            output.finish()?;
        }
        Some(path) => {
            let cannot = || format!("cannot write `{}`", path.display());
            let file = WholeFile::create(path).with_context(cannot)?;
            let file = pages.write(file, arguments.format, |_| true).await.with_context(cannot)?;
            file.keep().with_context(cannot)?;
        }
    }
    Ok(Outcome::Fine)
}

/// The records that are exported, page by page.
struct Pages<'p> {
    storage: &'p dyn Storage,
    filter: &'p AuditFilter,
    /// That they are read is not among them.
    noted: Option<AuditSeq>,
    viewer: &'p Viewer,
    after: AuditSeq,
}

impl Pages<'_> {
    async fn next(&mut self) -> anyhow::Result<Vec<AuditEntry>> {
        let page = self.storage.read_audit(self.filter, AuditCursor::After(self.after), PAGE).await;
        let mut page = page.context("cannot read the audit log")?;
        page.retain(|entry| self.noted.is_none_or(|noted| entry.seq < noted));
        self.after = page.last().map_or(self.after, |last| last.seq);
        Ok(page.into_iter().map(|entry| self.viewer.seen_record(entry)).collect())
    }

    /// Writes all of them, for as long as that is of any use; hands back where to.
    async fn write<W: Write>(
        mut self,
        mut out: W,
        format: LogFormat,
        is_wanted: impl Fn(&W) -> bool,
    ) -> anyhow::Result<W> {
        if format == LogFormat::Parquet {
            let mut table = AuditTable::new(out)?;
            loop {
                let page = self.next().await?;
                if page.is_empty() {
                    return Ok(table.finish()?);
                }
                page.iter().try_for_each(|entry| table.add(entry))?;
            }
        }
        loop {
            let page = self.next().await?;
            if page.is_empty() || !is_wanted(&out) {
                return Ok(out);
            }
            for entry in &page {
                let line = wire::line(&AuditLine::of(entry)).map_err(|error| anyhow!(error))?;
                writeln!(out, "{line}")?;
            }
        }
    }
}

/// The same as the command line states it, for the record of who reads.
#[must_use]
pub fn question(arguments: &arguments::AuditFilter) -> String {
    let verdict = arguments.verdict.map(|verdict| match verdict {
        VerdictName::Allowed => "allowed".to_owned(),
        VerdictName::Denied => "denied".to_owned(),
    });
    let parts = [
        ("--user", arguments.user.clone()),
        ("--verdict", verdict),
        ("--viewer", arguments.viewing.viewer.clone()),
        ("--from", arguments.from.map(utc::text)),
        ("--until", arguments.until.map(utc::text)),
    ];
    let given = parts.into_iter().filter_map(|(option, value)| Some(format!("{option} {}", value?)));
    given.collect::<Vec<_>>().join(" ")
}

/// The filter that the command line states.
#[must_use]
pub fn filter(arguments: &arguments::AuditFilter) -> AuditFilter {
    AuditFilter {
        actor: arguments.user.as_deref().map(SmolStr::new),
        verdict: arguments.verdict.map(|verdict| match verdict {
            VerdictName::Allowed => Verdict::Allowed,
            VerdictName::Denied => Verdict::Denied,
        }),
        from: arguments.from,
        until: arguments.until,
        ..AuditFilter::default()
    }
}
