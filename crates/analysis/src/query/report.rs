//! Saying what is wrong with a name, so that a person can mend it.

use guardbee_hiveql::tree::{Call, Expression, Field, Identifier, LiteralKind, SetQuantifier};
use guardbee_model::{Diagnostic, DiagnosticCode, Span, TableName};

use crate::context::Context;
use crate::functions::BuiltIn;
use crate::types::Type;

use super::analyzer::{Aggregates, Analyzer, Place};
use super::call::Behavior;
use super::origin::TableId;
use super::scope::{Candidates, Content, Relation, Scope};
use super::select::Groups;

impl<'c> Analyzer<'c, '_> {
    pub(super) fn report_unknown_table(&mut self, context: &Context<'c>, table: TableId, span: Span) {
        let Some(name) = self.origins.name(table).cloned() else { return };
        self.report(|| {
            let message = format!("the catalog has no table or view `{name}`");
            let consequence = "columns of it are taken as the statement names them";
            Diagnostic::warning(DiagnosticCode::UNKNOWN_TABLE, span, message).with_hint(unknown_table_hint(
                context,
                &name,
                consequence,
            ))
        });
    }

    pub(super) fn report_missing_column<'p>(
        &mut self,
        place: Place<'p, 'c>,
        identifier: &Identifier<'p>,
        name: &str,
    ) {
        let hint = self.nearest_name(place.scope.relations.iter(), name);
        self.report(|| {
            let message = if place.scope.relations.is_empty() {
                format!("there is no column `{name}`: the statement reads no table here")
            } else {
                format!("no table in sight has a column `{name}`")
            };
            hinted(Diagnostic::error(DiagnosticCode::UNKNOWN_COLUMN, identifier.span(), message), hint)
        });
    }

    /// Says once that not all tables are named that may have a column.
    pub(super) fn report_many_candidates(&mut self) {
        if self.foreign_texts == 0
            && !self.outcome.diagnostics.iter().any(|known| known.code == DiagnosticCode::LIMIT)
        {
            let message = format!(
                "many tables may have a column that cannot be placed; the first {} are named",
                Candidates::MOST
            );
            self.outcome.warning(DiagnosticCode::LIMIT, Span::default(), message);
        }
    }

    pub(super) fn report_missing_in<'p>(
        &mut self,
        scope: &Scope<'p>,
        relation: usize,
        identifier: &Identifier<'p>,
        name: &str,
    ) {
        let Some(relation) = scope.relations.get(relation) else { return };
        let hint = self.nearest_name(std::iter::once(relation), name);
        self.report(|| {
            let message = format!("`{}` has no column `{name}`", relation.alias);
            hinted(Diagnostic::error(DiagnosticCode::UNKNOWN_COLUMN, identifier.span(), message), hint)
        });
    }

    pub(super) fn report_missing_field<'p>(&mut self, field: &Field<'p>, operand: &Type) {
        self.report(|| {
            let name = field.name.value();
            let message = match operand {
                Type::Struct(_) => format!("`{operand}` has no field `{name}`"),
                _ => format!("`{operand}` has no fields: it is no struct"),
            };
            Diagnostic::error(DiagnosticCode::UNKNOWN_COLUMN, field.location.span(), message)
        });
    }

    pub(super) fn report_unknown_target(&mut self, context: &Context<'c>, name: &TableName, span: Span) {
        self.report(|| {
            let message = format!("the catalog has no table `{name}`");
            let consequence = "its columns are called as those of the query";
            Diagnostic::warning(DiagnosticCode::UNKNOWN_TABLE, span, message).with_hint(unknown_table_hint(
                context,
                name,
                consequence,
            ))
        });
    }

    /// Calls that are grammatical and still none that Hive runs.
    pub(super) fn check_call(&mut self, call: &Call<'_>, built_in: &BuiltIn, behavior: Behavior) {
        let name = built_in.name;
        let is_aggregate = behavior == Behavior::Aggregate;
        let has_star = call
            .arguments
            .iter()
            .any(|argument| matches!(argument, Expression::AllColumns(stars) if stars.qualifier.is_empty()));
        let message = if is_aggregate && call.over.is_none() && self.aggregates == Aggregates::Refused {
            format!("`{name}` is an aggregate function, which cannot stand here")
        } else if is_aggregate && has_star && name != "count" {
            format!("`{name}` takes an expression, not `*`")
        } else if behavior == Behavior::Scalar && call.quantifier == Some(SetQuantifier::Distinct) {
            format!("`{name}` is no aggregate function, so it takes no `DISTINCT`")
        } else {
            return;
        };
        self.report(|| Diagnostic::error(DiagnosticCode::SEMANTIC, call.location.span(), message));
    }

    /// Without groups there is nothing that `HAVING` could choose among; and where all rows are one group,
    /// it knows no column and no name of the select list, but what aggregate functions make of them.
    pub(super) fn check_having<'p>(&mut self, place: Place<'p, 'c>, having: &Expression<'p>, groups: Groups) {
        let is_wrong = match groups {
            Groups::Given => false,
            Groups::One => self.tally.free_columns > 0 && self.tally.unsure == 0,
            Groups::None => true,
        };
        if is_wrong {
            self.report(|| {
                let span = having.span(place.environment.source);
                Diagnostic::error(DiagnosticCode::SEMANTIC, span, "this `HAVING` needs a `GROUP BY`")
                    .with_hint(
                        "rows are chosen by `WHERE`; a result of all rows is named by its aggregate function",
                    )
            });
        }
    }

    /// `ORDER BY 3` needs three columns.
    pub(super) fn check_position<'p>(&mut self, place: Place<'p, 'c>, key: &Expression<'p>, width: usize) {
        let Expression::Literal(literal) = key else { return };
        let position = literal.raw.parse::<usize>();
        if literal.kind != LiteralKind::Integer
            || position.is_ok_and(|position| (1..=width).contains(&position))
        {
            return;
        }
        self.report(|| {
            let message = format!("there is no column {} to sort by: the list has {width}", literal.raw);
            Diagnostic::error(DiagnosticCode::SEMANTIC, key.span(place.environment.source), message)
        });
    }

    /// The column in sight whose name is a slip away.
    fn nearest_name<'r>(&self, relations: impl Iterator<Item = &'r Relation>, name: &str) -> Option<String> {
        const ENOUGH: usize = 2_000;
        if self.has_many_findings() {
            return None;
        }
        let mut candidates: Vec<String> = Vec::new();
        for relation in relations {
            match &relation.content {
                Content::Table(table) => {
                    candidates.extend(self.origins.listed(*table).map(|(_, column)| column.name.to_string()));
                }
                Content::View { columns, .. } | Content::Columns { columns, .. } => {
                    candidates.extend(columns.iter().map(|column| column.name.to_string()));
                }
            }
            if candidates.len() > ENOUGH {
                return None;
            }
        }
        guardbee_model::nearest(name, candidates.iter().map(String::as_str)).map(str::to_owned)
    }
}

fn unknown_table_hint(context: &Context<'_>, name: &TableName, consequence: &str) -> String {
    match context.nearest_table(name) {
        Some(meant) => format!("did you mean `{meant}`? as written, {consequence}"),
        None => consequence.to_owned(),
    }
}

fn hinted(diagnostic: Diagnostic, nearest: Option<String>) -> Diagnostic {
    match nearest {
        Some(name) => diagnostic.with_hint(format!("did you mean `{name}`?")),
        None => diagnostic,
    }
}
