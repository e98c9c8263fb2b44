//! The statements of a dump, as far as they hold rows or say how the rows are made up.

use std::io::{self, Read};
use std::sync::Arc;

use super::scanner::Scanner;
use super::value::{Escapes, Fault, is_blank, is_word, name, skip_quoted, value, word};
use super::{Cell, DumpSummary, Flavour, Row, WantedTable, copy};
use crate::{Place, Report, ReportLine};

pub(super) struct Reader<'r, R, F> {
    scanner: Scanner<R>,
    flavour: Flavour,
    /// How strings without a prefix are read.
    plain: Escapes,
    tables: &'r [WantedTable],
    /// For each wanted table the columns that the dump creates it with.
    created: Vec<Option<Vec<String>>>,
    rows: Vec<Option<u64>>,
    file: &'r Arc<str>,
    report: &'r mut Report,
    on_row: F,
    completeness: Completeness,
    /// The line at which the current statement begins.
    statement_line: u64,
}

/// Dumps of some tools say where they begin and end.
#[derive(Default)]
struct Completeness {
    has_beginning: bool,
    has_end: bool,
}

/// What the columns of a row are, and where the wanted ones stand among them.
struct Columns {
    count: usize,
    /// For each column of the row the wanted column that it is.
    wanted: Vec<Option<usize>>,
}

impl<'r, R: Read, F: FnMut(Row<'_>)> Reader<'r, R, F> {
    pub(super) fn new(
        scanner: Scanner<R>,
        flavour: Flavour,
        tables: &'r [WantedTable],
        file: &'r Arc<str>,
        report: &'r mut Report,
        on_row: F,
    ) -> Self {
        let plain = if flavour == Flavour::MySql { Escapes::MySqlBackslash } else { Escapes::Doubled };
        Self {
            scanner,
            flavour,
            plain,
            tables,
            created: vec![None; tables.len()],
            rows: vec![None; tables.len()],
            file,
            report,
            on_row,
            completeness: Completeness::default(),
            statement_line: 1,
        }
    }

    pub(super) fn read(mut self) -> io::Result<DumpSummary> {
        loop {
            match self.statement() {
                Ok(true) => {}
                Ok(false) => break,
                Err(Fault::Input(error)) => return Err(error),
                Err(Fault::End) => {
                    let (begin, end) = (self.statement_line, self.scanner.line());
                    let message = format!("the dump ends within the statement that begins in line {begin}");
                    self.error(end, "truncated-dump", message);
                    break;
                }
                Err(Fault::Expected(what)) => {
                    let line = self.scanner.line();
                    self.error(line, "malformed-statement", format!("{what} is expected here"));
                    if let Err(Fault::Input(error)) = self.skip_statement() {
                        return Err(error);
                    }
                }
            }
        }
        if self.completeness.has_beginning && !self.completeness.has_end && !self.report.has_errors() {
            let line = self.scanner.line();
            self.error(line, "truncated-dump", "the line that ends the dump is missing".to_owned());
        }
        Ok(DumpSummary { flavour: self.flavour, rows: self.rows })
    }

    fn error(&mut self, line: u64, code: &'static str, message: String) {
        let place = Place { file: self.file.clone(), line, column: None };
        self.report.push(ReportLine::error(code, message).at(place));
    }

    /// Reads one statement; says whether there was one.
    fn statement(&mut self) -> Result<bool, Fault> {
        self.skip_blanks()?;
        self.statement_line = self.scanner.line();
        match self.scanner.peek()? {
            None => return Ok(false),
            Some(b';') => {
                self.scanner.next()?;
                return Ok(true);
            }
            // A command of `psql`, or what `ij` says: `1 row inserted`.
            Some(b'\\' | b'0'..=b'9') => {
                self.scanner.skip_line()?;
                return Ok(true);
            }
            Some(byte) if !is_word(byte) => {
                self.skip_statement()?;
                return Ok(true);
            }
            Some(_) => {}
        }
        let keyword = word(&mut self.scanner)?.to_ascii_uppercase();
        match keyword.as_str() {
            "INSERT" | "REPLACE" => self.insert()?,
            "COPY" => self.copy()?,
            "CREATE" => self.create()?,
            "SET" => self.set()?,
            "DELIMITER" => self.scanner.skip_line()?,
            "IJ" if self.scanner.peek()? == Some(b'>') => drop(self.scanner.next()?),
            _ => self.skip_statement()?,
        }
        Ok(true)
    }

    /// Passes blanks and comments.
    fn skip_blanks(&mut self) -> Result<(), Fault> {
        loop {
            match self.scanner.skip_until(|byte| !is_blank(byte))? {
                Some(b'-') if self.is_line_comment()? => self.line_comment()?,
                Some(b'#') if self.flavour == Flavour::MySql => self.scanner.skip_line()?,
                Some(b'/') if self.scanner.starts_with(b"/*")? => self.block_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn is_line_comment(&mut self) -> io::Result<bool> {
        let is_mysql = self.flavour == Flavour::MySql;
        let ahead = self.scanner.ahead(3)?;
        let is_comment = ahead.starts_with(b"--");
        Ok(is_comment && (!is_mysql || ahead.get(2).is_none_or(|&byte| is_blank(byte))))
    }

    fn line_comment(&mut self) -> io::Result<()> {
        let ahead = self.scanner.ahead(64)?;
        let line = ahead.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let text = line.get(2..).unwrap_or_default().trim_ascii();
        if text.starts_with(b"Dump completed") || text.starts_with(b"PostgreSQL database dump complete") {
            self.completeness.has_end = true;
        } else if [&b"MySQL dump"[..], b"MariaDB dump", b"PostgreSQL database dump"]
            .iter()
            .any(|beginning| text.starts_with(beginning))
        {
            self.completeness.has_beginning = true;
        }
        self.scanner.skip_line()
    }

    fn block_comment(&mut self) -> Result<(), Fault> {
        // One that does not end is worth the line where it begins.
        self.statement_line = self.scanner.line();
        self.scanner.advance(2);
        loop {
            self.scanner.skip_until(|byte| byte == b'*')?.ok_or(Fault::End)?;
            self.scanner.next()?;
            if self.scanner.peek()? == Some(b'/') {
                self.scanner.next()?;
                return Ok(());
            }
        }
    }

    /// Goes behind the `;` that ends the statement.
    fn skip_statement(&mut self) -> Result<(), Fault> {
        self.skip_to(|byte| byte == b';', |_| {})?;
        self.scanner.next()?;
        Ok(())
    }

    /// Goes to a byte that stands outside of strings, names and comments, and hands over what is passed there.
    fn skip_to(
        &mut self,
        is_wanted: impl Fn(u8) -> bool,
        mut passed: impl FnMut(&[u8]),
    ) -> Result<u8, Fault> {
        loop {
            let is_special =
                |byte| is_wanted(byte) || matches!(byte, b'\'' | b'"' | b'`' | b'-' | b'/' | b'#' | b'$');
            let found = self.scanner.pass_until(is_special, &mut passed)?.ok_or(Fault::End)?;
            match found {
                byte if is_wanted(byte) => return Ok(byte),
                b'\'' | b'"' | b'`' => skip_quoted(&mut self.scanner, self.plain)?,
                b'-' if self.is_line_comment()? => self.line_comment()?,
                b'/' if self.scanner.starts_with(b"/*")? => self.block_comment()?,
                b'#' if self.flavour == Flavour::MySql => self.scanner.skip_line()?,
                b'$' if self.flavour == Flavour::PostgreSql => self.dollar_quoted()?,
                _ => drop(self.scanner.next()?),
            }
        }
    }

    /// Passes `$tag$ ... $tag$`, or the `$` alone where it begins no such thing.
    fn dollar_quoted(&mut self) -> Result<(), Fault> {
        let ahead = self.scanner.ahead(66)?;
        let end = ahead.iter().skip(1).take(64).position(|&byte| byte == b'$');
        let tag = end.and_then(|end| ahead.get(..end + 2)).filter(|tag| {
            tag.iter().skip(1).rev().skip(1).all(|&byte| is_word(byte))
                && !tag.get(1).is_some_and(u8::is_ascii_digit)
        });
        let Some(tag) = tag.map(<[u8]>::to_vec) else {
            self.scanner.next()?;
            return Ok(());
        };
        self.scanner.advance(tag.len());
        loop {
            self.scanner.skip_until(|byte| byte == b'$')?.ok_or(Fault::End)?;
            if self.scanner.starts_with(&tag)? {
                self.scanner.advance(tag.len());
                return Ok(());
            }
            self.scanner.next()?;
        }
    }

    /// `SET standard_conforming_strings = off;` makes a backslash special.
    fn set(&mut self) -> Result<(), Fault> {
        let mut text: Vec<u8> = Vec::new();
        self.skip_to(|byte| byte == b';', |passed| keep_beginning(&mut text, passed))?;
        self.scanner.next()?;
        let text = String::from_utf8_lossy(&text).to_ascii_lowercase();
        if let Some((_, value)) = text.split_once("standard_conforming_strings") {
            self.plain = if value.contains("off") { Escapes::PostgreSqlBackslash } else { Escapes::Doubled };
        }
        Ok(())
    }

    /// Reads `a.b.c` and gives the wanted table that `c` is.
    fn table(&mut self) -> Result<Option<usize>, Fault> {
        loop {
            self.skip_blanks()?;
            let last = name(&mut self.scanner)?;
            self.skip_blanks()?;
            if self.scanner.peek()? != Some(b'.') {
                return Ok(self.tables.iter().position(|table| table.name.eq_ignore_ascii_case(&last)));
            }
            self.scanner.next()?;
        }
    }

    fn keyword_is_next(&mut self, keyword: &str) -> Result<bool, Fault> {
        self.skip_blanks()?;
        let ahead = self.scanner.ahead(keyword.len() + 1)?;
        let is_next =
            ahead.get(..keyword.len()).is_some_and(|word| word.eq_ignore_ascii_case(keyword.as_bytes()))
                && !ahead.get(keyword.len()).is_some_and(|&byte| is_word(byte));
        if is_next {
            self.scanner.advance(keyword.len());
        }
        Ok(is_next)
    }

    fn create(&mut self) -> Result<(), Fault> {
        for modifier in ["GLOBAL", "LOCAL", "TEMPORARY", "UNLOGGED"] {
            self.keyword_is_next(modifier)?;
        }
        if !self.keyword_is_next("TABLE")? {
            return self.skip_statement();
        }
        if self.keyword_is_next("IF")? {
            self.keyword_is_next("NOT")?;
            self.keyword_is_next("EXISTS")?;
        }
        let table = self.table()?;
        if let (Some(table), Some(b'(')) = (table, self.scanner.peek()?) {
            self.scanner.next()?;
            let columns = self.column_definitions()?;
            if let Some(rows) = self.rows.get_mut(table) {
                rows.get_or_insert(0);
            }
            if let Some(created) = self.created.get_mut(table) {
                *created = Some(columns);
            }
        }
        self.skip_statement()
    }

    fn column_definitions(&mut self) -> Result<Vec<String>, Fault> {
        const NO_COLUMN: [&str; 10] = [
            "PRIMARY",
            "KEY",
            "UNIQUE",
            "CONSTRAINT",
            "FOREIGN",
            "CHECK",
            "INDEX",
            "FULLTEXT",
            "SPATIAL",
            "EXCLUDE",
        ];
        let mut columns = Vec::new();
        loop {
            self.skip_blanks()?;
            let is_quoted = matches!(self.scanner.peek()?, Some(b'"' | b'`'));
            let column = name(&mut self.scanner)?;
            if is_quoted || !NO_COLUMN.contains(&&*column.to_ascii_uppercase()) {
                add_column(&mut columns, column)?;
            }
            let mut depth = 0_u64;
            loop {
                let found = self.skip_to(|byte| matches!(byte, b',' | b'(' | b')'), |_| {})?;
                self.scanner.next()?;
                match found {
                    b'(' => depth = depth.saturating_add(1),
                    b')' if depth == 0 => return Ok(columns),
                    b')' => depth -= 1,
                    _ if depth == 0 => break,
                    _ => {}
                }
            }
        }
    }

    /// Reads `(a, b, c)` where it is next.
    fn column_list(&mut self) -> Result<Option<Vec<String>>, Fault> {
        self.skip_blanks()?;
        if self.scanner.peek()? != Some(b'(') {
            return Ok(None);
        }
        self.scanner.next()?;
        let mut columns = Vec::new();
        loop {
            self.skip_blanks()?;
            add_column(&mut columns, name(&mut self.scanner)?)?;
            self.skip_blanks()?;
            match self.scanner.next()?.ok_or(Fault::End)? {
                b',' => {}
                b')' => return Ok(Some(columns)),
                _ => return Err(Fault::Expected("`,` or `)`")),
            }
        }
    }

    fn insert(&mut self) -> Result<(), Fault> {
        for modifier in ["LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE"] {
            self.keyword_is_next(modifier)?;
        }
        if !self.keyword_is_next("INTO")? {
            return self.skip_statement();
        }
        let Some(table) = self.table()? else { return self.skip_statement() };
        let listed = self.column_list()?;
        if self.keyword_is_next("OVERRIDING")? {
            for word in ["SYSTEM", "USER", "VALUE"] {
                self.keyword_is_next(word)?;
            }
        }
        if !self.keyword_is_next("VALUES")? && !self.keyword_is_next("VALUE")? {
            return self.query(table);
        }
        let mut columns = listed
            .or_else(|| self.created.get(table).cloned().flatten())
            .map(|names| self.columns(table, &names));
        let mut cells: Vec<(usize, Cell)> = Vec::new();
        loop {
            self.skip_blanks()?;
            let line = self.scanner.line();
            if self.scanner.next()?.ok_or(Fault::End)? != b'(' {
                return Err(Fault::Expected("`(`"));
            }
            let count = self.values(columns.as_ref(), &mut cells)?;
            if columns.is_none() {
                columns = self.known_order(table, count);
            }
            self.end_row(table, line, columns.as_ref(), count, &mut cells);
            self.skip_blanks()?;
            match self.scanner.peek()? {
                None => return Err(Fault::End),
                Some(b',') => drop(self.scanner.next()?),
                // `;`, or clauses for rows that are there already.
                Some(_) => return self.skip_statement(),
            }
        }
    }

    /// Only the database itself could tell what `INSERT ... SELECT` inserts.
    fn query(&mut self, table: usize) -> Result<(), Fault> {
        let is_query = self.keyword_is_next("SELECT")? || self.scanner.peek()? == Some(b'(');
        if !is_query {
            return Err(Fault::Expected("`VALUES`"));
        }
        let name = self.tables.get(table).map_or("", |table| table.name);
        let message = format!("the rows that a query inserts into `{name}` are not read");
        let place = Place { file: self.file.clone(), line: self.statement_line, column: None };
        self.report.push(ReportLine::not_carried("query", message).at(place));
        self.skip_statement()
    }

    /// Reads the values up to and with the bracket that ends them; keeps those that are wanted, or, as long as it
    /// is not known which those are, the first ones.
    fn values(&mut self, columns: Option<&Columns>, cells: &mut Vec<(usize, Cell)>) -> Result<usize, Fault> {
        cells.clear();
        let mut count = 0;
        loop {
            self.skip_blanks()?;
            let cell = value(&mut self.scanner, self.flavour, self.plain)?;
            keep(columns, count, cell, cells);
            count += 1;
            match self.scanner.next()?.ok_or(Fault::End)? {
                b',' => {}
                _ => return Ok(count),
            }
        }
    }

    fn end_row(
        &mut self,
        table: usize,
        line: u64,
        columns: Option<&Columns>,
        count: usize,
        cells: &mut Vec<(usize, Cell)>,
    ) {
        let Some(wanted) = self.tables.get(table) else { return };
        if let Some(rows) = self.rows.get_mut(table) {
            *rows = Some(rows.unwrap_or(0).saturating_add(1));
        }
        let Some(columns) = columns.filter(|columns| columns.count == count) else {
            let message = match columns {
                Some(columns) => {
                    format!("a row of `{}` has {count} values for {} columns", wanted.name, columns.count)
                }
                None => {
                    format!("no `{}` with {count} columns is known, and the dump names none", wanted.name)
                }
            };
            self.error(line, "wrong-count", message);
            return;
        };
        let mut row = vec![Cell::Absent; wanted.columns.len()];
        for (position, cell) in cells.drain(..) {
            let place = columns.wanted.get(position).copied().flatten();
            if let Some(place) = place.and_then(|place| row.get_mut(place)) {
                *place = cell;
            }
        }
        (self.on_row)(Row { table, line, cells: &row });
    }

    fn columns<S: AsRef<str>>(&self, table: usize, names: &[S]) -> Columns {
        let wanted = self.tables.get(table).map_or(&[][..], |table| table.columns);
        let place = |name: &S| wanted.iter().position(|column| column.eq_ignore_ascii_case(name.as_ref()));
        Columns { count: names.len(), wanted: names.iter().map(place).collect() }
    }

    fn known_order(&self, table: usize, count: usize) -> Option<Columns> {
        let order = self.tables.get(table)?.orders.iter().find(|order| order.len() == count)?;
        Some(self.columns(table, order))
    }

    fn copy(&mut self) -> Result<(), Fault> {
        let table = self.table()?;
        let listed = self.column_list()?;
        let mut options: Vec<u8> = Vec::new();
        self.skip_to(|byte| byte == b';', |passed| keep_beginning(&mut options, passed))?;
        self.scanner.skip_line()?;
        let options = String::from_utf8_lossy(&options).trim().to_ascii_lowercase();
        if !options.starts_with("from stdin") {
            return Ok(());
        }
        let table = match table {
            Some(table) if options == "from stdin" => Some(table),
            Some(_) => {
                let line = self.statement_line;
                let message = "only the plain form of `COPY ... FROM stdin` is read".to_owned();
                self.error(line, "unknown-copy-format", message);
                None
            }
            None => None,
        };
        let Some(table) = table else { return self.skip_copied() };
        if let Some(rows) = self.rows.get_mut(table) {
            rows.get_or_insert(0);
        }
        let mut columns = listed
            .or_else(|| self.created.get(table).cloned().flatten())
            .map(|names| self.columns(table, &names));
        let mut cells: Vec<(usize, Cell)> = Vec::new();
        while !copy::is_last_line(&mut self.scanner)? {
            let line = self.scanner.line();
            cells.clear();
            let count = copy::read_line(&mut self.scanner, |position, cell| {
                keep(columns.as_ref(), position, cell, &mut cells);
            })?;
            if columns.is_none() {
                columns = self.known_order(table, count);
            }
            self.end_row(table, line, columns.as_ref(), count, &mut cells);
        }
        Ok(())
    }

    fn skip_copied(&mut self) -> Result<(), Fault> {
        while !copy::is_last_line(&mut self.scanner)? {
            if self.scanner.peek()?.is_none() {
                return Err(Fault::End);
            }
            self.scanner.skip_line()?;
        }
        Ok(())
    }
}

/// Rows of which it is not known what their columns are: no table of interest has more.
const MOST_KEPT: usize = 64;

/// No database has tables with more.
const MOST_COLUMNS: usize = 4096;

fn add_column(columns: &mut Vec<String>, column: String) -> Result<(), Fault> {
    if columns.len() == MOST_COLUMNS {
        return Err(Fault::Expected("a table of less than 4096 columns"));
    }
    columns.push(column);
    Ok(())
}

/// Keeps as much of a statement as is looked at.
fn keep_beginning(text: &mut Vec<u8>, passed: &[u8]) {
    let room = 256_usize.saturating_sub(text.len());
    text.extend(passed.iter().take(room));
}

fn keep(columns: Option<&Columns>, position: usize, cell: Cell, cells: &mut Vec<(usize, Cell)>) {
    let is_wanted = match columns {
        Some(columns) => columns.wanted.get(position).is_some_and(Option::is_some),
        None => position < MOST_KEPT,
    };
    if is_wanted {
        cells.push((position, cell));
    }
}
