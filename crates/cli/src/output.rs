//! Standard output and standard error: buffered, and quiet when the reader has gone.

use std::io::{self, BufWriter, Stdout, Write};

use anyhow::Context as _;

use crate::input::Unreadable;
use crate::terminal::{Paint, Style, printable};

/// Where results go.
#[derive(Debug)]
pub struct Output {
    writer: BufWriter<Stdout>,
    state: State,
}

#[derive(Debug)]
enum State {
    Open,
    /// The reader has gone, as in `guardbee analyze ... | head`: nothing more is written, and it is no error.
    Closed,
    Failed(io::Error),
}

impl Output {
    #[must_use]
    pub fn standard() -> Self {
        Self { writer: BufWriter::with_capacity(64 * 1024, io::stdout()), state: State::Open }
    }

    /// Writes, and says whether more is of any use.
    pub fn write(&mut self, text: &str) -> bool {
        if matches!(self.state, State::Open) {
            self.note(|writer| writer.write_all(text.as_bytes()));
        }
        matches!(self.state, State::Open)
    }

    /// Is more of any use?
    #[must_use]
    pub const fn is_wanted(&self) -> bool {
        matches!(self.state, State::Open)
    }

    /// Writes what is still buffered.
    ///
    /// # Errors
    /// What kept output from being written, but for a closed pipe.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        if matches!(self.state, State::Open) {
            self.note(Write::flush);
        }
        match std::mem::replace(&mut self.state, State::Closed) {
            State::Failed(error) => Err(error).context("cannot write to standard output"),
            State::Open | State::Closed => Ok(()),
        }
    }

    fn note(&mut self, write: impl FnOnce(&mut BufWriter<Stdout>) -> io::Result<()>) {
        match write(&mut self.writer) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.state = State::Closed,
            Err(error) => self.state = State::Failed(error),
        }
    }
}

/// What went wrong is told when it is [finished](Output::finish).
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_wanted() {
            self.note(|writer| writer.write_all(bytes));
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes a small result to standard output.
///
/// # Errors
/// As [`Output::finish`].
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut output = Output::standard();
    output.write(text);
    output.finish()
}

/// Writes a line to standard error, whether anybody listens or not.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// `error: message` on standard error.
pub fn say_error(style: Style, message: &str) {
    say(&format!("{}: {}", style.paint(Paint::Bad, "error"), printable(message)));
}

/// `warning: message` on standard error.
pub fn say_warning(style: Style, message: &str) {
    say(&format!("{}: {}", style.paint(Paint::Warning, "warning"), printable(message)));
}

/// Names what could not be read.
pub fn say_unreadable(style: Style, unreadable: &[Unreadable]) {
    for file in unreadable {
        say_error(style, &format!("cannot read `{}`: {}", file.label, file.reason));
    }
}
