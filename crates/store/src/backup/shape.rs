//! Which tables and columns a schema has, told by the migrations themselves: what a later one adds is copied without a
//! word here.

use guardbee_engine::store::StoreError;
use sqlx::ConnectOptions as _;
use sqlx::sqlite::SqliteConnectOptions;

use crate::rows::{Kind, Value};
use crate::schema;
use crate::session::{Failure, MOST_COLUMNS, Session};

/// The tables of a schema, by name.
pub struct Shape {
    pub tables: Vec<TableShape>,
}

pub struct TableShape {
    pub name: String,
    pub columns: Vec<(String, Kind)>,
}

impl TableShape {
    pub fn kinds(&self) -> Vec<Kind> {
        self.columns.iter().map(|(_, kind)| *kind).collect()
    }

    /// `a, b, c`
    pub fn column_names(&self) -> String {
        self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl Shape {
    pub async fn of(version: i64) -> Result<Self, Failure> {
        let mut empty =
            SqliteConnectOptions::new().in_memory(true).disable_statement_logging().connect().await?;
        schema::make_sqlite(&mut empty, version).await?;
        let mut tables = Vec::new();
        for name in names(&mut empty).await? {
            let columns = columns(&mut empty, &name).await?;
            tables.push(TableShape { name, columns });
        }
        Ok(Self { tables })
    }
}

async fn names(session: &mut dyn Session) -> Result<Vec<String>, Failure> {
    let sql = format!(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
         AND name <> '{}' ORDER BY name",
        schema::SQLITE_MIGRATIONS
    );
    let mut names = Vec::new();
    session
        .rows(&sql, &[], &[Kind::Text], &mut |row| {
            if let [Value::Text(name)] = *row {
                names.push(name.to_owned());
            }
            Ok(())
        })
        .await?;
    Ok(names)
}

async fn columns(session: &mut dyn Session, table: &str) -> Result<Vec<(String, Kind)>, Failure> {
    let sql = "SELECT name, type FROM pragma_table_info(?) ORDER BY cid";
    let mut columns = Vec::new();
    session
        .rows(sql, &[Value::Text(table)], &[Kind::Text; 2], &mut |row| {
            if let [Value::Text(name), Value::Text(declared)] = *row {
                let kind = kind(declared).ok_or_else(|| unknown(table, name))?;
                columns.push((name.to_owned(), kind));
            }
            Ok(())
        })
        .await?;
    match columns.len() {
        1..=MOST_COLUMNS => Ok(columns),
        _ => Err(unknown(table, "*").into()),
    }
}

fn kind(declared: &str) -> Option<Kind> {
    Some(match declared {
        "BIGINT" | "INTEGER" => Kind::Integer,
        "TEXT" => Kind::Text,
        "BLOB" => Kind::Bytes,
        _ => return None,
    })
}

fn unknown(table: &str, column: &str) -> StoreError {
    StoreError::Damaged(format!("it is not known how `{table}.{column}` is copied"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table that nobody can copy would be missing in every backup: this fails as soon as a migration makes one.
    #[tokio::test]
    async fn every_schema_can_be_copied() {
        let mut before = 0;
        for version in 1..=schema::KNOWN {
            let Ok(shape) = Shape::of(version).await else { panic!("schema {version} cannot be copied") };
            assert!(shape.tables.len() >= 10 && shape.tables.len() >= before, "schema {version}");
            before = shape.tables.len();
        }
        assert!(before >= 21);
    }
}
