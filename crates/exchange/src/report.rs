//! What a translation has to say about what it translated.

use std::fmt;
use std::sync::Arc;

/// How much a line weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Weight {
    /// It was carried over and deserves a look.
    Note,
    /// It is right where it comes from and has no counterpart where it goes: it was left out.
    NotCarried,
    /// It is wrong where it comes from: it was left out, or everything was.
    Error,
}

impl Weight {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::NotCarried => "not carried over",
            Self::Error => "error",
        }
    }
}

/// Where in the source.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: Arc<str>,
    /// From 1 on.
    pub line: u64,
    /// In characters, from 1 on; absent where the line is all that is known.
    pub column: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

/// One thing that a translation has to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportLine {
    pub weight: Weight,
    /// A stable name of the kind of line, such as `unknown-role`.
    pub code: &'static str,
    pub place: Option<Place>,
    /// In lower case without a full stop; what comes from the source stands in backticks.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl ReportLine {
    fn new(weight: Weight, code: &'static str, message: impl Into<String>) -> Self {
        Self { weight, code, place: None, message: message.into(), hint: None }
    }

    #[must_use]
    pub fn note(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Weight::Note, code, message)
    }

    #[must_use]
    pub fn not_carried(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Weight::NotCarried, code, message)
    }

    #[must_use]
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(Weight::Error, code, message)
    }

    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// `policy.ini:12:8: error[unknown-key]: ...`
impl fmt::Display for ReportLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "{}[{}]: {}", self.weight.as_str(), self.code, self.message)?;
        self.hint.as_deref().map_or(Ok(()), |hint| write!(f, " (hint: {hint})"))
    }
}

/// The lines of a translation, in the order in which they came up.
///
/// A hostile or huge source cannot make it grow without bound: past [`Report::MOST_LINES`] lines are only
/// counted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    lines: Vec<ReportLine>,
    left_out: u64,
    heaviest: Option<Weight>,
}

impl Report {
    pub const MOST_LINES: usize = 100_000;

    pub fn push(&mut self, line: ReportLine) {
        self.heaviest = self.heaviest.max(Some(line.weight));
        if self.lines.len() < Self::MOST_LINES {
            self.lines.push(line);
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    #[must_use]
    pub fn lines(&self) -> &[ReportLine] {
        &self.lines
    }

    /// How many lines there were beyond [`Report::MOST_LINES`].
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The weight of the heaviest line.
    #[must_use]
    pub const fn heaviest(&self) -> Option<Weight> {
        self.heaviest
    }

    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.heaviest == Some(Weight::Error)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Puts the lines into the order of their places; files stay in the order in which they came up, and what has no
    /// place comes last.
    pub fn sort_by_place(&mut self) {
        let mut files: Vec<Arc<str>> = Vec::new();
        for place in self.lines.iter().filter_map(|line| line.place.as_ref()) {
            if !files.contains(&place.file) {
                files.push(place.file.clone());
            }
        }
        self.lines.sort_by_key(|line| match &line.place {
            Some(place) => (files.iter().position(|file| *file == place.file), place.line, place.column),
            None => (Some(usize::MAX), 0, None),
        });
    }

    /// Adds the lines of another report behind these.
    pub fn append(&mut self, other: Self) {
        self.left_out = self.left_out.saturating_add(other.left_out);
        for line in other.lines {
            self.push(line);
        }
    }
}

/// A line each.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        if self.left_out > 0 {
            writeln!(f, "and {} more", self.left_out)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_past_the_most_are_counted() {
        let mut report = Report::default();
        for _ in 0..Report::MOST_LINES + 3 {
            report.push(ReportLine::note("x", "y"));
        }
        report.push(ReportLine::error("x", "z"));
        assert_eq!((report.lines().len(), report.left_out()), (Report::MOST_LINES, 4));
        assert!(report.has_errors());
    }
}
