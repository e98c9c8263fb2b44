//! Partitions that a statement names.

use std::sync::Arc;

use guardbee_hiveql::tree::{BinaryOperator, PartitionOperator, PartitionSpecification, PartitionTransform};
use guardbee_model::Name;

use crate::catalog::Table;
use crate::effects::PartitionValues;

use super::equality::constant_text;
use super::name::bare;

/// The partition that a statement names: values where they are given, none where rows bring them.
pub(super) fn partition_values(specification: &PartitionSpecification<'_>) -> PartitionValues {
    specification
        .items
        .iter()
        .filter_map(|item| {
            let PartitionTransform::Column(column) = &item.key else { return None };
            let value = match &item.value {
                Some((
                    PartitionOperator::Comparison(BinaryOperator::Equal | BinaryOperator::DoubleEqual),
                    value,
                )) => Some(constant_text(bare(value)).unwrap_or_else(|| Arc::from(""))),
                _ => None,
            };
            Some((column.name(), value))
        })
        .collect()
}

/// The columns of a named partition whose values the rows bring, with their types.
pub(super) fn dynamic_columns<'s>(
    specification: &'s PartitionValues,
    table: Option<&'s Table>,
) -> impl Iterator<Item = (Name, Option<crate::types::Type>)> + 's {
    specification.iter().filter(|(_, value)| value.is_none()).map(move |(name, _)| {
        let column = table.and_then(|table| table.column(name));
        (name.clone(), column.map(|column| column.data_type.clone()))
    })
}
