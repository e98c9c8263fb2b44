//! W3C PROV-JSON: datasets and columns as entities, runs as activities, users as agents.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use guardbee_lineage::export::{Edge, Excerpt, Node, Subject};
use guardbee_lineage::{DatasetName, Run, utc};
use serde_json::{Map, Value, json};

const PREFIX: &str = "guardbee";
const NAMESPACE: &str = "https://github.com/guardbee/guardbee/ns/prov#";

/// The graph as one document, as text.
#[must_use]
pub fn text(excerpt: &Excerpt<'_>) -> String {
    // A value of JSON is plain data.
    guardbee_wire::pretty(&document(excerpt)).unwrap_or_default() + "\n"
}

fn document(excerpt: &Excerpt<'_>) -> Value {
    let entities: Vec<String> =
        excerpt.nodes.iter().enumerate().map(|(place, node)| node_name(excerpt, place, node)).collect();
    let activities: Vec<String> = excerpt.runs.iter().map(|run| activity_name(run)).collect();
    let mut document = Map::new();
    document.insert("prefix".to_owned(), json!({ PREFIX: NAMESPACE }));
    let named = entities.iter().zip(&excerpt.nodes);
    let named = named.filter(|(_, node)| !matches!(node.subject, Subject::Run(_)));
    add(&mut document, "entity", named.map(|(name, node)| (name.clone(), entity(excerpt, node))));
    let named = activities.iter().zip(&excerpt.runs);
    add(&mut document, "activity", named.map(|(name, run)| (name.clone(), activity(run))));
    add(&mut document, "agent", excerpt.runs.iter().filter_map(|run| agent(run)));
    add(&mut document, "wasAssociatedWith", numbered("a", associations(excerpt, &activities)));
    add(&mut document, "hadMember", numbered("m", members(excerpt, &entities)));
    add(&mut document, "used", numbered("u", ends(excerpt, &entities, &activities, End::Used)));
    add(
        &mut document,
        "wasGeneratedBy",
        numbered("g", ends(excerpt, &entities, &activities, End::Generated)),
    );
    let is_run =
        |place: usize| excerpt.nodes.get(place).is_none_or(|node| matches!(node.subject, Subject::Run(_)));
    let between = excerpt.edges.iter().filter(|edge| !is_run(edge.from) && !is_run(edge.to));
    let derivations = between.filter_map(|edge| derivation(edge, &entities, &activities));
    add(&mut document, "wasDerivedFrom", numbered("d", derivations.collect()));
    Value::Object(document)
}

fn add(document: &mut Map<String, Value>, kind: &str, records: impl Iterator<Item = (String, Value)>) {
    let records: Map<String, Value> = records.collect();
    if !records.is_empty() {
        document.insert(kind.to_owned(), Value::Object(records));
    }
}

/// Relations need no names of their own.
fn numbered(letter: &str, records: Vec<Value>) -> impl Iterator<Item = (String, Value)> {
    records.into_iter().enumerate().map(move |(number, record)| (format!("_:{letter}{number}"), record))
}

fn node_name(excerpt: &Excerpt<'_>, place: usize, node: &Node) -> String {
    let kind = node.kind().replace(' ', "-");
    let dataset = |name: &DatasetName| match name {
        DatasetName::Temporary { session, table } => format!("{session}/{table}"),
        other => other.to_string(),
    };
    match &node.subject {
        Subject::Dataset(name) => self::name(&kind, &[&dataset(name)]),
        Subject::Column(name, column) => self::name(&kind, &[&dataset(name), column]),
        Subject::Run(run) => {
            excerpt.runs.get(*run).map_or_else(|| self::name("run", &[]), |run| activity_name(run))
        }
        Subject::Masked => self::name("masked", &[&place.to_string()]),
    }
}

fn activity_name(run: &Run) -> String {
    name("run", &[&run.key.0])
}

/// A qualified name; what no local part may hold is written as URIs write it.
fn name(kind: &str, parts: &[&str]) -> String {
    let mut out = format!("{PREFIX}:{kind}");
    for part in parts {
        out.push('/');
        for byte in part.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b'-' => out.push(char::from(byte)),
                _ => {
                    let _ = write!(out, "%{byte:02X}");
                }
            }
        }
    }
    out
}

fn qualified(name: &str) -> Value {
    json!({ "$": name, "type": "prov:QUALIFIED_NAME" })
}

fn entity(excerpt: &Excerpt<'_>, node: &Node) -> Value {
    let label = match node.column() {
        Some(column) => format!("{}.{column}", excerpt.title(node)),
        None => excerpt.title(node),
    };
    let mut entity = Map::new();
    entity.insert("prov:label".to_owned(), json!(label));
    entity.insert("prov:type".to_owned(), json!(node.kind()));
    if node.is_closed {
        entity.insert(format!("{PREFIX}:closed"), json!(true));
    }
    Value::Object(entity)
}

fn activity(run: &Run) -> Value {
    let mut activity = Map::new();
    if let Some(started_at) = run.started_at {
        activity.insert("prov:startTime".to_owned(), json!(utc::text(started_at)));
    }
    activity.insert("prov:endTime".to_owned(), json!(utc::text(run.ended_at)));
    activity.insert("prov:type".to_owned(), json!(run.operation.as_str()));
    let context = &run.context;
    let facts = [
        ("statement", Some(&*context.statement).filter(|text| !text.is_empty())),
        ("script", context.script.as_deref()),
        ("cluster", context.cluster.as_deref()),
        ("host", context.host.as_deref()),
        ("engine", context.engine.as_deref()),
        ("session", context.session.as_deref()),
        ("application", context.application.as_deref()),
        ("job", context.job.as_deref()),
        ("purpose", context.purpose.as_deref()),
        ("origin", Some(context.origin.as_str())),
    ];
    for (fact, value) in facts {
        if let Some(value) = value {
            activity.insert(format!("{PREFIX}:{fact}"), json!(value));
        }
    }
    Value::Object(activity)
}

fn agent(run: &Run) -> Option<(String, Value)> {
    let user = &run.context.user;
    let record = json!({ "prov:type": qualified("prov:Person"), "prov:label": user.as_str() });
    (!user.is_empty()).then(|| (name("user", &[user]), record))
}

fn associations(excerpt: &Excerpt<'_>, activities: &[String]) -> Vec<Value> {
    let named = activities.iter().zip(&excerpt.runs).filter(|(_, run)| !run.context.user.is_empty());
    named
        .map(|(activity, run)| {
            json!({ "prov:activity": activity, "prov:agent": name("user", &[&run.context.user]) })
        })
        .collect()
}

/// A dataset holds its columns.
fn members(excerpt: &Excerpt<'_>, entities: &[String]) -> Vec<Value> {
    let named = || entities.iter().zip(&excerpt.nodes);
    let wholes = named().filter(|(_, node)| node.column().is_none());
    let wholes: HashMap<&DatasetName, &String> =
        wholes.filter_map(|(name, node)| node.dataset().map(|dataset| (dataset, name))).collect();
    let columns = named().filter(|(_, node)| node.column().is_some());
    let owned = columns.filter_map(|(column, node)| Some((wholes.get(node.dataset()?)?, column)));
    owned.map(|(dataset, column)| json!({ "prov:collection": dataset, "prov:entity": column })).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Used,
    Generated,
}

/// What the runs used or generated, each once.
fn ends(excerpt: &Excerpt<'_>, entities: &[String], activities: &[String], end: End) -> Vec<Value> {
    let mut seen = HashSet::new();
    let mut records = Vec::new();
    let is_run =
        |place: usize| excerpt.nodes.get(place).is_some_and(|node| matches!(node.subject, Subject::Run(_)));
    for edge in &excerpt.edges {
        let place = if end == End::Used { edge.from } else { edge.to };
        let Some(run) = edge.run.filter(|_| !is_run(place)) else { continue };
        let (Some(entity), Some(activity)) = (entities.get(place), activities.get(run)) else { continue };
        if !seen.insert((place, run)) {
            continue;
        }
        let mut record = json!({ "prov:entity": entity, "prov:activity": activity });
        if let (End::Generated, Some(run), Some(record)) =
            (end, excerpt.runs.get(run), record.as_object_mut())
        {
            record.insert("prov:time".to_owned(), json!(utc::text(run.ended_at)));
        }
        records.push(record);
    }
    records
}

fn derivation(edge: &Edge, entities: &[String], activities: &[String]) -> Option<Value> {
    let mut record = Map::new();
    record.insert("prov:generatedEntity".to_owned(), json!(entities.get(edge.to)?));
    record.insert("prov:usedEntity".to_owned(), json!(entities.get(edge.from)?));
    if let Some(activity) = edge.run.and_then(|run| activities.get(run)) {
        record.insert("prov:activity".to_owned(), json!(activity));
    }
    record.insert("prov:type".to_owned(), json!(edge.kind.as_str()));
    record.insert(format!("{PREFIX}:masked"), json!(edge.masked));
    Some(Value::Object(record))
}
