//! OpenLineage run events: what the runs of a trace read, wrote and derived.
//!
//! `RunEvent`s of the core specification 2-0-2, one for each run that made an edge, limited to the datasets that the
//! trace shows.

use std::collections::{BTreeMap, HashSet};

use guardbee_lineage::export::{Excerpt, Node};
use guardbee_lineage::{DatasetName, Influence, Run, RunKey, Target, WriteKind, utc};
use guardbee_wire::openlineage::{
    Field, JOBS, Key, LONGEST_STATEMENT_BYTES, PRODUCER, SPECIFICATION, TABLES, facet, input_fields, schema,
    split_path,
};
use serde_json::{Map, Value, json};

/// One event a line, in the order of the runs.
#[must_use]
pub fn events(excerpt: &Excerpt<'_>) -> String {
    let shown: HashSet<&DatasetName> = excerpt.nodes.iter().filter_map(Node::dataset).collect();
    let mut runs = excerpt.runs.clone();
    runs.sort_by(|left, right| (left.ended_at, &left.key).cmp(&(right.ended_at, &right.key)));
    let lines = runs.iter().map(|run| event(run, &shown).to_string() + "\n");
    lines.collect()
}

fn event(run: &Run, shown: &HashSet<&DatasetName>) -> Value {
    json!({
        "eventType": "COMPLETE",
        "eventTime": utc::text(run.ended_at),
        "producer": PRODUCER,
        "schemaURL": format!("{SPECIFICATION}/2-0-2/OpenLineage.json#/$defs/RunEvent"),
        "run": { "runId": run_id(&run.key), "facets": run_facets(run) },
        "job": { "namespace": JOBS, "name": job_name(run), "facets": job_facets(run) },
        "inputs": inputs(run, shown),
        "outputs": outputs(run, shown),
    })
}

/// Runs have keys of any form; OpenLineage wants a UUID. The same key gives the same one.
fn run_id(key: &RunKey) -> String {
    let hash = |seed: u64| {
        key.0.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    };
    let (high, low) = (hash(0xcbf2_9ce4_8422_2325), hash(0x9ae1_6a3b_2f90_404f));
    format!(
        "{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xfff,
        0x8000 | low >> 48 & 0x3fff,
        low & 0xffff_ffff_ffff
    )
}

fn run_facets(run: &Run) -> Value {
    let mut facets = Map::new();
    if let Some(parent) = &run.context.parent_run {
        let parent = json!({ "runId": run_id(parent) });
        let job = json!({ "namespace": JOBS, "name": run.context.job.as_deref().unwrap_or("parent") });
        let fields = [("run", parent), ("job", job)];
        let schema = "1-1-0/ParentRunFacet.json#/$defs/ParentRunFacet";
        facets.insert("parent".to_owned(), facet(schema, &fields));
    }
    if let (Some(engine), Some(version)) = (&run.context.engine, &run.context.engine_version) {
        let fields = [("name", json!(engine.as_str())), ("version", json!(version.as_str()))];
        let schema = "1-1-1/ProcessingEngineRunFacet.json#/$defs/ProcessingEngineRunFacet";
        facets.insert("processing_engine".to_owned(), facet(schema, &fields));
    }
    Value::Object(facets)
}

/// What runs again and again under one name: a script, or what is written where.
fn job_name(run: &Run) -> String {
    if let Some(job) = &run.context.job {
        return job.to_string();
    }
    if let Some(script) = &run.context.script {
        return script.to_string();
    }
    let targets: Vec<String> = run.targets.iter().map(|target| target.dataset.to_string()).collect();
    format!("{} {}", run.operation.to_lowercase(), targets.join(" ")).trim().to_owned()
}

fn job_facets(run: &Run) -> Value {
    let mut facets = Map::new();
    let job_type = [
        ("processingType", json!("BATCH")),
        ("integration", json!("HIVE")),
        ("jobType", json!(run.operation.as_str())),
    ];
    facets
        .insert("jobType".to_owned(), facet("2-0-4/JobTypeJobFacet.json#/$defs/JobTypeJobFacet", &job_type));
    let statement = &run.context.statement;
    if !statement.is_empty() && statement.len() <= LONGEST_STATEMENT_BYTES {
        let fields = [("query", json!(&**statement)), ("dialect", json!("hive"))];
        facets.insert("sql".to_owned(), facet("1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet", &fields));
    }
    Value::Object(facets)
}

fn inputs(run: &Run, shown: &HashSet<&DatasetName>) -> Vec<Value> {
    let mut seen: HashSet<Key> = HashSet::new();
    let read = run.inputs.iter().filter(|input| input.through.is_empty());
    read.map(|input| &input.dataset)
        .filter(|dataset| shown.contains(dataset))
        .filter_map(key)
        .filter(|key| seen.insert(key.clone()))
        .map(|(namespace, name)| json!({ "namespace": namespace, "name": name, "facets": {} }))
        .collect()
}

fn outputs(run: &Run, shown: &HashSet<&DatasetName>) -> Vec<Value> {
    let mut outputs: BTreeMap<Key, Map<String, Value>> = BTreeMap::new();
    for target in run.targets.iter().filter(|target| shown.contains(&target.dataset)) {
        let Some(key) = key(&target.dataset) else { continue };
        let facets = outputs.entry(key).or_default();
        let names = target.columns.iter().map(|column| json!({ "name": column.name.as_str() }));
        facets.insert("schema".to_owned(), schema(names.collect()));
        facets.insert("columnLineage".to_owned(), column_lineage(target, shown));
        let state = match target.write {
            WriteKind::Overwrite => Some("OVERWRITE"),
            WriteKind::Truncate => Some("TRUNCATE"),
            WriteKind::Append | WriteKind::Define | WriteKind::Modify | WriteKind::Locate => None,
        };
        if let Some(state) = state {
            let schema =
                "1-0-1/LifecycleStateChangeDatasetFacet.json#/$defs/LifecycleStateChangeDatasetFacet";
            let fields = [("lifecycleStateChange", json!(state))];
            facets.insert("lifecycleStateChange".to_owned(), facet(schema, &fields));
        }
    }
    outputs
        .into_iter()
        .map(|((namespace, name), facets)| json!({ "namespace": namespace, "name": name, "facets": facets }))
        .collect()
}

fn column_lineage(target: &Target, shown: &HashSet<&DatasetName>) -> Value {
    let mut fields = Map::new();
    for column in &target.columns {
        let mut inputs: BTreeMap<Field, Vec<Value>> = BTreeMap::new();
        for source in column.sources.iter().filter(|source| shown.contains(&source.dataset)) {
            let Some(field) = field(&source.dataset, &source.column) else { continue };
            inputs.entry(field).or_default().push(json!({
                "type": "DIRECT",
                "subtype": source.kind.as_str(),
                "description": column.expression.as_deref().unwrap_or(""),
                "masking": source.masked,
            }));
        }
        add_influences(&mut inputs, &column.influences, shown);
        fields.insert(column.name.to_string(), json!({ "inputFields": input_fields(inputs) }));
    }
    let mut whole: BTreeMap<Field, Vec<Value>> = BTreeMap::new();
    add_influences(&mut whole, &target.influences, shown);
    facet(
        "1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet",
        &[("fields", Value::Object(fields)), ("dataset", Value::Array(input_fields(whole)))],
    )
}

fn add_influences(
    inputs: &mut BTreeMap<Field, Vec<Value>>,
    influences: &[Influence],
    shown: &HashSet<&DatasetName>,
) {
    for influence in influences.iter().filter(|influence| shown.contains(&influence.dataset)) {
        let Some(field) = field(&influence.dataset, &influence.column) else { continue };
        inputs.entry(field).or_default().push(json!({
            "type": "INDIRECT",
            "subtype": influence.kind.as_str(),
            "description": "",
            "masking": influence.masked,
        }));
    }
}

fn field(dataset: &DatasetName, column: &guardbee_model::Name) -> Option<Field> {
    key(dataset).map(|(namespace, name)| (namespace, name, column.to_string()))
}

/// The client's rows are no dataset of OpenLineage's.
fn key(dataset: &DatasetName) -> Option<Key> {
    match dataset {
        DatasetName::Database(name) => Some((TABLES.to_owned(), name.to_string())),
        DatasetName::Table(table) => Some((TABLES.to_owned(), table.to_string())),
        DatasetName::Temporary { session, table } => {
            Some((TABLES.to_owned(), format!("{table} (temporary, {session})")))
        }
        DatasetName::Path(path) => Some(split_path(path)),
        DatasetName::Result(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_uuids() {
        let id = run_id(&RunKey("hive_20261130021405_1".into()));
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12], "{id}");
        assert_ne!(id, run_id(&RunKey("hive_20261130021405_2".into())));
    }
}
