//! Queries inside expressions, and rows inside FROM.

use guardbee_hiveql::tree::Query;

use crate::types::Type;

use super::analyzer::{Analyzer, Environment, Place, Typed};
use super::flow::{Constancy, Flow};

impl<'c> Analyzer<'c, '_> {
    /// A query as a value: its columns flow on, and what decides about its rows decides here.
    pub(super) fn collect_query<'p>(
        &mut self,
        place: Place<'p, 'c>,
        query: &'p Query<'p>,
        flow: Flow,
    ) -> Typed {
        let rows = self.query(inner(place), query);
        self.rows_stack.push(rows.influences);
        for column in rows.columns.iter() {
            self.push_value(&column.value, flow);
        }
        let data_type = rows.columns.first().map_or(Type::Unknown, |column| column.value.data_type.clone());
        Typed { data_type, constancy: Constancy::Varying }
    }

    /// `EXISTS`: only whether there are rows matters.
    pub(super) fn collect_exists<'p>(&mut self, place: Place<'p, 'c>, query: &'p Query<'p>) -> Typed {
        let rows = self.query(inner(place), query);
        self.rows_stack.push(rows.influences);
        Typed::varying(Type::Boolean)
    }
}

/// The surroundings of a query that may name columns of the one around it.
fn inner<'p, 'c>(place: Place<'p, 'c>) -> Environment<'p, 'c> {
    Environment { outer: Some(place.scope), ..place.environment }
}
