//! What is kept of a statement that a session was asked to run: its run, and its record in the audit log.

use std::sync::Arc;

use guardbee_analysis::effects::{Effects, Object, Read};
use guardbee_lineage::Run;
use guardbee_model::{Name, Operation, Timestamp};
use guardbee_policy::decision::{Basis, Reason};
use guardbee_policy::{EntryId, Uri};
use smol_str::{SmolStr, format_smolstr};

use crate::administration;
use crate::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use crate::engine::EngineError;
use crate::lineage::Lineage;
use crate::outcome::{Checked, Outcome, missing_text};
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
        let operation = checked.effects.as_ref().map(|effects| effects.operation);
        let missing = checked.decision.missing();
        let missing = missing.map(|missing| missing_text(missing, policy.policy.settings()).into());
        AuditRecord {
            at,
            actor: self.identity().user.clone(),
            groups: self.identity().groups.clone(),
            kind: kind(operation),
            statement: Arc::from(statement),
            operation: SmolStr::new_static(operation.map_or("", Operation::as_str)),
            objects: checked
                .effects
                .as_ref()
                .map(|effects| objects(effects, file_system))
                .unwrap_or_default(),
            verdict: match checked.outcome {
                Outcome::Allowed => Verdict::Allowed,
                Outcome::Denied | Outcome::Error => Verdict::Denied,
            },
            reasons: reasons(checked),
            missing: if checked.is_allowed() { Vec::new() } else { missing.collect() },
            policy_version: policy.version,
            client: None,
        }
    }
}

impl Session {
    /// The same of a statement of which the objects are known that it touches.
    #[must_use]
    pub fn audit_of_objects(
        &self,
        objects: &PrivilegeObjects,
        statement: Option<&str>,
        checked: &Checked,
        at: Timestamp,
    ) -> AuditRecord {
        let record = self.audit_of(statement.unwrap_or_default(), checked, at);
        let inputs = objects.inputs.iter().map(|object| (object, "SELECT"));
        let outputs = objects.outputs.iter().map(|object| (object, object.action().as_str()));
        AuditRecord {
            kind: kind(Some(objects.operation)),
            operation: SmolStr::new_static(objects.operation.as_str()),
            objects: inputs
                .chain(outputs)
                .filter_map(|(object, access)| {
                    Some(AuditObject {
                        name: object.name()?,
                        access: SmolStr::new_static(access),
                        columns: object.columns().to_vec(),
                    })
                })
                .collect(),
            ..record
        }
    }
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

fn reasons(checked: &Checked) -> Vec<Arc<str>> {
    let mut reasons: Vec<Arc<str>> = Vec::new();
    for reason in checked.decision.reasons.iter().filter_map(reason) {
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    reasons.extend(checked.problem.as_ref().map(|problem| Arc::from(problem.message.as_str())));
    reasons
}

fn reason(reason: &Reason) -> Option<Arc<str>> {
    let entries = |word: &str| {
        let ids: Vec<String> = reason.entries.iter().map(|EntryId(id)| id.to_string()).collect();
        let noun = if ids.len() == 1 { "entry" } else { "entries" };
        format!("{word} by {noun} {}", ids.join(", "))
    };
    Some(Arc::from(match &reason.basis {
        Basis::Granted => entries("granted"),
        Basis::Denied => entries("denied"),
        Basis::Owner => "owner".to_owned(),
        Basis::Administrator => "administrator".to_owned(),
        Basis::Super => "holds SUPER".to_owned(),
        Basis::Provider(name) => format!("decided by {name}"),
        Basis::Forbidden => "forbidden to everybody".to_owned(),
        Basis::NotGranted => return None,
    }))
}
