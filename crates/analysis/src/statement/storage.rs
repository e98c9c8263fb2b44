//! What the storage of a table tells about its columns, whatever the statement says.

use std::sync::Arc;

use guardbee_hiveql::tree::{Property, StorageHandler};
use guardbee_model::Name;

use crate::avro;
use crate::catalog::Column;
use crate::types::Type;

use super::text;

pub(super) fn handler_class(handler: &StorageHandler<'_>) -> Arc<str> {
    match handler {
        StorageHandler::Class(class) => text(class),
        StorageHandler::Named(name) => Arc::from(name.value().to_ascii_lowercase()),
    }
}

/// Tables over Kafka have the columns of their messages besides those that are declared.
pub(super) fn with_handler_columns(columns: Arc<[Column]>, handler: &StorageHandler<'_>) -> Arc<[Column]> {
    if !handler_class(handler).ends_with("KafkaStorageHandler") {
        return columns;
    }
    let message = [
        ("__key", Type::Binary),
        ("__partition", Type::Int),
        ("__offset", Type::BigInt),
        ("__timestamp", Type::BigInt),
    ];
    let message = message.map(|(name, data_type)| Column::new(Name::from_static(name), data_type));
    columns.iter().cloned().chain(message).collect()
}

/// The columns of the Avro schema that one of the lists of properties holds.
pub(super) fn schema_columns<const N: usize>(lists: [&[Property<'_>]; N]) -> Option<Arc<[Column]>> {
    let mut properties = lists.into_iter().flatten();
    let schema = properties.find(|property| *property.key.value() == *avro::SCHEMA_LITERAL)?;
    avro::schema_columns(&schema.value.as_ref()?.value())
}
