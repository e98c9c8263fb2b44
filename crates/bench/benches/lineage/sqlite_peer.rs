//! The same edges as rows of a table in SQLite, indexed both ways, asked by a recursive query.

use std::cell::RefCell;
use std::hint::black_box;

use cpu_time::ProcessTime;
use guardbee_bench::figures::{Figures, resident_bytes};
use guardbee_testkit::lineage_load::{COLUMNS, ColumnNumber, LineageLoad};
use petgraph::Direction;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{Connection, QueryBuilder, Row, SqliteConnection};

use crate::closures::{Found, measure_closures};

/// SQLite takes at most 32,766 values in a statement, three a row.
const ROWS_A_STATEMENT: usize = 10_000;

const DOWN: &str = "WITH RECURSIVE reached(node) AS (SELECT ? UNION \
    SELECT edge.target FROM reached JOIN edge ON edge.source = reached.node) \
    SELECT edge.source, edge.target, edge.run FROM reached JOIN edge ON edge.source = reached.node";
const UP: &str = "WITH RECURSIVE reached(node) AS (SELECT ? UNION \
    SELECT edge.source FROM reached JOIN edge ON edge.target = reached.node) \
    SELECT edge.source, edge.target, edge.run FROM reached JOIN edge ON edge.target = reached.node";

pub fn measure(load: LineageLoad) -> anyhow::Result<Figures> {
    let mut figures = Figures::new();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let folder = tempfile::tempdir()?;
    let before = resident_bytes();
    let started = ProcessTime::now();
    let connection = runtime.block_on(fill(load, &folder.path().join("edges.db")))?;
    figures.insert("build".to_owned(), (started.elapsed().as_secs_f64(), "s"));
    figures.insert("memory".to_owned(), ((resident_bytes() - before) / 1e6, "MB"));
    let connection = RefCell::new(connection);
    measure_closures(&mut figures, load, |column, direction| {
        let mut connection = connection.borrow_mut();
        // What fails would be measured as fast: it must not.
        runtime.block_on(closure(&mut connection, column, direction)).expect("an answer of SQLite")
    });
    Ok(figures)
}

async fn fill(load: LineageLoad, file: &std::path::Path) -> sqlx::Result<SqliteConnection> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Off)
        .synchronous(SqliteSynchronous::Off)
        .pragma("cache_size", "-262144")
        .pragma("mmap_size", "8589934592");
    let mut connection = SqliteConnection::connect_with(&options).await?;
    sqlx::query("CREATE TABLE edge (source INTEGER NOT NULL, target INTEGER NOT NULL, run INTEGER NOT NULL)")
        .execute(&mut connection)
        .await?;
    let mut transaction = connection.begin().await?;
    let mut edges = load.edges().enumerate().peekable();
    while edges.peek().is_some() {
        let mut insert = QueryBuilder::new("INSERT INTO edge ");
        insert.push_values(edges.by_ref().take(ROWS_A_STATEMENT), |mut row, (place, (from, to))| {
            row.push_bind(i64::from(from)).push_bind(i64::from(to)).push_bind((place / COLUMNS) as i64);
        });
        insert.build().execute(&mut *transaction).await?;
    }
    transaction.commit().await?;
    for index in [
        "CREATE INDEX edge_down ON edge (source, target, run)",
        "CREATE INDEX edge_up ON edge (target, source, run)",
        "ANALYZE",
    ] {
        sqlx::query(index).execute(&mut connection).await?;
    }
    Ok(connection)
}

async fn closure(
    connection: &mut SqliteConnection,
    start: ColumnNumber,
    direction: Direction,
) -> sqlx::Result<Found> {
    let (query, far) = if direction == Direction::Outgoing { (DOWN, 1) } else { (UP, 0) };
    let rows = sqlx::query(query).bind(i64::from(start)).fetch_all(connection).await?;
    let mut nodes: Vec<i64> = vec![i64::from(start)];
    for row in &rows {
        nodes.push(row.try_get(far)?);
    }
    nodes.sort_unstable();
    nodes.dedup();
    let found = Found { nodes: nodes.len(), edges: rows.len() };
    black_box((nodes, rows));
    Ok(found)
}
