//! Analysing many texts: files in parallel, output in order, memory bounded.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use guardbee_analysis::Catalog;

use crate::arguments::Reading;
use crate::input::{Input, Unreadable};
use crate::progress::Progress;
use crate::reading::{self, Catalogs};
use crate::render::Report;

/// How many pieces of output one file may be ahead of the writer.
const PIECES_AHEAD: usize = 8;
/// How large a piece of output grows before it is handed on.
const PIECE_BYTES: usize = 64 * 1024;
/// The stack of a worker: deep statements are read by recursion, within the parser's bound.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// What was counted on the way.
#[derive(Debug, Default, Clone, Copy)]
pub struct Counts {
    pub statements: u64,
    pub errors: u64,
    pub warnings: u64,
}

impl Counts {
    fn add(&mut self, report: &Report<'_>) {
        self.statements += 1;
        for diagnostic in &report.analysis.diagnostics {
            match diagnostic.severity {
                guardbee_model::Severity::Error => self.errors += 1,
                guardbee_model::Severity::Warning => self.warnings += 1,
            }
        }
    }

    fn merge(&mut self, other: Self) {
        self.statements += other.statements;
        self.errors += other.errors;
        self.warnings += other.warnings;
    }
}

/// What comes of one file, piece by piece.
enum Message<T> {
    Piece(T),
    Done(Counts),
    Unreadable(Unreadable),
}

/// Analyses every input in a session of its own. `render` turns a statement into output
/// (on the worker's thread); `write` takes the output in the order of inputs and statements, and says whether to go on.
pub fn run<T: Send + Pieces>(
    inputs: &[Input],
    catalogs: &Catalogs,
    reading: &Reading,
    progress: &Progress,
    render: impl Fn(&Report<'_>, &Catalog, &mut T) + Sync,
    mut write: impl FnMut(T) -> bool,
) -> (Counts, Vec<Unreadable>) {
    let mut senders: Vec<Option<SyncSender<Message<T>>>> = Vec::with_capacity(inputs.len());
    let mut receivers: Vec<Receiver<Message<T>>> = Vec::with_capacity(inputs.len());
    for _ in inputs {
        let (sender, receiver) = sync_channel(PIECES_AHEAD);
        senders.push(Some(sender));
        receivers.push(receiver);
    }
    let senders: Vec<std::sync::Mutex<Option<SyncSender<Message<T>>>>> =
        senders.into_iter().map(std::sync::Mutex::new).collect();
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, usize::from).min(inputs.len()).max(1);
    let mut counts = Counts::default();
    let mut unreadable = Vec::new();

    thread::scope(|scope| {
        for _ in 0..workers {
            let work = || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(input), Some(sender)) = (inputs.get(index), senders.get(index)) else { return };
                    let sender = sender.lock().ok().and_then(|mut sender| sender.take());
                    if let Some(sender) = sender {
                        analyse_input(input, catalogs.of(index), reading, progress, &render, &sender);
                    }
                }
            };
            if thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        for receiver in receivers {
            let mut goes_on = true;
            for message in receiver {
                match message {
                    Message::Piece(piece) => goes_on = goes_on && write(piece),
                    Message::Done(found) => counts.merge(found),
                    Message::Unreadable(found) => unreadable.push(found),
                }
            }
            if !goes_on {
                next.store(inputs.len(), Ordering::Relaxed);
            }
        }
    });
    (counts, unreadable)
}

/// Output that grows and is handed on in pieces.
pub trait Pieces: Default {
    fn size_bytes(&self) -> usize;
}

impl Pieces for String {
    fn size_bytes(&self) -> usize {
        self.len()
    }
}

fn analyse_input<T: Send + Pieces>(
    input: &Input,
    catalog: Catalog,
    reading: &Reading,
    progress: &Progress,
    render: &(impl Fn(&Report<'_>, &Catalog, &mut T) + Sync),
    sender: &SyncSender<Message<T>>,
) {
    let label = input.label();
    let text = match input.read() {
        Ok(text) => text,
        Err(reason) => {
            let _ = sender.send(Message::Unreadable(Unreadable { label, reason }));
            return;
        }
    };
    let mut counts = Counts::default();
    let mut piece = T::default();
    let mut session = reading::session(catalog, reading);
    let mut is_wanted = true;
    reading::analyse_text(&label, &text, &mut session, |report, catalog| {
        counts.add(report);
        progress.advance(u64::from(report.span.len()));
        render(report, catalog, &mut piece);
        if piece.size_bytes() >= PIECE_BYTES {
            is_wanted = sender.send(Message::Piece(std::mem::take(&mut piece))).is_ok();
        }
        is_wanted
    });
    let _ = sender.send(Message::Piece(piece));
    let _ = sender.send(Message::Done(counts));
}
