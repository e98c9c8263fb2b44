//! Views: their texts are read in their own database, once for each statement.

use std::rc::Rc;
use std::sync::Arc;

use guardbee_hiveql::parser::parse_query;
use guardbee_hiveql::tree::Arena;
use guardbee_model::{Diagnostic, DiagnosticCode, Span};

use crate::catalog::{Column, Table, ViewDefinition};
use crate::context::Context;

use super::analyzer::{Analyzer, Environment};
use super::origin::TableId;
use super::scope::{OutputColumn, Rows};

impl<'c> Analyzer<'c, '_> {
    /// The rows of a view's text, seen from inside. Nothing where the text cannot be read or needs itself:
    /// then the view is taken for a table.
    pub(super) fn view(
        &mut self,
        context: Context<'c>,
        view: TableId,
        table: &'c Arc<Table>,
        definition: &'c ViewDefinition,
    ) -> Option<Rc<Rows>> {
        if let Some(known) = self.views.get(&view) {
            return known.clone();
        }
        self.views.insert(view, None);
        let arena = Arena::new();
        let query = match parse_query(&arena, &definition.text, context.settings.parser) {
            Ok(query) => query,
            Err(mistake) => {
                self.report(|| {
                    let name = &table.name;
                    Diagnostic::warning(
                        DiagnosticCode::SEMANTIC,
                        Span::default(),
                        format!("the text of view `{name}` cannot be read: {}", mistake.message),
                    )
                });
                return None;
            }
        };
        let environment = Environment {
            context: context.in_database(&definition.database),
            source: &definition.text,
            ctes: None,
            outer: None,
        };
        self.origins.enter_view(view);
        let step = |analyzer: &mut Self| {
            analyzer
                .in_foreign_text(|analyzer| analyzer.deeper(Span::default(), |a| a.query(environment, query)))
        };
        let rows = step(self);
        self.origins.leave_view();
        let rows = Rc::new(labelled(rows?, table));
        self.views.insert(view, Some(rows.clone()));
        Some(rows)
    }
}

/// The rows under the names and types that the catalog gives the view's columns.
///
/// They pair by place. Where the text gives another number of columns than when the view was made
/// (a `*` over a table that grew), they pair by name.
fn labelled(rows: Rows, table: &Table) -> Rows {
    let width = table.all_columns().count();
    if width == 0 {
        return rows;
    }
    let by_place = rows.columns.len() == width;
    let label = |(place, column): (usize, &Column)| {
        let same_name = |output: &&OutputColumn| output.name == column.name;
        let output = if by_place { rows.columns.get(place) } else { rows.columns.iter().find(same_name) };
        let output = output.or_else(|| rows.columns.get(place))?;
        Some(OutputColumn {
            name: column.name.clone(),
            expression: Span::default(),
            value: output.value.clone(),
        })
    };
    let columns: Vec<OutputColumn> = table.all_columns().enumerate().filter_map(label).collect();
    Rows { columns: columns.into(), ..rows }
}
