//! The rows of some tables in the SQL dump of a database: of `mysqldump`, of `pg_dump`, or a script of INSERTs as
//! one has for Derby.
//!
//! [`read_rows`] reads `INSERT ... VALUES` and `COPY ... FROM stdin`, finds the order of the columns in the
//! statement itself, in the dump's `CREATE TABLE`, or among the known orders, and passes over everything else. A
//! dump of any length takes the memory of one row: values that are too long to be of use are dropped as they come.
//! What is wrong is reported with its line, and reading goes on behind it.

mod cells;
mod copy;
mod reader;
mod scanner;
mod value;

use std::io::{self, Read};
use std::sync::Arc;

pub use cells::{CellReader, shortened};

use crate::Report;

/// Whose SQL it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Flavour {
    MySql,
    PostgreSql,
    Derby,
}

impl Flavour {
    pub const ALL: [Self; 3] = [Self::MySql, Self::PostgreSql, Self::Derby];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MySql => "mysql",
            Self::PostgreSql => "postgresql",
            Self::Derby => "derby",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|flavour| flavour.as_str() == text)
    }

    /// Whose SQL the beginning of a dump looks like. What looks like nobody's in particular is read as Derby's,
    /// which is the plain standard.
    #[must_use]
    pub fn detect(beginning: &[u8]) -> Self {
        let has = |text: &str| memchr::memmem::find(beginning, text.as_bytes()).is_some();
        if has("-- MySQL dump") || has("-- MariaDB dump") || has("/*!") || has("INSERT INTO `") {
            Self::MySql
        } else if has("PostgreSQL database dump") || has(" FROM stdin;") || has("standard_conforming_strings")
        {
            Self::PostgreSql
        } else {
            Self::Derby
        }
    }
}

/// A table that is wanted. Names are compared without regard to case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WantedTable {
    pub name: &'static str,
    /// The columns that are wanted, in the order in which a [`Row`] has them.
    pub columns: &'static [&'static str],
    /// The orders of all columns that are known, for dumps that do not say: the one with as many columns as a
    /// row has values is taken.
    pub orders: &'static [&'static [&'static str]],
}

/// A row of a wanted table.
#[derive(Debug, Clone, Copy)]
pub struct Row<'r> {
    /// Which of the wanted tables.
    pub table: usize,
    pub line: u64,
    /// One for each wanted column.
    pub cells: &'r [Cell],
}

/// A value in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// The dump's table has no such column.
    Absent,
    Null,
    /// Text, or a number or truth value as text.
    Text(String),
    Unusable(Unusable),
}

/// Why a value is of no use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// Longer than [`LONGEST_VALUE_BYTES`].
    TooLong,
    NotUtf8,
    /// It has a NUL character.
    Nul,
    /// No constant.
    Expression,
}

impl Unusable {
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::TooLong => "is longer than 64 KiB",
            Self::NotUtf8 => "is not UTF-8",
            Self::Nul => "has a NUL character",
            Self::Expression => "is no constant",
        }
    }
}

/// Longer values are dropped.
pub const LONGEST_VALUE_BYTES: usize = 1 << 16;

/// Why a dump could not be read.
#[derive(Debug)]
pub enum DumpError {
    Input(io::Error),
    /// The lines with all that is wrong in it: nothing of it is to be applied.
    Wrong(Report),
}

impl std::fmt::Display for DumpError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Input(error) => write!(f, "the dump cannot be read: {error}"),
            Self::Wrong(report) => write!(f, "{report}"),
        }
    }
}

impl std::error::Error for DumpError {}

/// What was in a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpSummary {
    pub flavour: Flavour,
    /// How many rows each wanted table has; none where the dump does not speak of the table.
    pub rows: Vec<Option<u64>>,
}

/// Reads the rows of the wanted tables, in the order of the dump. `file` is the dump's name in the report. Where no
/// flavour is given, it is found by [`Flavour::detect`].
///
/// # Errors
/// What the input fails with. What is wrong in the dump goes into the report.
pub fn read_rows(
    input: impl Read,
    flavour: Option<Flavour>,
    tables: &[WantedTable],
    file: &Arc<str>,
    report: &mut Report,
    on_row: impl FnMut(Row<'_>),
) -> io::Result<DumpSummary> {
    let mut scanner = scanner::Scanner::new(input);
    let flavour = match flavour {
        Some(flavour) => flavour,
        None => Flavour::detect(scanner.ahead(1 << 15)?),
    };
    reader::Reader::new(scanner, flavour, tables, file, report, on_row).read()
}
