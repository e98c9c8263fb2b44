//! Analysing many inputs: in parallel, with output in order and memory bounded.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use anyhow::Context as _;
use guardbee_model::{DiagnosticCode, Severity};

use crate::arguments::Reading;
use crate::catalogs::Catalogs;
use crate::input::{Input, Unreadable};
use crate::progress::Progress;
use crate::reading::{self, Around, Finding, Reader, Report};

/// How many pieces of output one input may be ahead of the writer.
const PIECES_AHEAD: usize = 8;
/// How large a piece of output grows before it is handed on.
const PIECE_BYTES: usize = 64 * 1024;
/// The stack of a worker: deep statements are read by recursion, within the parser's bound.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// What is to be analysed, and how.
#[derive(Debug, Clone, Copy)]
pub struct Work<'w> {
    pub inputs: &'w [Input],
    pub catalogs: &'w Catalogs,
    pub reading: &'w Reading,
    pub progress: &'w Progress,
}

/// What came of it, beside the output.
#[derive(Debug, Default)]
pub struct Ran {
    pub counts: Counts,
    pub unreadable: Vec<Unreadable>,
}

/// What was counted on the way.
#[derive(Debug, Default, Clone, Copy)]
pub struct Counts {
    pub statements: u64,
    pub errors: u64,
    pub warnings: u64,
    /// Warnings among them that were told before in the same session.
    pub repeated: u64,
    /// Warnings that say for the first time of a session that a table is not in the catalog.
    pub unknown_tables: u64,
    /// Statements that could not be read, so that nothing is known of what they do.
    pub without_effects: u64,
}

impl Counts {
    fn add(&mut self, report: &Report<'_>) {
        self.statements += 1;
        let is_error = |finding: &Finding| finding.diagnostic.severity == Severity::Error;
        self.without_effects += u64::from(report.effects.is_none() && report.findings.iter().any(is_error));
        for finding in &report.findings {
            match finding.diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
            }
            self.repeated += u64::from(finding.is_repeated);
            let is_unknown = finding.diagnostic.code == DiagnosticCode::UNKNOWN_TABLE;
            self.unknown_tables += u64::from(is_unknown && !finding.is_repeated);
        }
    }

    fn merge(&mut self, other: Self) {
        self.statements += other.statements;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.repeated += other.repeated;
        self.unknown_tables += other.unknown_tables;
        self.without_effects += other.without_effects;
    }
}

/// What `render` makes of statements: it grows, and is handed on in pieces.
pub trait Rendered: Default + Send {
    fn size_bytes(&self) -> usize;

    /// Gives what there is to the writer; the next statement follows it.
    fn hand_over(&mut self) -> Self {
        std::mem::take(self)
    }

    /// An input has ended.
    fn end_input(&mut self) {}
}

impl Rendered for String {
    fn size_bytes(&self) -> usize {
        self.len()
    }
}

/// What comes of one input, piece by piece.
enum Message<T> {
    Piece(T),
    Done(Counts),
    Unreadable(Unreadable),
}

/// An input that waits for a worker, with the place where what comes of it goes.
type Waiting<'i, T> = (usize, &'i Input, SyncSender<Message<T>>);

/// Analyses every input in a session of its own. `render` turns a statement into output (on the worker's
/// thread, told the number of the input); `write` takes the output in the order of inputs and statements,
/// and says whether to go on.
///
/// # Errors
/// When no thread can be had.
pub fn run<T: Rendered>(
    work: Work<'_>,
    render: impl Fn(Report<'_>, &Around<'_>, &mut T) + Sync,
    mut write: impl FnMut(T) -> bool,
) -> anyhow::Result<Ran> {
    let mut waiting: VecDeque<Waiting<'_, T>> = VecDeque::new();
    let mut receivers = Vec::with_capacity(work.inputs.len());
    for (index, input) in work.inputs.iter().enumerate() {
        let (sender, receiver) = sync_channel(PIECES_AHEAD);
        waiting.push_back((index, input, sender));
        receivers.push(receiver);
    }
    let waiting = Mutex::new(waiting);
    let is_stopped = AtomicBool::new(false);
    let take = || waiting.lock().ok().and_then(|mut waiting| waiting.pop_front());
    let workers = thread::available_parallelism().map_or(1, usize::from).min(work.inputs.len());
    let mut ran = Ran::default();

    thread::scope(|scope| {
        for number in 0..workers {
            let work_off = || {
                while let Some((index, input, sender)) = take() {
                    if !is_stopped.load(Ordering::Relaxed) {
                        guarded(work, index, input, &render, &sender);
                    }
                }
            };
            let spawned = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work_off);
            if let (Err(error), 0) = (spawned, number) {
                // Nobody will ever send anything.
                receivers.clear();
                return Err(error).context("cannot start a thread");
            }
        }
        for receiver in receivers {
            for message in receiver {
                match message {
                    Message::Piece(piece) => {
                        if !work.progress.aside(|| write(piece)) {
                            is_stopped.store(true, Ordering::Relaxed);
                            return Ok(());
                        }
                    }
                    Message::Done(found) => ran.counts.merge(found),
                    Message::Unreadable(found) => ran.unreadable.push(found),
                }
            }
        }
        Ok(())
    })?;
    Ok(ran)
}

/// A mistake of ours in one input must not cost the others.
fn guarded<T: Rendered>(
    work: Work<'_>,
    index: usize,
    input: &Input,
    render: &(impl Fn(Report<'_>, &Around<'_>, &mut T) + Sync),
    sender: &SyncSender<Message<T>>,
) {
    if catch_unwind(AssertUnwindSafe(|| analyse(work, index, input, render, sender))).is_err() {
        let reason = "it made guardbee stumble, please report it".to_owned();
        let _ = sender.send(Message::Unreadable(Unreadable { label: input.label(), reason }));
    }
}

fn analyse<T: Rendered>(
    work: Work<'_>,
    index: usize,
    input: &Input,
    render: &(impl Fn(Report<'_>, &Around<'_>, &mut T) + Sync),
    sender: &SyncSender<Message<T>>,
) {
    let texts = match input.read() {
        Ok(texts) => texts,
        Err(error) => {
            let _ = sender.send(Message::Unreadable(Unreadable::new(input.label(), &error)));
            return;
        }
    };
    let session = reading::session(work.catalogs.of(index), work.reading);
    let mut reader = Reader::new(session, work.catalogs.databases_of(index));
    let mut counts = Counts::default();
    let mut piece = T::default();
    for text in texts {
        let read = reader.read(text, |report, around| {
            counts.add(&report);
            work.progress.advance(u64::from(report.span.len()));
            render(report, around, &mut piece);
            piece.size_bytes() < PIECE_BYTES || sender.send(Message::Piece(piece.hand_over())).is_ok()
        });
        match read {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                let _ = sender.send(Message::Unreadable(Unreadable::new(input.label(), &error)));
                break;
            }
        }
    }
    piece.end_input();
    let _ = sender.send(Message::Piece(piece));
    let _ = sender.send(Message::Done(counts));
}
