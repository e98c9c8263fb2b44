//! What gets another name takes along what stands on it. What stands around it, or on names with `*`, stays where
//! it is: a denial, tag, filter or mask there would be shaken off by a rename. So only administrators move a thing
//! out of the reach of one. Nor does anybody else rename a column that such a filter or mask names in what it says:
//! another column could get the name.

use guardbee_analysis::catalog::CatalogChange;
use guardbee_analysis::effects::Effects;
use guardbee_model::{ColumnName, Operation};
use guardbee_policy::{DataPolicy, DataRule, Effect, Resource, Scope, TagAssignment};

use crate::expression_names::{CARRIER, holds_query, names_column};
use crate::follow_up::{column_renamed, table_scope};
use crate::outcome::Problem;

use super::Judge;

impl Judge<'_> {
    /// Why nobody but an administrator may rename it so.
    pub(super) fn shakes_off(&self, effects: &Effects) -> Option<Problem> {
        if self.subject.is_administrator() {
            return None;
        }
        let (from, to, left) = self
            .moves(effects)
            .into_iter()
            .find_map(|(from, to)| self.left_behind(&from, &to).map(|left| (from, to, left)))?;
        let message = format!(
            "user `{}` may not rename `{from}` to `{to}`: {left} would not reach it there",
            self.identity.user
        );
        let problem = Problem::new("protection-left-behind", message);
        Some(problem.with_hint("an administrator may rename it; what stands on the object itself goes along"))
    }

    /// What gets another name, from which to which.
    fn moves(&self, effects: &Effects) -> Vec<(Resource, Resource)> {
        let renames_column = effects.operation == Operation::AlterTableRenameColumn;
        let moved = effects.changes.iter().filter_map(|change| match change {
            CatalogChange::RenameTable { from, to } if !self.before.is_temporary(from) => {
                Some((Resource::Table(from.clone()), Resource::Table(to.clone())))
            }
            CatalogChange::PutTable(after) if renames_column => {
                let before = self.before.catalog().table(&after.name.database, &after.name.table)?;
                let (gone, new) = column_renamed(before, after)?;
                let column = |name| Resource::Column(ColumnName::new(after.name.clone(), name));
                Some((column(gone), column(new)))
            }
            _ => None,
        });
        moved.collect()
    }

    fn left_behind(&self, from: &Resource, to: &Resource) -> Option<String> {
        let policy = &self.snapshot.policy;
        let is_left = |scope: &Scope| reaches(scope, from) && !reaches(scope, to) && !goes_along(scope, from);
        let denials = policy.entries().filter(|entry| entry.effect == Effect::Deny);
        let denial = denials.into_iter().find(|entry| is_left(&entry.scope));
        let rule = || policy.data_policies().find(|rule| is_left(&rule.scope));
        let tag = || {
            let (from, to) =
                (Resource::Database(from.database()?.clone()), Resource::Database(to.database()?.clone()));
            let is_there = |tag: &TagAssignment| {
                policy.tags_on(&to).any(|known| known.tag == tag.tag && known.value == tag.value)
            };
            policy.tags_on(&from).find(|tag| !is_there(tag))
        };
        if let Some(denial) = denial {
            return Some(format!("the denial {} on {}", denial.id, denial.scope));
        }
        if let Some(rule) = rule().or_else(|| self.rule_with_old_name(from)) {
            let kind = match rule.rule {
                DataRule::RowFilter => "row filter",
                DataRule::ColumnMask => "column mask",
            };
            return Some(format!("the {kind} `{}` on {}", rule.name, rule.scope));
        }
        tag().map(|tag| format!("the tag `{}` on {}", tag.tag, tag.resource))
    }
}

impl Judge<'_> {
    /// A rule for the rows of a table that would go on naming the column by its old name.
    fn rule_with_old_name(&self, from: &Resource) -> Option<&DataPolicy> {
        let Resource::Column(ColumnName { table, column }) = from else { return None };
        let policy = &self.snapshot.policy;
        let own = table_scope(table);
        let whole = Resource::Table(table.clone());
        let around = [Resource::Server, Resource::Database(table.database.clone()), whole.clone()];
        let tags: Vec<Scope> = around
            .iter()
            .flat_map(|object| policy.tags_on(object))
            .chain(policy.tags_inside(table))
            .flat_map(|assigned| {
                [None, assigned.value.clone()].map(|value| Scope::Tag { tag: assigned.tag.clone(), value })
            })
            .collect();
        policy.data_policies().find(|rule| {
            let is_carrier = matches!(rule.scope, Scope::Tag { .. })
                && rule.rule == DataRule::ColumnMask
                && *column == CARRIER;
            let follows = own.holds(&rule.scope) && !holds_query(&rule.expression);
            !follows
                && !is_carrier
                && (reaches(&rule.scope, &whole) || tags.contains(&rule.scope))
                && names_column(&rule.expression, column, Some(&table.table))
        })
    }
}

/// Does what stands at a scope reach a resource or what is in it? What carries a tag is looked at by itself.
fn reaches(scope: &Scope, resource: &Resource) -> bool {
    scope.covers(resource) || scope.is_inside(resource)
}

/// Does what stands at a scope get the new name?
fn goes_along(scope: &Scope, from: &Resource) -> bool {
    match from {
        Resource::Table(table) => table_scope(table).holds(scope),
        other => other.scope().as_ref() == Some(scope),
    }
}
