//! Runs and records of the audit log on their way into a store, many at a time.

use std::sync::Arc;

use anyhow::Context as _;
use guardbee_engine::audit::AuditRecord;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::lineage::Lineage;
use guardbee_engine::run_store::{Appended, DeadLetter, LetterBounds};
use guardbee_engine::store::Storage;
use guardbee_lineage::Run;

use super::store::Opened;
use crate::terminal::printable;

/// So many statements share a transaction.
const TOGETHER: usize = 1000;
/// And so many bytes at most, where statements are long.
const TOGETHER_BYTES: usize = 16 << 20;
/// So much of a letter is kept; its source and reason come beside.
const LONGEST_LETTER_BYTES: usize = 24 << 20;
/// An index is worth keeping when so many runs have come.
const RUNS_PER_INDEX: u64 = 20_000;

/// What came of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    pub recorded: u64,
    /// Runs that the store had already.
    pub known: u64,
    /// What could not be recorded, and lies with the dead letters.
    pub buried: u64,
}

/// What waits to be written. The audit log comes first: nothing is recorded that is not in it.
pub struct Recorder {
    storage: Arc<dyn Storage>,
    lineage: Arc<Lineage>,
    audits: Vec<AuditRecord>,
    runs: Vec<(Run, Payload)>,
    letters: Vec<DeadLetter>,
    letter_bounds: LetterBounds,
    waiting_bytes: usize,
    pub counts: Counts,
    before: u64,
}

/// What a run was made of, for the case that the store cannot keep it.
#[derive(Debug, Clone)]
pub struct Payload {
    pub source: Arc<str>,
    pub bytes: Arc<[u8]>,
}

impl Recorder {
    #[must_use]
    pub fn new(opened: &Opened) -> Self {
        Self {
            storage: opened.storage.clone(),
            lineage: opened.lineage.clone(),
            audits: Vec::new(),
            runs: Vec::new(),
            letters: Vec::new(),
            letter_bounds: LetterBounds::default(),
            waiting_bytes: 0,
            counts: Counts::default(),
            before: opened.lineage.snapshot().head.newest.0,
        }
    }

    /// The same with another bound for the dead letters.
    #[must_use]
    pub fn with_letters(self, letter_bounds: LetterBounds) -> Self {
        Self { letter_bounds, ..self }
    }

    pub fn audit(&mut self, record: AuditRecord) {
        self.audits.push(record);
    }

    pub fn run(&mut self, run: Run, payload: Payload) {
        self.waiting_bytes += payload.bytes.len();
        self.runs.push((run, payload));
    }

    /// A letter that no store could keep is cut.
    pub fn letter(&mut self, letter: DeadLetter) {
        let letter = cut(letter);
        self.waiting_bytes += letter.payload.len();
        self.letters.push(letter);
    }

    /// Writes what waits, where that is worth a transaction.
    ///
    /// # Errors
    /// What the store says.
    pub async fn write_when_full(&mut self) -> anyhow::Result<()> {
        let waiting = self.audits.len().max(self.runs.len()).max(self.letters.len());
        if waiting >= TOGETHER || self.waiting_bytes >= TOGETHER_BYTES {
            self.write().await?;
        }
        Ok(())
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// What the store says. What was counted before is durable.
    pub async fn write(&mut self) -> anyhow::Result<()> {
        self.waiting_bytes = 0;
        if !self.audits.is_empty() {
            self.storage.append_audit(&self.audits).await.context("cannot write the audit log")?;
            self.audits.clear();
        }
        if !self.runs.is_empty() {
            let (runs, payloads): (Vec<Run>, Vec<Payload>) = self.runs.drain(..).unzip();
            let appended = self.lineage.record(&runs).await.context("cannot record the runs")?;
            for (appended, payload) in appended.into_iter().zip(payloads) {
                match appended {
                    Appended::New(_) => self.counts.recorded += 1,
                    Appended::Known(_) => self.counts.known += 1,
                    Appended::Refused(reason) => self.letters.push(cut(DeadLetter {
                        received_at: SystemClock.now(),
                        source: payload.source,
                        reason,
                        payload: payload.bytes,
                    })),
                }
            }
        }
        if !self.letters.is_empty() {
            let buried = self.storage.bury(&self.letters, self.letter_bounds).await;
            let buried = buried.context("cannot keep what could not be recorded")?;
            self.counts.buried += buried.iter().flatten().count() as u64;
            let left = self.letters.iter().zip(&buried).find(|(_, id)| id.is_none());
            if let Some((letter, _)) = left {
                return Err(no_room(letter, self.letter_bounds));
            }
            self.letters.clear();
        }
        Ok(())
    }

    /// Writes what waits, and keeps an index where many runs have come.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub async fn finish(mut self) -> anyhow::Result<Counts> {
        self.write().await?;
        let newest = self.lineage.snapshot().head.newest.0;
        if newest / RUNS_PER_INDEX > self.before / RUNS_PER_INDEX {
            self.lineage.compact();
            self.lineage.save().await.context("cannot keep the index of the runs")?;
        }
        Ok(self.counts)
    }
}

fn no_room(letter: &DeadLetter, bounds: LetterBounds) -> anyhow::Error {
    anyhow::anyhow!(
        "the dead letters are full ({} of them or {} MiB): `{}` could not be recorded ({}) and is not kept\n\
         what was recorded stays: make room with `guardbee import replay` or `guardbee import discard`, or allow more \
         with `--most-letters`, and import the log again",
        bounds.count,
        bounds.bytes >> 20,
        printable(&letter.source),
        printable(&letter.reason),
    )
}

fn cut(letter: DeadLetter) -> DeadLetter {
    match letter.payload.get(..LONGEST_LETTER_BYTES) {
        Some(start) if start.len() < letter.payload.len() => DeadLetter {
            reason: format!("{} (its start is kept)", letter.reason).into(),
            payload: Arc::from(start),
            ..letter
        },
        _ => letter,
    }
}
