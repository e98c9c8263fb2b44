//! Progress of long work, on standard error and only where a person watches.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arguments::Appearance;
use crate::input::Input;

/// Work that is done sooner shows nothing.
const PATIENCE: Duration = Duration::from_millis(300);
/// How often the bar moves even if nothing was finished, so that a long statement looks alive.
const TICK: Duration = Duration::from_millis(100);

/// A bar over the bytes of all inputs.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for reading the inputs; several are read twice, once for what they declare.
    #[must_use]
    pub fn of(inputs: &[Input], appearance: Appearance) -> Self {
        let bytes: u64 = inputs.iter().map(Input::size_bytes).sum();
        Self::new(if inputs.len() > 1 { 2 * bytes } else { bytes }, appearance.quiet)
    }

    /// A bar over so many bytes; of 0 nothing is known.
    #[must_use]
    pub fn of_bytes(bytes: u64, appearance: Appearance) -> Self {
        Self::new(bytes, appearance.quiet)
    }

    /// A spinner over rows, however many there are.
    #[must_use]
    pub fn of_rows(appearance: Appearance) -> Self {
        Self::styled(0, appearance.quiet, "{spinner} {human_pos} rows  {elapsed}")
    }

    /// A spinner while somebody else works.
    #[must_use]
    pub fn of_waiting(appearance: Appearance) -> Self {
        Self::styled(0, appearance.quiet, "{spinner} waiting for the server  {elapsed}")
    }

    fn new(total_bytes: u64, is_quiet: bool) -> Self {
        let style = "{spinner} {bar:30} {bytes}/{total_bytes}  {bytes_per_sec}  {elapsed}";
        Self::styled(total_bytes, is_quiet, style)
    }

    /// A bar that shows itself once the work has taken a moment.
    fn styled(total_bytes: u64, is_quiet: bool, style: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total_bytes), ProgressDrawTarget::hidden());
        if !is_quiet && io::stderr().is_terminal() {
            if let Ok(style) = ProgressStyle::with_template(style) {
                bar.set_style(style);
            }
            let late = bar.clone();
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if !late.is_finished() {
                    late.set_draw_target(ProgressDrawTarget::stderr());
                    late.enable_steady_tick(TICK);
                }
            });
        }
        Self { bar }
    }

    /// So many more bytes or rows were read.
    pub fn advance(&self, count: u64) {
        self.bar.inc(count);
    }

    /// Does something that writes to the terminal, with the bar out of the way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// All is done: the bar goes.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
