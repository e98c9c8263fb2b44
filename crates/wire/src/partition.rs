//! A partition as a JSON object: its columns in the order of the directories, with their values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use guardbee_analysis::effects::PartitionValues;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

/// The columns of a partition; `null` where the value comes from the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition(Vec<(String, Option<String>)>);

impl Partition {
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<&PartitionValues> for Partition {
    fn from(values: &PartitionValues) -> Self {
        let owned = |value: &Option<std::sync::Arc<str>>| value.as_deref().map(str::to_owned);
        Self(values.iter().map(|(column, value)| (column.to_string(), owned(value))).collect())
    }
}

impl Serialize for Partition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(column, value)| (column, value)))
    }
}

impl JsonSchema for Partition {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Partition".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = generator.subschema_for::<BTreeMap<String, Option<String>>>();
        schema.insert(
            "description".to_owned(),
            "The columns of a partition; `null` where the value comes from the data.".into(),
        );
        schema
    }
}
