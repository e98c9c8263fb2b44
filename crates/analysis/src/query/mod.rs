//! Everything that selects: where each column comes from and what decides about it.

use guardbee_hiveql::tree::{Delete, Merge, Query, Update};

use crate::catalog::Column;
use crate::context::Context;
use crate::effects::Destination;
use crate::outcome::Outcome;

/// Adds what a query with or without `INSERT` does. `source` is the text it was read from. The rows of a
/// branch without `INSERT` go to `destination`, and its columns get the names of `labels` where those
/// are given. The result is that branch's columns with their types.
pub(crate) fn analyze_query(
    _context: Context<'_>,
    _query: &Query<'_>,
    _source: &str,
    _destination: &Destination,
    _labels: &[guardbee_model::Name],
    _outcome: &mut Outcome,
) -> Vec<Column> {
    Vec::new()
}

pub(crate) fn analyze_update(_: Context<'_>, _: &Update<'_>, _source: &str, _: &mut Outcome) {}

pub(crate) fn analyze_delete(_: Context<'_>, _: &Delete<'_>, _source: &str, _: &mut Outcome) {}

pub(crate) fn analyze_merge(_: Context<'_>, _: &Merge<'_>, _source: &str, _: &mut Outcome) {}
