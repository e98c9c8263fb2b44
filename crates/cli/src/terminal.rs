//! What the terminal can do: colours and width.

use std::env;
use std::io::{self, IsTerminal};

use crate::arguments::ColorChoice;

/// Width where the output goes to no terminal.
const DEFAULT_WIDTH: usize = 100;
const NARROWEST: usize = 40;

/// How text for people is written.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    pub width: usize,
    is_colored: bool,
}

/// What a piece of text means; never said by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    Heading,
    Good,
    Bad,
    Warning,
    Name,
    Dim,
}

impl Style {
    /// For standard output.
    #[must_use]
    pub fn for_output(choice: ColorChoice) -> Self {
        Self { width: width(), is_colored: wants_color(choice, io::stdout().is_terminal()) }
    }

    /// For standard error.
    #[must_use]
    pub fn for_errors(choice: ColorChoice) -> Self {
        Self { width: width(), is_colored: wants_color(choice, io::stderr().is_terminal()) }
    }

    /// The text in the colour of its meaning.
    #[must_use]
    pub fn paint(self, paint: Paint, text: &str) -> String {
        if !self.is_colored || text.is_empty() {
            return text.to_owned();
        }
        let code = match paint {
            Paint::Heading => "1",
            Paint::Good => "32",
            Paint::Bad => "1;31",
            Paint::Warning => "33",
            Paint::Name => "36",
            Paint::Dim => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

fn wants_color(choice: ColorChoice, is_terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
            is_terminal && !is_refused && !is_dumb
        }
    }
}

fn width() -> usize {
    let asked = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let measured = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    asked.or_else(measured).unwrap_or(DEFAULT_WIDTH).max(NARROWEST)
}
