//! The audit log as a table of Parquet: the fields of its JSON lines as columns.

use std::io::{self, Write};

use guardbee_lineage::utc;
use guardbee_wire::audit::{AuditLine, Touched};

use crate::parquet::{Column, Field, Kind, Repetition, Writer};

/// Rows that are kept together, and in memory: so many, or as many as have so many bytes.
const MOST_ROWS: usize = 20_000;
const MOST_BYTES: usize = 8 << 20;

const fn leaf(name: &'static str, kind: Kind) -> Field {
    Field::Leaf { name, kind, repetition: Repetition::Required }
}

const FIELDS: &[Field] = &[
    Field::Group { name: "audit", children: 14 },
    leaf("number", Kind::Number),
    leaf("at", Kind::Time),
    leaf("user", Kind::Text),
    Field::List { name: "groups" },
    leaf("group", Kind::Text),
    leaf("kind", Kind::Text),
    leaf("operation", Kind::Text),
    leaf("verdict", Kind::Text),
    leaf("statement", Kind::Text),
    Field::List { name: "objects" },
    Field::Group { name: "object", children: 3 },
    leaf("name", Kind::Text),
    leaf("access", Kind::Text),
    Field::List { name: "columns" },
    leaf("column", Kind::Text),
    Field::List { name: "reasons" },
    leaf("reason", Kind::Text),
    Field::List { name: "missing" },
    leaf("right", Kind::Text),
    leaf("policy_version", Kind::Number),
    Field::Leaf { name: "client", kind: Kind::Text, repetition: Repetition::Optional },
    leaf("hash", Kind::Text),
];

/// The file, and the rows that are not in it yet.
pub struct AuditTable<W> {
    writer: Writer<W>,
    columns: [Column; 16],
    rows: usize,
}

impl<W: Write> AuditTable<W> {
    /// # Errors
    /// What keeps it from being written, as with all of this.
    pub fn new(out: W) -> io::Result<Self> {
        let columns = [
            Column::required(&["number"], Kind::Number),
            Column::required(&["at"], Kind::Time),
            Column::required(&["user"], Kind::Text),
            Column::repeated(&["groups", "list", "element"], Kind::Text),
            Column::required(&["kind"], Kind::Text),
            Column::required(&["operation"], Kind::Text),
            Column::required(&["verdict"], Kind::Text),
            Column::required(&["statement"], Kind::Text),
            Column::repeated(&["objects", "list", "element", "name"], Kind::Text),
            Column::repeated(&["objects", "list", "element", "access"], Kind::Text),
            Column::repeated(&["objects", "list", "element", "columns", "list", "element"], Kind::Text),
            Column::repeated(&["reasons", "list", "element"], Kind::Text),
            Column::repeated(&["missing", "list", "element"], Kind::Text),
            Column::required(&["policy_version"], Kind::Number),
            Column::optional(&["client"], Kind::Text),
            Column::required(&["hash"], Kind::Text),
        ];
        Ok(Self { writer: Writer::new(out)?, columns, rows: 0 })
    }

    pub fn add(&mut self, line: &AuditLine) -> io::Result<()> {
        let [
            number,
            at,
            user,
            groups,
            kind,
            operation,
            verdict,
            statement,
            names,
            accesses,
            touched,
            reasons,
            missing,
            policy_version,
            client,
            hash,
        ] = &mut self.columns;
        number.number(line.number.cast_signed());
        at.number(time_of(line)?);
        user.text(&line.user);
        list(groups, &line.groups);
        kind.text(&line.kind);
        operation.text(&line.operation);
        verdict.text(&line.verdict);
        statement.text(&line.statement);
        list(names, line.objects.iter().map(|object| &object.name));
        list(accesses, line.objects.iter().map(|object| &object.access));
        lists(touched, &line.objects);
        list(reasons, &line.reasons);
        list(missing, &line.missing);
        policy_version.number(line.policy_version.cast_signed());
        match &line.client {
            Some(name) => {
                client.levels(1, 0);
                client.text(name);
            }
            None => client.nothing(0, 0),
        }
        hash.text(&line.hash);
        self.rows += 1;
        let size: usize = self.columns.iter().map(Column::size).sum();
        if self.rows == MOST_ROWS || size >= MOST_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> io::Result<()> {
        self.writer.group(&mut self.columns, std::mem::take(&mut self.rows))
    }

    /// Hands back where it was written to.
    pub fn finish(mut self) -> io::Result<W> {
        if self.rows > 0 {
            self.write()?;
        }
        self.writer.finish(FIELDS, &self.columns)
    }
}

/// The moment of a record, which its text tells to the millisecond.
fn time_of(line: &AuditLine) -> io::Result<i64> {
    let time = utc::parse(&line.at).map(|time| time.0);
    time.ok_or_else(|| io::Error::other(format!("the record {} has no time", line.number)))
}

/// The first of a row opens its list.
fn list<T: AsRef<str>>(column: &mut Column, texts: impl IntoIterator<Item = T>) {
    let mut repetition = 0;
    for text in texts {
        column.levels(1, repetition);
        column.text(text.as_ref());
        repetition = 1;
    }
    if repetition == 0 {
        column.nothing(0, 0);
    }
}

/// The columns of each object: a list in each element of a list.
fn lists(column: &mut Column, objects: &[Touched]) {
    if objects.is_empty() {
        column.nothing(0, 0);
    }
    for (place, object) in objects.iter().enumerate() {
        let mut repetition = u8::from(place > 0);
        if object.columns.is_empty() {
            column.nothing(1, repetition);
        }
        for name in &object.columns {
            column.levels(2, repetition);
            column.text(name);
            repetition = 2;
        }
    }
}
