//! Lists of properties: reading them, and changing those that a table has.

use std::borrow::Cow;
use std::sync::Arc;

use guardbee_hiveql::tree::Property;

use crate::catalog::{Properties, Table, TableKind};

use crate::lookup::{GrowingIndex, Lookup};

use super::text;

pub(super) fn properties(list: &[Property<'_>]) -> Properties {
    list.iter().filter_map(|property| Some((text(&property.key), text(property.value.as_ref()?)))).collect()
}

/// Sets what `list` has a value for.
pub(super) fn set(properties: &mut Properties, list: &[Property<'_>]) {
    let index = GrowingIndex::default();
    for property in list {
        let Some(value) = &property.value else { continue };
        put_indexed(properties, &index, text(&property.key), text(value));
    }
}

pub(super) fn put(properties: &mut Properties, key: Arc<str>, value: Arc<str>) {
    put_indexed(properties, &GrowingIndex::default(), key, value);
}

fn put_indexed(properties: &mut Properties, index: &GrowingIndex<Arc<str>>, key: Arc<str>, value: Arc<str>) {
    let place =
        index.place(properties, |(known, _)| *known == key, || key.clone(), |(known, _)| known.clone());
    match place.and_then(|place| properties.get_mut(place)) {
        Some((_, old)) => *old = value,
        None => properties.push((key, value)),
    }
}

pub(super) fn unset(properties: &mut Properties, list: &[Property<'_>]) {
    let keys: Vec<Cow<'_, str>> = list.iter().map(|property| property.key.value()).collect();
    let gone: Lookup<'_> = keys.iter().map(|key| &**key).collect();
    properties.retain(|(known, _)| !gone.contains(known));
}

/// `'EXTERNAL'='TRUE'` is how Hive keeps that a table is external, and how it is made so.
pub(super) fn follow_external(table: &mut Table) {
    let external = table.property("EXTERNAL").map(|value| value.eq_ignore_ascii_case("true"));
    table.kind = match (&table.kind, external) {
        (TableKind::Managed, Some(true)) => TableKind::External,
        (TableKind::External, Some(false)) => TableKind::Managed,
        (kind, _) => kind.clone(),
    };
}
