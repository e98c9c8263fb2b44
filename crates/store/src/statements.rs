//! The SQL. Both databases read the same statements but for how they write a parameter and lock a row.

use crate::block;
use crate::rows::{Column, Kind, Table};

/// How whole tables are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Row by row.
    Rows,
    /// Entries by the block: the database packs many rows into one text. With SQLite a row costs several allocations
    /// for each of its columns, and there may be a million.
    Blocks,
}

/// What differs between the databases.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    pub reading: Reading,
    /// In front of the names of tables.
    pub prefix: &'static str,
    /// How parameters are written.
    pub parameters: Parameters,
    /// Behind the SELECT of a row that nobody else may change until the transaction ends.
    pub row_lock: &'static str,
    /// Tells other processes of something newer, where the database can. Parameters: [what it is](News), and the number
    /// that says how new, as text.
    pub tell: Option<&'static str>,
}

/// What others are told of when it is newer. Each has a number in the store that only grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    Policy,
    Runs,
    Accounts,
}

impl News {
    /// The name of the channel that tells of it, where the database has such.
    pub const fn channel(self) -> &'static str {
        match self {
            Self::Policy => "guardbee_version",
            Self::Runs => "guardbee_run",
            Self::Accounts => "guardbee_account",
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub enum Parameters {
    /// `?`: those of SQLite; it searches for numbered ones by name, which takes long where there are many.
    Plain,
    /// `$1`
    Numbered,
}

/// Writes one statement after the other piece of it, and counts its parameters.
pub(crate) struct Writer {
    sql: String,
    parameters: Parameters,
    count: usize,
}

impl Writer {
    pub(crate) const fn new(dialect: Dialect) -> Self {
        Self { sql: String::new(), parameters: dialect.parameters, count: 0 }
    }

    pub(crate) fn push(&mut self, piece: &str) -> &mut Self {
        self.sql.push_str(piece);
        self
    }

    pub(crate) fn parameter(&mut self) -> &mut Self {
        self.count += 1;
        match self.parameters {
            Parameters::Plain => self.sql.push('?'),
            Parameters::Numbered => {
                self.sql.push('$');
                self.sql.push_str(&self.count.to_string());
            }
        }
        self
    }

    /// `(?, ?), (?, ?)`
    pub(crate) fn tuples(&mut self, rows: usize, width: usize) -> &mut Self {
        for row in 0..rows {
            self.push(if row == 0 { "(" } else { ", (" });
            for place in 0..width {
                if place > 0 {
                    self.push(", ");
                }
                self.parameter();
            }
            self.push(")");
        }
        self
    }

    pub(crate) fn finish(&mut self) -> String {
        std::mem::take(&mut self.sql)
    }
}

fn names(columns: impl Iterator<Item = Column>) -> String {
    columns.map(|(name, _)| name).collect::<Vec<_>>().join(", ")
}

impl Dialect {
    /// The newest version.
    pub fn version(self) -> String {
        format!("SELECT version FROM {}state WHERE id = 1", self.prefix)
    }

    /// The number of some news.
    pub fn number_of(self, news: News) -> String {
        match news {
            News::Policy => self.version(),
            News::Runs => self.run_changes(),
            News::Accounts => self.account_changes(),
        }
    }

    /// The same, to be held until the transaction ends.
    pub fn lock_version(self) -> String {
        self.version() + self.row_lock
    }

    /// By how many the newest version and the newest record are apart; seen at one moment.
    pub fn drift(self) -> String {
        let prefix = self.prefix;
        format!(
            "SELECT version - (SELECT coalesce(max(version), 0) FROM {prefix}versions) FROM {prefix}state WHERE id = 1"
        )
    }

    /// Parameter: the version.
    pub fn set_version(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push("state SET version = ").parameter();
        writer.push(" WHERE id = 1").finish()
    }

    /// The columns of the record of a version, in the order of their checksum.
    const RECORD: &'static str =
        "version, author, at, reason, change_count, idempotency_key, touched, next_entry_id, checksum";

    pub const RECORD_KINDS: &'static [Kind] = &[
        Kind::Integer,
        Kind::Text,
        Kind::Integer,
        Kind::Text,
        Kind::Integer,
        Kind::Text,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
    ];

    pub fn add_record(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("versions (").push(Self::RECORD);
        writer.push(", record_checksum) VALUES ").tuples(1, Self::RECORD_KINDS.len()).finish()
    }

    fn records(self) -> Writer {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::RECORD).push(", record_checksum FROM ");
        writer.push(self.prefix).push("versions WHERE ");
        writer
    }

    /// Parameter: the version.
    pub fn record(self) -> String {
        self.records().push("version = ").parameter().finish()
    }

    /// Parameters: the version that they come before, how many.
    pub fn records_before(self) -> String {
        let mut writer = self.records();
        writer.push("version < ").parameter().push(" ORDER BY version DESC LIMIT ").parameter().finish()
    }

    /// Parameters: the version that they come after, how many.
    pub fn records_after(self) -> String {
        let mut writer = self.records();
        writer.push("version > ").parameter().push(" ORDER BY version LIMIT ").parameter().finish()
    }

    /// Parameter: the key of idempotency.
    pub fn version_of_key(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT version FROM ").push(self.prefix).push("versions WHERE idempotency_key = ");
        writer.parameter().finish()
    }

    /// The rows of a table that are there in a version. Parameters: the version, twice.
    pub fn rows_at(self, table: Table) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(&names(table.columns())).push(" FROM ").push(self.prefix);
        writer.push(table.name()).push(" WHERE created_version <= ").parameter();
        writer.push(" AND (removed_version IS NULL OR removed_version > ").parameter();
        writer.push(") ORDER BY ").push(&names(table.key().iter().copied())).finish()
    }

    /// The rows of the entries that are there in a version, packed as [`crate::block`] says, a block of ids at a time.
    /// Parameters: the version, twice.
    pub fn entry_blocks(self) -> String {
        let table = format!("{}{}", self.prefix, Table::Entries.name());
        let cells: Vec<String> = Table::Entries
            .columns()
            .map(|(name, _)| format!("ifnull({name}, char({}))", block::NOTHING as u32))
            .collect();
        let row = cells.join(&format!(" || char({}) || ", block::CELL_END as u32));
        let mut writer = Writer::new(self);
        writer.push("WITH RECURSIVE blocks(first) AS (SELECT min(id) FROM ").push(&table);
        writer.push(" UNION ALL SELECT (SELECT min(id) FROM ").push(&table).push(" WHERE id >= first + ");
        writer.push(&block::IDS.to_string()).push(") FROM blocks WHERE first IS NOT NULL) ");
        writer.push("SELECT (SELECT group_concat(").push(&row).push(", char(");
        writer.push(&(block::ROW_END as u32).to_string()).push(")) FROM ").push(&table);
        writer.push(" WHERE id >= first AND id < first + ").push(&block::IDS.to_string());
        writer.push(" AND created_version <= ").parameter();
        writer.push(" AND (removed_version IS NULL OR removed_version > ").parameter();
        writer.push(")) FROM blocks WHERE first IS NOT NULL").finish()
    }

    /// The rows of a table that begin or end with one of some versions, and when. Parameters: the versions after
    /// which and up to which, twice.
    pub fn rows_between(self, table: Table) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT created_version, removed_version, ").push(&names(table.columns()));
        writer.push(" FROM ").push(self.prefix).push(table.name());
        writer.push(" WHERE (created_version > ").parameter().push(" AND created_version <= ").parameter();
        writer.push(") OR (removed_version > ").parameter().push(" AND removed_version <= ").parameter();
        writer.push(") ORDER BY ").push(&names(table.key().iter().copied())).finish()
    }

    /// Ends the rows with some keys. Parameters: the version, the keys. Gives the checksums of those rows.
    pub fn close(self, table: Table, rows: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push(table.name()).push(" SET removed_version = ");
        writer.parameter().push(" WHERE removed_version IS NULL AND (");
        writer.push(&names(table.key().iter().copied())).push(") IN (VALUES ");
        writer.tuples(rows, table.key().len()).push(") RETURNING checksum").finish()
    }

    /// Begins rows. Parameters of each: its columns, checksum, the version.
    pub fn insert(self, table: Table, rows: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push(table.name()).push(" (");
        writer.push(&names(table.columns())).push(", checksum, created_version) VALUES ");
        writer.tuples(rows, table.columns().count() + 2).finish()
    }
}
