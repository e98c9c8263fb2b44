//! The migrations. Each is in the binary; a store that knows more of them than this binary is not opened.

use guardbee_engine::store::StoreError;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{PgConnection, SqlSafeStr, SqliteConnection};

use crate::session::Failure;

/// The schema that this version of the code reads and writes.
pub const KNOWN: i64 = 6;

/// `PRAGMA application_id` of our files; the first migration sets it.
pub const SQLITE_APPLICATION: i64 = 0x4742_4545;

/// Where sqlx keeps which migrations have run.
pub const SQLITE_MIGRATIONS: &str = "_sqlx_migrations";
pub const POSTGRES_MIGRATIONS: &str = "guardbee._sqlx_migrations";

fn migration(version: i64, description: &'static str, sql: &'static str) -> Migration {
    Migration::new(version, description.into(), MigrationType::Simple, sql.into_sql_str(), false)
}

pub fn sqlite() -> Migrator {
    let migrations = vec![
        migration(1, "policy", include_str!("../migrations/sqlite/0001_policy.sql")),
        migration(2, "runs", include_str!("../migrations/sqlite/0002_runs.sql")),
        migration(3, "accounts", include_str!("../migrations/sqlite/0003_accounts.sql")),
        migration(4, "operations", include_str!("../migrations/sqlite/0004_operations.sql")),
        migration(5, "audit blocks", include_str!("../migrations/sqlite/0005_audit_blocks.sql")),
        migration(6, "jobs", include_str!("../migrations/sqlite/0006_jobs.sql")),
    ];
    // The caller holds the only right to write.
    Migrator { locking: false, ..Migrator::with_migrations(migrations) }
}

pub fn postgres() -> Migrator {
    let migrations = vec![
        migration(1, "policy", include_str!("../migrations/postgres/0001_policy.sql")),
        migration(2, "runs", include_str!("../migrations/postgres/0002_runs.sql")),
        migration(3, "accounts", include_str!("../migrations/postgres/0003_accounts.sql")),
        migration(4, "operations", include_str!("../migrations/postgres/0004_operations.sql")),
        migration(5, "audit blocks", include_str!("../migrations/postgres/0005_audit_blocks.sql")),
        migration(6, "jobs", include_str!("../migrations/postgres/0006_jobs.sql")),
    ];
    Migrator {
        table_name: POSTGRES_MIGRATIONS.into(),
        create_schemas: vec!["guardbee".into()].into(),
        ..Migrator::with_migrations(migrations)
    }
}

/// Brings the tables to a schema, from none or an older one.
pub async fn make_sqlite(connection: &mut SqliteConnection, schema: i64) -> Result<(), Failure> {
    sqlite().run_direct(Some(schema), connection, false).await.map_err(failure)
}

/// The same, within the transaction that the connection is in.
pub async fn make_postgres(connection: &mut PgConnection, schema: i64) -> Result<(), Failure> {
    let migrator = Migrator { locking: false, ..postgres() };
    migrator.run_direct(Some(schema), connection, false).await.map_err(failure)
}

/// Gives more than 0 where something was ever put into the tables of a schema.
pub fn something_in(prefix: &str, schema: i64) -> String {
    let version = format!("(SELECT version FROM {prefix}state WHERE id = 1)");
    let runs = format!("(SELECT newest + next_letter - 1 FROM {prefix}run_state WHERE id = 1)");
    let audit = format!("(SELECT newest FROM {prefix}audit_head WHERE id = 1)");
    let accounts = format!("(SELECT count(*) FROM {prefix}accounts)");
    let known = match schema {
        ..=1 => vec![version],
        2 => vec![version, runs, audit],
        _ => vec![version, runs, audit, accounts],
    };
    format!("SELECT {}", known.join(" + "))
}

/// What is to be done about a store that has run migrations up to `found`.
pub enum Next {
    Nothing,
    Migrate,
}

/// # Errors
/// [`StoreError::NewerSchema`]
pub fn next(found: i64) -> Result<Next, StoreError> {
    if found > KNOWN {
        let number = |version: i64| u32::try_from(version).unwrap_or(u32::MAX);
        return Err(StoreError::NewerSchema { found: number(found), known: number(KNOWN) });
    }
    Ok(if found == KNOWN { Next::Nothing } else { Next::Migrate })
}

/// Why a migration failed, as any other statement does.
pub fn failure(error: MigrateError) -> Failure {
    match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => error.into(),
        other => StoreError::Damaged(format!("its tables cannot be brought up to date: {other}")).into(),
    }
}
