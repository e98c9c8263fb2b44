//! What a backup says of itself: two tables beside those of the store.

use guardbee_engine::store::StoreError;
use guardbee_model::Timestamp;

use super::copy::TableSum;
use crate::checksum;
use crate::rows::{Kind, Value};
use crate::session::{Failure, Session};

/// `PRAGMA application_id` of a backup: no store, so that nobody works in it and breaks its seal.
pub const APPLICATION: i64 = 0x4742_424b;

/// The form of backups that this version of the code writes.
const FORM: i64 = 1;

const MAKE: [&str; 2] = [
    "CREATE TABLE backup (form BIGINT NOT NULL, made_at BIGINT NOT NULL, schema BIGINT NOT NULL, checksum BIGINT NOT NULL)",
    "CREATE TABLE backup_tables (name TEXT PRIMARY KEY, row_count BIGINT NOT NULL, checksum BIGINT NOT NULL)",
];

pub struct Seal {
    pub made_at: Timestamp,
    /// That of the store it was made of.
    pub schema: i64,
    /// By name.
    pub tables: Vec<TableSum>,
}

impl Seal {
    pub async fn write(&self, session: &mut dyn Session) -> Result<(), Failure> {
        for sql in MAKE {
            session.execute(sql, &[]).await?;
        }
        for table in &self.tables {
            session.execute("INSERT INTO backup_tables VALUES (?, ?, ?)", &table.values()).await?;
        }
        let values = [FORM, self.made_at.0, self.schema, self.checksum()].map(Value::Integer);
        session.execute("INSERT INTO backup VALUES (?, ?, ?, ?)", &values).await?;
        session.execute(&format!("PRAGMA application_id = {APPLICATION}"), &[]).await
    }

    /// # Errors
    /// [`StoreError::Damaged`] where there is none, or it was changed.
    pub async fn read(session: &mut dyn Session) -> Result<Self, Failure> {
        let mut heads = Vec::new();
        let sql = "SELECT form, made_at, schema, checksum FROM backup";
        session
            .rows(sql, &[], &[Kind::Integer; 4], &mut |row| {
                if let [
                    Value::Integer(form),
                    Value::Integer(at),
                    Value::Integer(schema),
                    Value::Integer(sum),
                ] = *row
                {
                    heads.push((form, at, schema, sum));
                }
                Ok(())
            })
            .await?;
        let mut tables = Vec::new();
        let sql = "SELECT name, row_count, checksum FROM backup_tables ORDER BY name";
        session
            .rows(sql, &[], &[Kind::Text, Kind::Integer, Kind::Integer], &mut |row| {
                if let [Value::Text(name), Value::Integer(rows), Value::Integer(checksum)] = *row {
                    tables.push(TableSum { name: name.to_owned(), rows: rows.cast_unsigned(), checksum });
                }
                Ok(())
            })
            .await?;
        let [(form, made_at, schema, checksum)] = *heads else {
            return Err(StoreError::Damaged("its seal is missing".into()).into());
        };
        if form > FORM {
            return Err(StoreError::Damaged("it has a form that a newer guardbee writes".into()).into());
        }
        let seal = Self { made_at: Timestamp(made_at), schema, tables };
        match seal.checksum() == checksum {
            true => Ok(seal),
            false => Err(StoreError::Damaged("its seal was changed".into()).into()),
        }
    }

    /// Over all of it, so that no table can go with its row in the seal.
    fn checksum(&self) -> i64 {
        let head = checksum::of_copied("backup", &[FORM, self.made_at.0, self.schema].map(Value::Integer));
        self.tables
            .iter()
            .fold(head, |sum, table| sum.wrapping_add(checksum::of_copied("backup_tables", &table.values())))
    }
}
