//! Copies tables from one database to another, and sums up what they hold.

use async_trait::async_trait;

use super::shape::{Shape, TableShape};
use super::{Progress, Trouble};
use crate::batches::batches;
use crate::checksum;
use crate::rows::Value;
use crate::session::{Failure, OwnedRow, Session, Taker, values_of};
use crate::statements::{Dialect, Writer};

/// How many rows a table has, and the sum of their checksums: whatever order they come in, it is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSum {
    pub name: String,
    pub rows: u64,
    pub checksum: i64,
}

impl TableSum {
    const fn none(name: String) -> Self {
        Self { name, rows: 0, checksum: 0 }
    }

    /// As the seal keeps it.
    pub fn values(&self) -> [Value<'_>; 3] {
        [Value::Text(&self.name), Value::Integer(self.rows.cast_signed()), Value::Integer(self.checksum)]
    }

    fn add(&mut self, values: &[Value<'_>]) {
        self.rows += 1;
        self.checksum = self.checksum.wrapping_add(checksum::of_copied(&self.name, values));
    }
}

/// What is copied into.
pub struct Target<'t> {
    pub session: &'t mut dyn Session,
    pub dialect: Dialect,
}

/// Copies all tables, in place of what the migrations put there; what was read.
pub async fn copy(
    source: &mut dyn Session,
    dialect: Dialect,
    target: &mut Target<'_>,
    shape: &Shape,
    progress: &mut Progress<'_>,
) -> Result<Vec<TableSum>, Trouble> {
    let mut sums = Vec::new();
    for table in &shape.tables {
        let clear = format!("DELETE FROM {}{}", target.dialect.prefix, table.name);
        target.session.execute(&clear, &[]).await.map_err(Trouble::Target)?;
        let mut copying =
            Copying { target, table, sum: TableSum::none(table.name.clone()), progress, failure: None };
        let read = source.hand_over(&select(dialect, table), &table.kinds(), &mut copying).await;
        let Copying { sum, failure, .. } = copying;
        match (failure, read) {
            (Some(failure), _) => return Err(Trouble::Target(failure)),
            (None, Err(failure)) => return Err(Trouble::Source(failure)),
            (None, Ok(())) => sums.push(sum),
        }
    }
    Ok(sums)
}

/// What the tables hold.
pub async fn sums(
    session: &mut dyn Session,
    dialect: Dialect,
    shape: &Shape,
) -> Result<Vec<TableSum>, Failure> {
    let mut sums = Vec::new();
    for table in &shape.tables {
        let mut sum = TableSum::none(table.name.clone());
        session
            .rows(&select(dialect, table), &[], &table.kinds(), &mut |row| {
                sum.add(row);
                Ok(())
            })
            .await?;
        sums.push(sum);
    }
    Ok(sums)
}

fn select(dialect: Dialect, table: &TableShape) -> String {
    format!("SELECT {} FROM {}{}", table.column_names(), dialect.prefix, table.name)
}

struct Copying<'c, 't, 'p> {
    target: &'c mut Target<'t>,
    table: &'c TableShape,
    sum: TableSum,
    progress: &'c mut Progress<'p>,
    /// What the target said: the reading ends with it, and is not to blame.
    failure: Option<Failure>,
}

#[async_trait]
impl Taker for Copying<'_, '_, '_> {
    async fn take(&mut self, rows: &[OwnedRow]) -> bool {
        for batch in batches(rows) {
            if let Err(failure) = self.insert(batch).await {
                self.failure = Some(failure);
                return false;
            }
        }
        (self.progress)(rows.len() as u64);
        true
    }
}

impl Copying<'_, '_, '_> {
    async fn insert(&mut self, rows: &[OwnedRow]) -> Result<(), Failure> {
        let dialect = self.target.dialect;
        let mut values = Vec::with_capacity(rows.len() * self.table.columns.len());
        for row in rows {
            let from = values.len();
            values.extend(values_of(row));
            self.sum.add(values.get(from..).unwrap_or_default());
        }
        let mut writer = Writer::new(dialect);
        writer.push("INSERT INTO ").push(dialect.prefix).push(&self.table.name);
        writer.push(" (").push(&self.table.column_names()).push(") VALUES ");
        let sql = writer.tuples(rows.len(), self.table.columns.len()).finish();
        self.target.session.execute(&sql, &values).await
    }
}
