//! What all events for OpenLineage have in common, of scripts and of runs: names, namespaces and facets of the core
//! specification 2-0-2.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub const PRODUCER: &str = concat!("https://github.com/guardbee/guardbee/tree/", env!("CARGO_PKG_VERSION"));
pub const SPECIFICATION: &str = "https://openlineage.io/spec";
/// Longer statements are left out of the `sql` facet.
pub const LONGEST_STATEMENT_BYTES: usize = 1 << 20;
/// The namespace of tables whose metastore is not known.
pub const TABLES: &str = "hive";
pub const JOBS: &str = "guardbee";

/// Namespace and name of a dataset.
pub type Key = (String, String);
/// Namespace and name of a dataset, and one of its columns.
pub type Field = (String, String, String);

/// A facet of a schema, with its fields.
#[must_use]
pub fn facet(schema: &str, fields: &[(&str, Value)]) -> Value {
    let mut facet = Map::new();
    facet.insert("_producer".to_owned(), json!(PRODUCER));
    facet.insert("_schemaURL".to_owned(), json!(format!("{SPECIFICATION}/facets/{schema}")));
    facet.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    Value::Object(facet)
}

/// The facet that lists the columns of a dataset.
#[must_use]
pub fn schema(fields: Vec<Value>) -> Value {
    facet("1-2-0/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet", &[("fields", Value::Array(fields))])
}

/// What a column is made of, each source with how.
#[must_use]
pub fn input_fields(inputs: BTreeMap<Field, Vec<Value>>) -> Vec<Value> {
    inputs
        .into_iter()
        .map(|((namespace, name, column), transformations)| {
            json!({ "namespace": namespace, "name": name, "field": column, "transformations": transformations })
        })
        .collect()
}

/// `hdfs://nn:8020/in` is namespace `hdfs://nn:8020` and name `/in`; a bare path is a local file.
#[must_use]
pub fn split_path(path: &str) -> Key {
    let Some((scheme, rest)) = path.split_once("://") else { return ("file".to_owned(), path.to_owned()) };
    match rest.find('/') {
        Some(at) => {
            let (authority, name) = rest.split_at(at);
            let namespace =
                if authority.is_empty() { scheme.to_owned() } else { format!("{scheme}://{authority}") };
            (namespace, name.to_owned())
        }
        None => (format!("{scheme}://{rest}"), "/".to_owned()),
    }
}
