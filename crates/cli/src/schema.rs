//! `guardbee schema`: the shapes of JSON that go in and out, generated from the types.

use schemars::schema_for;

use crate::arguments::SchemaName;
use crate::catalog_file;
use crate::render::tree;
use crate::wire;

/// The JSON schema as text.
///
/// # Errors
/// Never in practice: the schema is plain data.
pub fn text(name: SchemaName) -> anyhow::Result<String> {
    let schema = match name {
        SchemaName::Analyze => schema_for!(wire::Document),
        SchemaName::AnalyzeLine => schema_for!(wire::Statement),
        SchemaName::Trace => schema_for!(tree::Document),
        SchemaName::Catalog => schema_for!(catalog_file::Catalog),
    };
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
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
            (SchemaName::Catalog, "catalog.schema.json"),
        ] {
            let current = text(name).expect("a schema is plain data");
            let path = folder.join(file);
            if std::env::var_os("UPDATE_EXPECTED").is_some() {
                fs::create_dir_all(&folder).expect("the folder can be made");
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
