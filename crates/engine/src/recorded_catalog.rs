//! What recorded runs tell of the catalog: their DDL, carried out again in its order.
//!
//! So a script that is recorded today finds the tables that one made yesterday, with their columns in the order in
//! which rows are inserted. What a catalog file says goes before.

use guardbee_analysis::{Catalog, CatalogChange, Session};
use guardbee_lineage::{DatasetChange, DatasetName, Run};
use guardbee_model::{HiveVersion, Name, Operation};
use smol_str::SmolStr;

use crate::run_store::{RunFilter, RunPlace, RunStore};
use crate::store::StoreError;

/// Operations that make, change or remove what a catalog holds.
const DDL: [Operation; 24] = [
    Operation::CreateDatabase,
    Operation::DropDatabase,
    Operation::CreateTable,
    Operation::CreateTableAsSelect,
    Operation::DropTable,
    Operation::Import,
    Operation::Export,
    Operation::AlterTableRename,
    Operation::AlterTableAddColumns,
    Operation::AlterTableReplaceColumns,
    Operation::AlterTableRenameColumn,
    Operation::AlterTableDropColumn,
    Operation::AlterTableProperties,
    Operation::AlterTableSerializer,
    Operation::AlterTableSerdeProperties,
    Operation::AlterTablePartitionColumnType,
    Operation::AlterTableLocation,
    Operation::CreateView,
    Operation::AlterViewAs,
    Operation::AlterViewRename,
    Operation::DropView,
    Operation::CreateMaterializedView,
    Operation::DropMaterializedView,
    Operation::AlterMaterializedViewRebuild,
];
/// So many runs are read at once, and so many of each operation at most.
const PAGE: u32 = 1000;
const MOST: usize = 50_000;

/// The catalog with what recorded runs have made beside.
///
/// # Errors
/// What the store says.
pub async fn recorded_catalog(
    store: &dyn RunStore,
    given: &Catalog,
    version: HiveVersion,
) -> Result<Catalog, StoreError> {
    let mut runs = Vec::new();
    for operation in DDL {
        runs.extend(runs_of(store, operation).await?);
    }
    runs.sort_by(|left, right| (left.ended_at, &left.key).cmp(&(right.ended_at, &right.key)));
    let mut session = Session::new(Catalog::new(), version);
    for run in &runs {
        if let Some(database) = database(run) {
            session.use_database(database.clone());
            session.analyze(&run.context.statement);
        }
    }
    Ok(over(given, session.catalog()))
}

async fn runs_of(store: &dyn RunStore, operation: Operation) -> Result<Vec<Run>, StoreError> {
    let filter =
        RunFilter { operation: Some(SmolStr::new_static(operation.as_str())), ..RunFilter::default() };
    let mut runs = Vec::new();
    let mut behind: Option<RunPlace> = None;
    loop {
        let page = store.find_runs(&filter, behind, PAGE).await?;
        let Some(last) = page.last() else { return Ok(runs) };
        behind = Some(RunPlace { ended_at: last.run.ended_at, seq: last.seq });
        let is_last = page.len() < PAGE as usize;
        runs.extend(page.into_iter().map(|stored| stored.run));
        if is_last || runs.len() >= MOST {
            return Ok(runs);
        }
    }
}

/// The database that names without one belong to: that of what the run makes. None where that is a session's own.
fn database(run: &Run) -> Option<&Name> {
    let changed = run.changes.iter().flat_map(DatasetChange::datasets);
    let written = run.targets.iter().map(|target| &target.dataset);
    let read = run.inputs.iter().map(|input| &input.dataset);
    changed.chain(written).chain(read).find_map(|dataset| match dataset {
        DatasetName::Table(table) => Some(Some(&table.database)),
        DatasetName::Database(name) => Some(Some(name)),
        DatasetName::Temporary { .. } => Some(None),
        DatasetName::Path(_) | DatasetName::Result(_) => None,
    })?
}

/// What is given stays as it is; the rest is added.
fn over(given: &Catalog, remembered: &Catalog) -> Catalog {
    let mut catalog = given.clone();
    for database in remembered.databases() {
        if catalog.database(&database.name).is_none() {
            catalog.apply(&CatalogChange::PutDatabase(database.clone()));
        }
        for table in remembered.tables(&database.name) {
            if catalog.table(&database.name, &table.name.table).is_none() {
                catalog.apply(&CatalogChange::PutTable(table.clone()));
            }
        }
    }
    catalog
}
