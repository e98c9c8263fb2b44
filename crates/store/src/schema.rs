//! The migrations. Each is in the binary; a store that knows more of them than this binary is not opened.

use guardbee_engine::store::StoreError;
use sqlx::SqlSafeStr;
use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};

use crate::session::Failure;

/// The schema that this version of the code reads and writes.
pub const KNOWN: i64 = 4;

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
    ];
    Migrator {
        table_name: POSTGRES_MIGRATIONS.into(),
        create_schemas: vec!["guardbee".into()].into(),
        ..Migrator::with_migrations(migrations)
    }
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
