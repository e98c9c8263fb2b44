//! Reads a whole policy at a version.

use guardbee_engine::store::{At, LoadedHead, PolicyVersion, StoreError};
use guardbee_policy::Change;

use crate::rows::{Kind, Table, Value};
use crate::session::{Failure, Session};
use crate::statements::{Dialect, Reading};
use crate::{block, checksum, columns, history};

/// Hands over the steps that build the policy, and makes sure that they are what was written. What was handed
/// over before an error is worth nothing.
pub async fn load(
    session: &mut dyn Session,
    dialect: Dialect,
    at: At,
    each: &mut (dyn FnMut(Change) + Send),
) -> Result<LoadedHead, Failure> {
    history::check_newest(session, dialect).await?;
    let latest = session.integer(&dialect.version()).await?;
    let version = match at {
        At::Latest => latest,
        At::Version(version) => i64::try_from(version.0)
            .ok()
            .filter(|number| *number <= latest)
            .ok_or(StoreError::UnknownVersion(version))?,
    };
    let expected = history::state(session, dialect, version).await?;
    let next_entry_id = history::state(session, dialect, latest).await?.next_entry_id;
    let mut sum = 0_i64;
    for table in Table::ALL {
        sum = sum.wrapping_add(rows(session, dialect, table, version, each).await?);
    }
    if sum != expected.checksum {
        let message = format!("the rows of version {version} are not what was written");
        return Err(StoreError::Damaged(message).into());
    }
    Ok(LoadedHead { version: PolicyVersion(version.cast_unsigned()), next_entry_id })
}

/// The sum of the checksums of the rows.
async fn rows(
    session: &mut dyn Session,
    dialect: Dialect,
    table: Table,
    version: i64,
    each: &mut (dyn FnMut(Change) + Send),
) -> Result<i64, Failure> {
    let kinds: Vec<Kind> = table.columns().map(|(_, kind)| kind).collect();
    let values = [Value::Integer(version); 2];
    let mut sum = 0_i64;
    let mut take = |row: &[Value<'_>]| {
        sum = sum.wrapping_add(checksum::of_row(table, row));
        let damaged = || StoreError::Damaged(format!("a row of {} cannot be read", table.name()));
        each(columns::put(table, row).ok_or_else(damaged)?);
        Ok(())
    };
    if table == Table::Entries && dialect.reading == Reading::Blocks {
        let mut take_block = |row: &[Value<'_>]| match row {
            [Value::Text(text)] => block::each_row(text, &kinds, &mut take),
            // All that the block had is gone.
            _ => Ok(()),
        };
        session.rows(&dialect.entry_blocks(), &values, &[Kind::Text], &mut take_block).await?;
    } else {
        session.rows(&dialect.rows_at(table), &values, &kinds, &mut take).await?;
    }
    Ok(sum)
}
