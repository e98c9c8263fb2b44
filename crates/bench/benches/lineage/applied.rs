//! How long it takes from a change of a tag until a decision about what was derived knows it.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use guardbee_bench::figures::Figures;
use guardbee_engine::desired::{PolicyFile, desired_policy};
use guardbee_engine::tags::FunctionCalls;
use guardbee_engine::{Engine, EngineOptions};
use guardbee_lineage::{DatasetName, Graph};
use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::{Change, Identity, Policy, Resource, Settings, TagAssignment};
use guardbee_testkit::lineage_load::{COLUMNS, LineageLoad, column_of};
use tokio::runtime::Runtime;

const PATIENCE: Duration = Duration::from_secs(120);

/// A tag comes to the hubs, and goes again.
pub fn tags_applied(figures: &mut Figures, graph: &Graph, load: LineageLoad) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let last = table(load, (load.tables() * COLUMNS - 1) as u32)?;
    let column = column_of(0);
    let question = format!("SELECT {column} FROM {last}");
    let catalog = format!("CREATE DATABASE {}; CREATE TABLE {last} ({column} STRING);", last.database);
    let engine = engine(&runtime, graph, &catalog, &last.database)?;
    let hubs: Vec<Resource> = (0..load.hubs().min(10))
        .map(|hub| {
            let column = load.hub_column(hub);
            Ok(Resource::Column(ColumnName::new(table(load, column)?, column_of(column))))
        })
        .collect::<anyhow::Result<_>>()?;
    let tag = Name::fold("pii");
    let put = hubs.iter().map(|hub| {
        Change::PutTagAssignment(TagAssignment { tag: tag.clone(), value: None, resource: hub.clone() })
    });
    let removed =
        hubs.iter().map(|hub| Change::RemoveTagAssignment { tag: tag.clone(), resource: hub.clone() });
    let change = |changes: Vec<Change>, is_allowed: bool| -> anyhow::Result<Duration> {
        let started = Instant::now();
        runtime.block_on(engine.commit(engine.policy().version, "root", Arc::from("a tag"), changes))?;
        let session = engine.session(Identity::of_user("ana"));
        while engine.check(&session, &question).is_allowed() != is_allowed {
            anyhow::ensure!(started.elapsed() < PATIENCE, "the change is not seen: {question}");
            thread::sleep(Duration::from_millis(1));
        }
        Ok(started.elapsed())
    };
    let applied = change(put.collect(), false)?;
    let reached = engine.policy().policy.inherited_tags().count();
    // What is done beside has come to rest.
    thread::sleep(Duration::from_secs(3));
    let freed = change(removed.collect(), true)?;
    figures.insert("tag/applied".to_owned(), (applied.as_secs_f64(), "s"));
    figures.insert("tag/applied_columns".to_owned(), (reached as f64, "columns"));
    figures.insert("tag/freed".to_owned(), (freed.as_secs_f64(), "s"));
    Ok(())
}

fn table(load: LineageLoad, column: u32) -> anyhow::Result<TableName> {
    match load.table_of(column) {
        DatasetName::Table(table) => Ok(table),
        other => anyhow::bail!("{other:?} is no table"),
    }
}

/// An engine in which somebody may read everything but what carries the tag.
fn engine(runtime: &Runtime, graph: &Graph, catalog: &str, database: &Name) -> anyhow::Result<Arc<Engine>> {
    let empty = Engine::new(Policy::new(), EngineOptions::default());
    runtime.block_on(empty.define(catalog))?;
    let options = || EngineOptions { catalog: (*empty.catalog()).clone(), ..EngineOptions::default() };
    let text = format!(
        "GRANT SELECT ON DATABASE {database} TO USER ana; CREATE TAG pii; DENY SELECT ON TAG pii TO USER ana;"
    );
    let file = PolicyFile { label: "policy", text: &text };
    let policy = runtime
        .block_on(desired_policy(&[file], &Settings::default(), options()))
        .map_err(|problems| anyhow::anyhow!("{problems:?}"))?;
    let engine = Engine::new(policy, options());
    engine.inherit_tags_of(graph.clone(), FunctionCalls::wanted_by(&engine.policy().policy));
    Ok(engine)
}
