//! What is kept of a statement that a session was asked to run: its run, and its record in the audit log.

use std::fmt::Write as _;
use std::sync::Arc;

use guardbee_analysis::effects::{Effects, Object, Read};
use guardbee_lineage::Run;
use guardbee_model::{Name, Operation, Timestamp};
use guardbee_policy::decision::{Basis, Reason};
use guardbee_policy::{EntryId, Identity, Uri};
use smol_str::{SmolStr, format_smolstr};

use crate::administration;
use crate::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use crate::engine::{EngineError, PolicySnapshot};
use crate::lineage::Lineage;
use crate::outcome::{Checked, Outcome, missing_by_table};
use crate::privilege_objects::PrivilegeObjects;
use crate::record::{self, Occasion, SessionTables, Succeeded};
use crate::run_store::Appended;
use crate::session::Session;

impl Session {
    /// The run of a statement that has been run with success by the session that this is the [snapshot](Self::snapshot)
    /// of, taken before; nothing where it was not allowed, and where it leaves nothing to remember. `tables` are those of the
    /// session, which go on.
    #[must_use]
    pub fn run_of(
        &self,
        statement: &str,
        checked: &Checked,
        tables: &mut SessionTables,
        occasion: Occasion,
    ) -> Option<Run> {
        let effects = checked.effects.as_ref().filter(|_| checked.is_allowed())?;
        let policy = self.policy();
        let statement = Succeeded {
            text: statement,
            effects,
            before: self.state(),
            tables,
            default_file_system: &policy.policy.settings().default_file_system,
        };
        let run = record::run(statement, occasion);
        tables.follow(effects, self.state());
        run
    }

    /// Keeps the run of a statement that has succeeded; nothing where [there is none](Self::run_of). It is durable when
    /// this returns, and in the graph.
    ///
    /// # Errors
    /// [`EngineError`] where the store fails.
    pub async fn record(
        &self,
        statement: &str,
        checked: &Checked,
        tables: &mut SessionTables,
        occasion: Occasion,
        lineage: &Arc<Lineage>,
    ) -> Result<Option<Appended>, EngineError> {
        match self.run_of(statement, checked, tables, occasion) {
            Some(run) => lineage.ingest(run).await.map(Some),
            None => Ok(None),
        }
    }

    /// What the audit log keeps of a statement that this session wanted to run. One that changed the policy of a store is
    /// in the log already.
    #[must_use]
    pub fn audit_of(&self, statement: &str, checked: &Checked, at: Timestamp) -> AuditRecord {
        let policy = self.policy();
        let file_system = &policy.policy.settings().default_file_system;
        let effects = checked.effects.as_ref();
        let objects = effects.map(|effects| objects(effects, file_system)).unwrap_or_default();
        let operation = effects.map(|effects| effects.operation);
        let asked = Asked { identity: self.identity(), policy: &policy, statement, operation };
        audit(asked, objects, checked, at)
    }

    /// The same of a statement of which the objects are known that it touches.
    #[must_use]
    pub fn audit_of_objects(
        &self,
        objects: &PrivilegeObjects,
        statement: &str,
        checked: &Checked,
        at: Timestamp,
    ) -> AuditRecord {
        let (identity, operation) = (self.identity(), Some(objects.operation));
        let asked = Asked { identity, policy: &self.policy(), statement, operation };
        audit(asked, stated_objects(objects), checked, at)
    }
}

/// What somebody wanted to run, and the policy that decided.
pub(crate) struct Asked<'a> {
    pub identity: &'a Identity,
    pub policy: &'a PolicySnapshot,
    pub statement: &'a str,
    pub operation: Option<Operation>,
}

/// What the audit log keeps of it.
pub(crate) fn audit(
    asked: Asked<'_>,
    objects: Vec<AuditObject>,
    checked: &Checked,
    at: Timestamp,
) -> AuditRecord {
    AuditRecord {
        at,
        actor: asked.identity.user.clone(),
        groups: asked.identity.groups.clone(),
        kind: kind(asked.operation),
        statement: if asked.statement.is_empty() { Arc::default() } else { Arc::from(asked.statement) },
        operation: SmolStr::new_static(asked.operation.map_or("", Operation::as_str)),
        objects,
        verdict: match checked.outcome {
            Outcome::Allowed => Verdict::Allowed,
            Outcome::Denied | Outcome::Error => Verdict::Denied,
        },
        reasons: reasons(checked),
        missing: match checked.is_allowed() {
            true => Vec::new(),
            false => missing_by_table(&checked.decision, asked.policy.policy.settings()),
        },
        policy_version: asked.policy.version,
        client: None,
    }
}

/// What a statement reads and writes, as its objects were stated.
pub(crate) fn stated_objects(objects: &PrivilegeObjects) -> Vec<AuditObject> {
    let inputs = objects.inputs.iter().map(|object| (object, "SELECT"));
    let outputs = objects.outputs.iter().map(|object| (object, object.action().as_str()));
    let named = inputs.chain(outputs).filter_map(|(object, access)| {
        Some(AuditObject {
            name: object.name()?,
            access: SmolStr::new_static(access),
            columns: object.columns().to_vec(),
        })
    });
    named.collect()
}

fn kind(operation: Option<Operation>) -> AuditKind {
    let is_question = matches!(
        operation,
        Some(
            Operation::ShowGrant
                | Operation::ShowRoles
                | Operation::ShowRoleGrant
                | Operation::ShowRolePrincipals
        )
    );
    let administers = operation.is_some_and(administration::administers) && !is_question;
    if administers { AuditKind::Change } else { AuditKind::Decision }
}

/// What the statement itself reads and writes, each object once for each way.
fn objects(effects: &Effects, file_system: &str) -> Vec<AuditObject> {
    let read = effects.reads.iter().filter(|read| read.access.is_direct());
    let mut objects: Vec<AuditObject> = read.map(|read| read_object(read, file_system)).collect();
    for write in &effects.writes {
        let object = AuditObject {
            name: object_name(&write.object, file_system),
            access: SmolStr::new(write.action.as_str().to_ascii_uppercase()),
            columns: write.columns.clone(),
        };
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    objects
}

fn read_object(read: &Read, file_system: &str) -> AuditObject {
    let columns = read.columns.iter().filter(|column| !column.is_dropped());
    AuditObject {
        name: object_name(&read.object, file_system),
        access: SmolStr::new_static("SELECT"),
        columns: columns.map(|column| column.name.clone()).collect::<Vec<Name>>(),
    }
}

/// Addresses are called as runs call them.
fn object_name(object: &Object, file_system: &str) -> SmolStr {
    match object {
        Object::Path(path) => match Uri::requested(path, file_system) {
            Ok(place) => format_smolstr!("{place}"),
            Err(_) => SmolStr::new(path),
        },
        object => format_smolstr!("{object}"),
    }
}

/// What decided, each way once with all the entries that did.
fn reasons(checked: &Checked) -> Vec<Arc<str>> {
    let mut ways: Vec<(&Basis, Vec<u64>)> = Vec::new();
    for Reason { basis, entries, .. } in &checked.decision.reasons {
        let entries = entries.iter().map(|EntryId(id)| *id);
        match ways.iter_mut().find(|(known, _)| *known == basis) {
            Some((_, known)) => known.extend(entries),
            None => ways.push((basis, entries.collect())),
        }
    }
    let mut reasons: Vec<Arc<str>> =
        ways.into_iter().filter_map(|(basis, entries)| reason(basis, entries)).collect();
    reasons.extend(checked.problem.as_ref().map(|problem| Arc::from(problem.message.as_str())));
    reasons
}

fn reason(basis: &Basis, mut entries: Vec<u64>) -> Option<Arc<str>> {
    let mut by_entries = |word: &str| {
        entries.sort_unstable();
        entries.dedup();
        let noun = if entries.len() == 1 { "entry" } else { "entries" };
        let mut text = format!("{word} by {noun} ");
        for (place, id) in entries.iter().enumerate() {
            // Text takes whatever is written to it.
            let _ = write!(text, "{}{id}", if place == 0 { "" } else { ", " });
        }
        text
    };
    Some(Arc::from(match basis {
        Basis::Granted => by_entries("granted"),
        Basis::Denied => by_entries("denied"),
        Basis::Owner => "owner".to_owned(),
        Basis::Administrator => "administrator".to_owned(),
        Basis::Super => "holds SUPER".to_owned(),
        Basis::Provider(name) => format!("decided by {name}"),
        Basis::Forbidden => "forbidden to everybody".to_owned(),
        Basis::NotGranted => return None,
    }))
}
