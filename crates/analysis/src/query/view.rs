//! Views: their texts are read in their own database, once for each statement.

use std::rc::Rc;
use std::sync::Arc;

use guardbee_hiveql::parser::parse_query;
use guardbee_hiveql::tree::Arena;
use guardbee_model::{Diagnostic, DiagnosticCode, Span};

use crate::catalog::{Column, Table, ViewDefinition};
use crate::context::Context;
use crate::effects::Purposes;

use super::analyzer::{Analyzer, Environment};
use super::flow::Standing;
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
        self.origins.enter_view(view);
        let rows = self.in_view(|analyzer| analyzer.view_text(context, definition));
        self.origins.leave_view();
        let rows = match rows? {
            Ok(rows) => Rc::new(labelled(rows, table)),
            Err(mistake) => {
                self.report_unreadable_view(table, &mistake);
                return None;
            }
        };
        self.views.insert(view, Some(rows.clone()));
        self.read_views.push(view);
        Some(rows)
    }

    fn view_text(
        &mut self,
        context: Context<'c>,
        definition: &'c ViewDefinition,
    ) -> Result<Rows, Diagnostic> {
        let arena = Arena::new();
        let query = parse_query(&arena, &definition.text, context.settings.parser)?;
        let environment = Environment {
            context: context.in_database(&definition.database),
            source: &definition.text,
            ctes: None,
            outer: None,
        };
        Ok(self.query(environment, query))
    }

    fn report_unreadable_view(&mut self, table: &Table, mistake: &Diagnostic) {
        self.report(|| {
            let name = &table.name;
            let message = format!("the text of view `{name}` cannot be read: {}", mistake.message);
            Diagnostic::warning(DiagnosticCode::SEMANTIC, Span::default(), message)
        });
    }

    /// What a view's column is read for, the columns of views that its text reads are read for as well. The
    /// outer views come before the inner ones: they were read to their ends later.
    pub(super) fn mark_inner_views(&mut self) {
        for view in std::mem::take(&mut self.read_views).into_iter().rev() {
            let Some(Some(rows)) = self.views.get(&view).cloned() else { continue };
            for (place, column) in rows.columns.iter().enumerate() {
                let own = self.view_column(view, u32::try_from(place).unwrap_or(u32::MAX), column);
                let purposes = self.origins.purposes(own);
                if !purposes.is_empty() {
                    self.mark_inner(column, purposes);
                }
            }
        }
    }

    fn mark_inner(&mut self, column: &OutputColumn, purposes: Purposes) {
        let Self { edges, influences, origins, .. } = self;
        for edge in edges.get(column.value.sources).iter().filter(|edge| edge.standing == Standing::Passed) {
            for purpose in purposes.iter() {
                origins.mark_through(edge.column, purpose);
            }
        }
        let influences = influences.get(column.value.influences).iter();
        for influence in influences.filter(|influence| influence.standing == Standing::Passed) {
            origins.mark_through(influence.column, influence.purpose);
        }
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
