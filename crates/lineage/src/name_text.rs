//! Names and partitions as one text each, so that they are kept flat and ordered by comparing bytes.
//!
//! A letter says what it is, the fields follow. The two characters that separate fields are written as two each
//! where a field has them, so that different names never give the same text.

use std::sync::Arc;

use guardbee_model::{Name, TableName};
use smol_str::SmolStr;

use crate::run::{DatasetName, Partition, RunKey};

const SEPARATOR: char = '\u{0}';
const ESCAPE: char = '\u{1}';
/// After the escape: which of the two was meant.
const ESCAPED_SEPARATOR: char = '\u{2}';
const ESCAPED_ESCAPE: char = '\u{3}';
/// Opens the value of a partition column, where it is known.
const KNOWN: char = '=';

pub(crate) const DATABASE: char = 'a';
pub(crate) const TABLE: char = 'b';
pub(crate) const TEMPORARY: char = 'c';
pub(crate) const PATH: char = 'd';
const RESULT: char = 'e';

pub(crate) fn write_dataset(name: &DatasetName, text: &mut String) {
    text.clear();
    match name {
        DatasetName::Database(database) => field(text, DATABASE, database),
        DatasetName::Table(table) => {
            field(text, TABLE, &table.database);
            field(text, SEPARATOR, &table.table);
        }
        DatasetName::Temporary { session, table } => {
            field(text, TEMPORARY, &table.database);
            field(text, SEPARATOR, &table.table);
            field(text, SEPARATOR, session);
        }
        DatasetName::Path(path) => field(text, PATH, path),
        DatasetName::Result(run) => field(text, RESULT, &run.0),
    }
}

pub(crate) fn read_dataset(text: &str) -> DatasetName {
    let mut fields = Fields::of(text.get(1..).unwrap_or_default());
    match text.chars().next() {
        Some(TABLE) => DatasetName::Table(fields.table()),
        Some(TEMPORARY) => {
            let table = fields.table();
            DatasetName::Temporary { session: SmolStr::new(fields.next()), table }
        }
        Some(PATH) => DatasetName::Path(Arc::from(fields.next())),
        Some(RESULT) => DatasetName::Result(RunKey(SmolStr::new(fields.next()))),
        _ => DatasetName::Database(fields.name()),
    }
}

/// The text of the database that a table lives in, given the table's.
pub(crate) fn database_of(text: &str) -> Option<String> {
    let rest = text.strip_prefix([TABLE, TEMPORARY])?;
    let database = rest.split(SEPARATOR).next().unwrap_or_default();
    Some(format!("{DATABASE}{database}"))
}

pub(crate) fn is_temporary(text: &str) -> bool {
    text.starts_with(TEMPORARY)
}

pub(crate) fn write_partition(partition: &Partition, text: &mut String) {
    text.clear();
    for (column, value) in partition {
        field(text, SEPARATOR, column);
        match value {
            None => text.push(SEPARATOR),
            Some(value) => {
                text.push(SEPARATOR);
                field(text, KNOWN, value);
            }
        }
    }
}

pub(crate) fn read_partition(text: &str) -> Partition {
    let mut partition = Partition::new();
    let Some(text) = text.strip_prefix(SEPARATOR) else { return partition };
    let mut fields = Fields::of(text);
    while !fields.is_over() {
        let column = fields.name();
        let value = fields.next();
        partition.push((column, value.strip_prefix(KNOWN).map(Arc::from)));
    }
    partition
}

fn field(text: &mut String, before: char, value: &str) {
    text.push(before);
    if !value.contains([SEPARATOR, ESCAPE]) {
        text.push_str(value);
        return;
    }
    for letter in value.chars() {
        match letter {
            SEPARATOR => text.extend([ESCAPE, ESCAPED_SEPARATOR]),
            ESCAPE => text.extend([ESCAPE, ESCAPED_ESCAPE]),
            other => text.push(other),
        }
    }
}

struct Fields<'t> {
    rest: Option<&'t str>,
}

impl<'t> Fields<'t> {
    const fn of(text: &'t str) -> Self {
        Self { rest: Some(text) }
    }

    const fn is_over(&self) -> bool {
        self.rest.is_none()
    }

    fn next(&mut self) -> String {
        let Some(rest) = self.rest else { return String::new() };
        let (field, rest) = match rest.split_once(SEPARATOR) {
            Some((field, rest)) => (field, Some(rest)),
            None => (rest, None),
        };
        self.rest = rest;
        if !field.contains(ESCAPE) {
            return field.to_owned();
        }
        field.replace("\u{1}\u{2}", "\u{0}").replace("\u{1}\u{3}", "\u{1}")
    }

    /// Names are kept as they came: they are folded already.
    fn name(&mut self) -> Name {
        Name::fold(&self.next())
    }

    fn table(&mut self) -> TableName {
        let database = self.name();
        TableName::new(database, self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back_as_it_went_in() {
        let odd =
            ["", "a", "a.b", "it's \"q\"", "new\nline", "\u{0}", "\u{1}\u{2}", "\u{1}", "größe", "日本"];
        let mut texts = Vec::new();
        for one in odd {
            for other in odd {
                let table = TableName::new(Name::fold(one), Name::fold(other));
                let names = [
                    DatasetName::Table(table.clone()),
                    DatasetName::Temporary { session: SmolStr::new(one), table },
                    DatasetName::Path(Arc::from(one)),
                    DatasetName::Result(RunKey(SmolStr::new(one))),
                    DatasetName::Database(Name::fold(one)),
                ];
                for name in names {
                    let mut text = String::new();
                    write_dataset(&name, &mut text);
                    assert_eq!(read_dataset(&text), name);
                    texts.push((text, name));
                }
            }
        }
        for (text, name) in &texts {
            assert!(texts.iter().all(|(other, same)| (other == text) == (same == name)));
        }
    }

    #[test]
    fn every_partition_comes_back_as_it_went_in() {
        let values = [None, Some(""), Some("="), Some("a\u{0}b"), Some("2020-01-01")];
        for one in values {
            for other in values {
                let partition: Partition =
                    vec![(Name::fold("ds"), one.map(Arc::from)), (Name::fold("\u{1}"), other.map(Arc::from))];
                let mut text = String::new();
                write_partition(&partition, &mut text);
                assert_eq!(read_partition(&text), partition);
            }
        }
        let mut text = String::new();
        write_partition(&Partition::new(), &mut text);
        assert_eq!(read_partition(&text), Partition::new());
    }
}
