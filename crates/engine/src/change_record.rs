//! What the audit log keeps of a change of the policy. A commit carries it, and a store writes both or neither.

use std::collections::HashSet;
use std::sync::Arc;

use guardbee_lineage::utc;
use guardbee_model::{Name, Timestamp};
use guardbee_policy::{Change, DataRule, Effect, Policy, Resource, Scope};
use smol_str::{SmolStr, format_smolstr};

use crate::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use crate::store::PolicyVersion;

/// Of a change of a whole policy not everything is named; that there was more is said.
const MOST_OBJECTS: usize = 10_000;

/// A change that was made without a statement.
#[derive(Debug, Clone, Copy)]
pub struct ChangeAsked<'a> {
    pub actor: &'a str,
    pub at: Timestamp,
    /// What was asked for, such as `policy apply`.
    pub operation: &'a str,
    pub reason: &'a str,
}

impl AuditRecord {
    /// The record of a change by some steps. `before` is the policy that they are taken from.
    #[must_use]
    pub fn of_change(asked: ChangeAsked<'_>, before: &Policy, changes: &[Change]) -> Self {
        let record = Self {
            at: asked.at,
            actor: SmolStr::new(asked.actor),
            groups: Vec::new(),
            kind: AuditKind::Change,
            statement: Arc::from(""),
            operation: SmolStr::new(asked.operation),
            objects: Vec::new(),
            verdict: Verdict::Allowed,
            reasons: if asked.reason.is_empty() { Vec::new() } else { vec![Arc::from(asked.reason)] },
            missing: Vec::new(),
            // The store says which one came of it.
            policy_version: PolicyVersion::default(),
            client: None,
        };
        record.with_changes(before, changes)
    }

    /// The record of runs being forgotten that ended before a moment.
    #[must_use]
    pub fn of_forgetting(actor: &str, at: Timestamp, before: Timestamp, policy: PolicyVersion) -> Self {
        let reason = format!("those that ended before {}", utc::text(before));
        let asked = ChangeAsked { actor, at, operation: "forget runs", reason: &reason };
        Self { policy_version: policy, ..Self::of_change(asked, &Policy::new(), &[]) }
    }

    /// The same as the record of a change by these steps.
    #[must_use]
    pub fn with_changes(mut self, before: &Policy, changes: &[Change]) -> Self {
        self.kind = AuditKind::Change;
        let mut seen: HashSet<AuditObject> = self.objects.iter().cloned().collect();
        for change in changes {
            let Some(object) = object(before, change) else { continue };
            if seen.contains(&object) {
                continue;
            }
            if seen.len() == MOST_OBJECTS {
                self.reasons.push(Arc::from(format!("{} steps, of which not all are named", changes.len())));
                break;
            }
            seen.insert(object.clone());
            self.objects.push(object);
        }
        self
    }
}

/// What a step is about; nothing where it takes away an entry that is not there.
fn object(before: &Policy, change: &Change) -> Option<AuditObject> {
    let named = |access: &'static str, name: &str| AuditObject {
        name: SmolStr::new(name),
        access: SmolStr::new_static(access),
        columns: Vec::new(),
    };
    Some(match change {
        Change::PutRole(role) => named("PUT ROLE", &role.name),
        Change::RemoveRole(name) => named("REMOVE ROLE", name),
        Change::PutMembership(membership) => named("PUT MEMBER", &membership.role),
        Change::RemoveMembership { role, .. } => named("REMOVE MEMBER", role),
        Change::PutEntry(entry) => match entry.effect {
            Effect::Grant => at_scope("GRANT", &entry.scope),
            Effect::Deny => at_scope("DENY", &entry.scope),
        },
        Change::RemoveEntry(id) => {
            let entry = before.entry(*id)?;
            match entry.effect {
                Effect::Grant => at_scope("REVOKE", &entry.scope),
                Effect::Deny => at_scope("REVOKE DENY", &entry.scope),
            }
        }
        Change::PutDataPolicy(policy) => match policy.rule {
            DataRule::RowFilter => at_scope("PUT ROW FILTER", &policy.scope),
            DataRule::ColumnMask => at_scope("PUT COLUMN MASK", &policy.scope),
        },
        Change::RemoveDataPolicy { rule: DataRule::RowFilter, name } => named("REMOVE ROW FILTER", name),
        Change::RemoveDataPolicy { rule: DataRule::ColumnMask, name } => named("REMOVE COLUMN MASK", name),
        Change::PutTag(tag) => named("PUT TAG", &tag.name),
        Change::RemoveTag(name) => named("REMOVE TAG", name),
        Change::PutTagAssignment(assignment) => at_resource("TAG", &assignment.resource),
        Change::RemoveTagAssignment { resource, .. } => at_resource("UNTAG", resource),
        Change::PutOwner(ownership) => at_resource("PUT OWNER", &ownership.resource),
        Change::RemoveOwner(resource) => at_resource("REMOVE OWNER", resource),
        Change::PutSetting { key, .. } => named("PUT SETTING", key),
        Change::RemoveSetting(key) => named("REMOVE SETTING", key),
    })
}

/// Columns belong to their table, as in the records of statements.
fn at_scope(access: &'static str, scope: &Scope) -> AuditObject {
    let (name, column) = match scope {
        Scope::Server => (SmolStr::new_static("server"), None),
        Scope::Database(database) => (format_smolstr!("{database}"), None),
        Scope::Table { database, table } => (format_smolstr!("{database}.{table}"), None),
        Scope::Column { database, table, column } => {
            (format_smolstr!("{database}.{table}"), Some(Name::fold(&column.to_string())))
        }
        Scope::Uri(uri) => (format_smolstr!("{uri}"), None),
        Scope::Function { database, function } => (format_smolstr!("{database}.{function}"), None),
        Scope::Connector(connector) => (format_smolstr!("{connector}"), None),
        Scope::Tag { tag, .. } => (SmolStr::new(tag), None),
    };
    AuditObject { name, access: SmolStr::new_static(access), columns: column.into_iter().collect() }
}

fn at_resource(access: &'static str, resource: &Resource) -> AuditObject {
    let (name, column) = match resource {
        Resource::Column(column) => (format_smolstr!("{}", column.table), Some(column.column.clone())),
        resource => (format_smolstr!("{resource}"), None),
    };
    AuditObject { name, access: SmolStr::new_static(access), columns: column.into_iter().collect() }
}
