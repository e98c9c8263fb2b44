//! Everything that selects: where each column comes from and what decides about it.
//!
//! The work is done in one walk over the tree. A [`scope::Scope`] holds the relations of a FROM clause;
//! expressions are resolved against it and push the columns that they use onto stacks
//! ([`analyzer::Analyzer`]); what is gathered becomes sets ([`flow`]) that subqueries, views and common
//! table expressions pass on without copying. Tables and columns are numbered ([`origin`]) and get their
//! names back only at the end ([`result`]).
//!
//! Lineage is that of the query as written and bound, before any optimisation.

mod analyzer;
mod body;
mod call;
mod choice;
mod cte;
mod equality;
mod expression;
mod flow;
mod from;
mod insert;
mod join;
mod lateral;
mod modify;
mod name;
mod null_question;
mod origin;
mod partitioned;
mod pattern;
mod presence;
mod report;
mod result;
mod scope;
mod select;
mod star;
mod subquery;
mod values;
mod view;
mod virtual_column;
mod window;

use guardbee_hiveql::tree::{Delete, Merge, Query, Update};
use guardbee_model::{HiveVersion, Name, Operation};

use crate::catalog::Column;
use crate::context::Context;
use crate::effects::{Destination, WriteAction};
use crate::outcome::Outcome;

use analyzer::{Analyzer, Environment, Optimization, Passing};
use insert::Delivery;

/// Adds what a query with or without `INSERT` does. `source` is the text it was read from. The rows of a
/// branch without `INSERT` go to `destination`, and its columns get the names of `labels` where those
/// are given. The result is that branch's columns with their types; it is empty where they are not all
/// known, as of a `*` over a table that the catalog lacks.
pub(crate) fn analyze_query(
    context: Context<'_>,
    query: &Query<'_>,
    source: &str,
    destination: &Destination,
    labels: &[Name],
    outcome: &mut Outcome,
) -> Vec<Column> {
    let delivery = Delivery { destination, action: WriteAction::Create, labels };
    let operation = outcome.effects.operation;
    let mut analyzer = Analyzer::new(outcome);
    match operation {
        Operation::CreateView | Operation::AlterViewAs if context.version() >= HiveVersion::V4_0 => {
            analyzer.passing = Passing::Computed;
        }
        Operation::AlterViewAs => analyzer.optimization = Optimization::GivenUp,
        _ => {}
    }
    let columns = analyzer.write_query(environment(context, source), query, delivery);
    analyzer.finish();
    columns.unwrap_or_default()
}

pub(crate) fn analyze_update(context: Context<'_>, update: &Update<'_>, source: &str, outcome: &mut Outcome) {
    let mut analyzer = Analyzer::new(outcome);
    analyzer.update(environment(context, source), update);
    analyzer.finish();
}

pub(crate) fn analyze_delete(context: Context<'_>, delete: &Delete<'_>, source: &str, outcome: &mut Outcome) {
    let mut analyzer = Analyzer::new(outcome);
    analyzer.delete(environment(context, source), delete);
    analyzer.finish();
}

pub(crate) fn analyze_merge(context: Context<'_>, merge: &Merge<'_>, source: &str, outcome: &mut Outcome) {
    let mut analyzer = Analyzer::new(outcome);
    analyzer.merge(environment(context, source), merge);
    analyzer.finish();
}

const fn environment<'p, 'c>(context: Context<'c>, source: &'p str) -> Environment<'p, 'c> {
    Environment { context, source, ctes: None, outer: None }
}
