//! Row filters and column masks. Only administrators may change them.

use std::sync::Arc;

use guardbee_analysis::Session as AnalysisSession;
use guardbee_hiveql::tree::{
    CreatePolicy, Existence, Identifier, PolicyChange, PolicyDefinition, PolicyKind, PolicyStatement,
    PrivilegeObject,
};
use guardbee_model::{Name, Severity};
use guardbee_policy::{Change, DataPolicy, DataRule, PolicyState, Scope};

use super::draft::Draft;
use super::{Context, Plan, Refusal, names, objects, tags, who_may};

pub(super) fn plan(context: Context<'_>, statement: &PolicyStatement<'_>) -> Result<Plan, Refusal> {
    match statement {
        PolicyStatement::Create(create) => self::create(context, create),
        PolicyStatement::Alter { kind, name, change } => alter(context, rule_of(*kind), *name, change),
        PolicyStatement::Drop { kind, name, if_exists } => drop(context, rule_of(*kind), *name, *if_exists),
        tag => tags::plan(context, tag),
    }
}

const fn rule_of(kind: PolicyKind) -> DataRule {
    match kind {
        PolicyKind::RowFilter => DataRule::RowFilter,
        PolicyKind::ColumnMask => DataRule::ColumnMask,
    }
}

pub(super) const fn word(rule: DataRule) -> &'static str {
    match rule {
        DataRule::RowFilter => "row filter",
        DataRule::ColumnMask => "column mask",
    }
}

fn create(context: Context<'_>, create: &CreatePolicy<'_>) -> Result<Plan, Refusal> {
    let rule = rule_of(create.kind);
    let name = create.name.name();
    let scope = scope(context, rule, &create.on, create.column)?;
    let grounds = who_may::administer(context, &format!("create {}s", word(rule)))?;
    objects::must_exist(context, &scope)?;
    let expression = expression(&create.definition);
    must_be_understood(context, rule, &scope, &expression)?;
    let mut draft = Draft::new(context);
    if context.policy.data_policy(rule, &name).is_some() && !create.or_replace {
        if create.if_not_exists == Existence::Required {
            let message = format!("the {} `{name}` already exists", word(rule));
            return Err(Refusal::error("data-policy-exists", message));
        }
        draft.notice(format!("the {} `{name}` already exists", word(rule)));
        return Ok(draft.finish(grounds));
    }
    let principals = names::principals(context, create.principals)?;
    let except = names::exceptions(context, create.except)?;
    names::must_exist(context, principals.iter().chain(&*except))?;
    draft.make(Change::PutDataPolicy(DataPolicy {
        name,
        rule,
        scope,
        expression,
        principals: principals.into(),
        except,
        state: PolicyState::Enabled,
        created_by: Some(context.identity.user.clone()),
        created_at: context.now,
    }))?;
    Ok(draft.finish(grounds))
}

fn expression(definition: &PolicyDefinition<'_>) -> Arc<str> {
    Arc::from(definition.text.trim())
}

/// The columns that it names must be the table's. Of a rule on a tag nothing can be said before the tag is on
/// something.
fn must_be_understood(
    context: Context<'_>,
    rule: DataRule,
    scope: &Scope,
    expression: &str,
) -> Result<(), Refusal> {
    let (Scope::Table { database, table } | Scope::Column { database, table, .. }) = scope else {
        return Ok(());
    };
    let (Some(database), Some(table)) = (database.literal(), table.literal()) else { return Ok(()) };
    if context.catalog.table(database, table).is_none() {
        return Ok(());
    }
    let query = match rule {
        DataRule::RowFilter => format!("SELECT 1 FROM `{database}`.`{table}` WHERE ({expression})"),
        DataRule::ColumnMask => format!("SELECT ({expression}) AS masked FROM `{database}`.`{table}`"),
    };
    let mut session = AnalysisSession::new(context.catalog.clone(), context.hive_version);
    let findings = session.analyze(&query).diagnostics;
    match findings.into_iter().find(|found| found.severity == Severity::Error) {
        None => Ok(()),
        Some(found) => Err(Refusal::error(found.code.0, found.message)),
    }
}

/// A filter stands on a table, view or tag; a mask on a column or tag.
fn scope(
    context: Context<'_>,
    rule: DataRule,
    on: &PrivilegeObject<'_>,
    column: Option<Identifier<'_>>,
) -> Result<Scope, Refusal> {
    let scope = objects::scope(context, Some(on))?;
    let unsupported = |what: &str| Err(Refusal::error("unsupported-object", what.to_owned()));
    let scope = match (column, scope) {
        (Some(column), scope) => objects::columns(context, &scope, &[column])?.pop().unwrap_or(scope),
        (None, scope) => scope,
    };
    match (rule, &scope) {
        (DataRule::RowFilter, Scope::Table { .. } | Scope::Tag { .. })
        | (DataRule::ColumnMask, Scope::Column { .. } | Scope::Tag { .. }) => Ok(scope),
        (DataRule::RowFilter, _) => unsupported("a row filter stands on a table, a view or a tag"),
        (DataRule::ColumnMask, _) => unsupported("a column mask stands on a column or a tag"),
    }
}

fn known(context: Context<'_>, rule: DataRule, name: &Name) -> Result<DataPolicy, Refusal> {
    context
        .policy
        .data_policy(rule, name)
        .cloned()
        .ok_or_else(|| Refusal::error("unknown-data-policy", format!("there is no {} `{name}`", word(rule))))
}

fn alter(
    context: Context<'_>,
    rule: DataRule,
    name: Identifier<'_>,
    change: &PolicyChange<'_>,
) -> Result<Plan, Refusal> {
    let name = name.name();
    let grounds = who_may::administer(context, &format!("change {}s", word(rule)))?;
    let before = known(context, rule, &name)?;
    let mut draft = Draft::new(context);
    let after = match change {
        PolicyChange::Rename(to) => {
            let to = to.name();
            if to != name && context.policy.data_policy(rule, &to).is_some() {
                let message = format!("the {} `{to}` already exists", word(rule));
                return Err(Refusal::error("data-policy-exists", message));
            }
            draft.make(Change::RemoveDataPolicy { rule, name })?;
            DataPolicy { name: to, ..before }
        }
        PolicyChange::Enable => DataPolicy { state: PolicyState::Enabled, ..before },
        PolicyChange::Disable => DataPolicy { state: PolicyState::Disabled, ..before },
        PolicyChange::Redefine { definition, principals, except } => {
            let to = names::principals(context, principals)?;
            let except = names::exceptions(context, except)?;
            names::must_exist(context, to.iter().chain(&*except))?;
            let expression = definition.as_ref().map_or(before.expression, expression);
            must_be_understood(context, rule, &before.scope, &expression)?;
            DataPolicy {
                expression,
                principals: if to.is_empty() { before.principals } else { to.into() },
                except: if except.is_empty() { before.except } else { except },
                ..before
            }
        }
    };
    draft.make(Change::PutDataPolicy(after))?;
    Ok(draft.finish(grounds))
}

fn drop(
    context: Context<'_>,
    rule: DataRule,
    name: Identifier<'_>,
    if_exists: Existence,
) -> Result<Plan, Refusal> {
    let name = name.name();
    let grounds = who_may::administer(context, &format!("drop {}s", word(rule)))?;
    let mut draft = Draft::new(context);
    match known(context, rule, &name) {
        Ok(_) => draft.make(Change::RemoveDataPolicy { rule, name })?,
        Err(_) if if_exists == Existence::Tolerated => {
            draft.notice(format!("there is no {} `{name}`", word(rule)));
        }
        Err(refusal) => return Err(refusal),
    }
    Ok(draft.finish(grounds))
}
