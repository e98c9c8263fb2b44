//! `guardbee schema`: the shapes of JSON that go in and out, generated from the types.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use crate::arguments::SchemaName;
use crate::catalog_file;
use crate::render::trace;
use crate::wire;

/// The JSON schema as text.
///
/// # Errors
/// Never in practice: the schema is plain data.
pub fn text(name: SchemaName) -> anyhow::Result<String> {
    let schema = match name {
        SchemaName::Analyze => of_output::<wire::Document>(),
        SchemaName::AnalyzeLine => of_output::<wire::Statement>(),
        SchemaName::Trace => of_output::<trace::Document>(),
        SchemaName::RecordedTrace => of_output::<wire::lineage::TraceDocument>(),
        SchemaName::Record => of_output::<wire::recording::RecordDocument>(),
        SchemaName::Impact => of_output::<wire::lineage::ImpactDocument>(),
        SchemaName::Path => of_output::<wire::lineage::PathDocument>(),
        SchemaName::DatasetHistory => of_output::<wire::lineage::HistoryDocument>(),
        SchemaName::Runs => of_output::<wire::runs::RunsDocument>(),
        SchemaName::Run => of_output::<wire::runs::RunDocument>(),
        SchemaName::Search => of_output::<wire::datasets::DatasetsDocument>(),
        SchemaName::Describe => of_output::<wire::datasets::DescribeDocument>(),
        SchemaName::Audit => of_output::<wire::audit::AuditDocument>(),
        SchemaName::WhoDid => of_output::<wire::audit::WhoDidDocument>(),
        SchemaName::WhoCould => of_output::<wire::tags::WhoCouldDocument>(),
        SchemaName::Tags => of_output::<wire::tags::TagsDocument>(),
        SchemaName::Leaks => of_output::<wire::tags::LeaksDocument>(),
        SchemaName::Check => of_output::<wire::check::Document>(),
        SchemaName::CheckLine => of_output::<wire::check::Statement>(),
        SchemaName::Plan => of_output::<wire::policy::PlanDocument>(),
        SchemaName::History => of_output::<wire::policy::HistoryDocument>(),
        SchemaName::WhoCan => of_output::<wire::policy::WhoCanDocument>(),
        SchemaName::WhatCan => of_output::<wire::policy::WhatCanDocument>(),
        SchemaName::Why => of_output::<wire::policy::WhyDocument>(),
        SchemaName::Policy => SchemaSettings::default()
            .into_generator()
            .into_root_schema_for::<guardbee_exchange::json::JsonPolicy>(),
        SchemaName::Catalog => {
            SchemaSettings::default().into_generator().into_root_schema_for::<catalog_file::File>()
        }
        SchemaName::Openapi => {
            let document = guardbee_server::openapi::document(&guardbee_server::endpoints());
            return Ok(wire::pretty(&document)? + "\n");
        }
    };
    Ok(wire::pretty(&schema)? + "\n")
}

/// What we write: fields that may be absent are not required.
fn of_output<T: JsonSchema>() -> Schema {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The documented schemas are those of the types. `UPDATE_EXPECTED=1` rewrites them.
    #[test]
    fn documented_schemas_are_current() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema");
        for (name, file) in [
            (SchemaName::Analyze, "analyze.schema.json"),
            (SchemaName::AnalyzeLine, "analyze-line.schema.json"),
            (SchemaName::Trace, "trace.schema.json"),
            (SchemaName::RecordedTrace, "recorded-trace.schema.json"),
            (SchemaName::Record, "record.schema.json"),
            (SchemaName::Impact, "impact.schema.json"),
            (SchemaName::Path, "path.schema.json"),
            (SchemaName::DatasetHistory, "dataset-history.schema.json"),
            (SchemaName::Runs, "runs.schema.json"),
            (SchemaName::Run, "run.schema.json"),
            (SchemaName::Search, "search.schema.json"),
            (SchemaName::Describe, "describe.schema.json"),
            (SchemaName::Audit, "audit.schema.json"),
            (SchemaName::WhoDid, "who-did.schema.json"),
            (SchemaName::WhoCould, "who-could.schema.json"),
            (SchemaName::Tags, "tags.schema.json"),
            (SchemaName::Leaks, "leaks.schema.json"),
            (SchemaName::Check, "check.schema.json"),
            (SchemaName::CheckLine, "check-line.schema.json"),
            (SchemaName::Plan, "plan.schema.json"),
            (SchemaName::History, "history.schema.json"),
            (SchemaName::WhoCan, "who-can.schema.json"),
            (SchemaName::WhatCan, "what-can.schema.json"),
            (SchemaName::Why, "why.schema.json"),
            (SchemaName::Policy, "policy.schema.json"),
            (SchemaName::Catalog, "catalog.schema.json"),
            (SchemaName::Openapi, "../api/openapi.json"),
        ] {
            let current = text(name).expect("a schema is plain data");
            let path = folder.join(file);
            if std::env::var_os("UPDATE_EXPECTED").is_some() {
                fs::create_dir_all(folder.join("../api")).expect("the folder can be made");
                fs::write(&path, &current).expect("the schema can be written");
            }
            let documented = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                documented == current,
                "{file} is out of date: run UPDATE_EXPECTED=1 cargo test -p guardbee-cli"
            );
        }
    }
}
