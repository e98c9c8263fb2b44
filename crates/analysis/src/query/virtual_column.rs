//! Columns that every table has without listing them.

use std::sync::Arc;

use guardbee_model::Name;

use crate::types::Type;

/// The type of a virtual column, by its name in lower case.
pub(super) fn type_of(name: &str) -> Option<Type> {
    if !name.contains("__") {
        return None;
    }
    Some(match name {
        "input__file__name" | "file__path" | "partition__projection" => Type::String,
        "block__offset__inside__file"
        | "row__offset__inside__block"
        | "raw__data__size"
        | "partition__hash"
        | "snapshot__id"
        | "row__position"
        | "row__lineage__id"
        | "last__updated__sequence__number" => Type::BigInt,
        "partition__spec__id" => Type::Int,
        "row__is__deleted" => Type::Boolean,
        "row__id" => row_id(),
        _ => return None,
    })
}

/// The one that belongs to a grouping instead of a table.
pub(super) const GROUPING_ID: &str = "grouping__id";

fn row_id() -> Type {
    Type::Struct(Arc::new([
        (Name::from_static("writeid"), Type::BigInt),
        (Name::from_static("bucketid"), Type::Int),
        (Name::from_static("rowid"), Type::BigInt),
    ]))
}
