//! Whose eyes an answer about runs, tags or the audit log is for: what the viewer may not know of keeps its place and loses
//! its name. Every answer asks here, so that none tells what another keeps to itself.

use std::sync::Arc;

use guardbee_lineage::{
    AsOf, Context, DatasetChange, DatasetId, DatasetName, Graph, NodeName, Run, TraceSubject, Visibility,
};
use guardbee_model::{Name, TableName};
use guardbee_policy::{Identity, Policy, Resource, Subject, Timestamp, Uri};
use smol_str::SmolStr;

use crate::audit::{AuditEntry, AuditKind, AuditRecord};
use crate::sight::Sight;

/// Somebody who looks at what is remembered.
pub struct Viewer {
    /// Absent where everything may be seen, as by who holds the store in their hands.
    known: Option<Known>,
}

/// Who they are, and the policy of the moment at which they look.
struct Known {
    user: SmolStr,
    subject: Subject,
    policy: Policy,
    now: Timestamp,
}

impl Known {
    fn sees(&self, resource: &Resource) -> bool {
        Sight { policy: &self.policy, subject: &self.subject, now: self.now }.sees(resource)
    }
}

impl Viewer {
    /// Who may see everything.
    #[must_use]
    pub const fn of_everything() -> Self {
        Self { known: None }
    }

    /// Who may see what somebody may know of by a policy at a moment.
    #[must_use]
    pub fn of(policy: Policy, identity: &Identity, now: Timestamp) -> Self {
        let subject = policy.subject(identity);
        Self { known: Some(Known { user: identity.user.clone(), subject, policy, now }) }
    }

    #[must_use]
    pub const fn sees_everything(&self) -> bool {
        self.known.is_none()
    }

    /// Their name; none where everything may be seen.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        self.known.as_ref().map(|known| known.user.as_str())
    }

    /// May they know of the dataset? What belongs to a session or a client is nobody else's.
    #[must_use]
    pub fn sees(&self, dataset: &DatasetName) -> bool {
        let Some(known) = &self.known else { return true };
        match dataset {
            DatasetName::Database(name) => known.sees(&Resource::Database(name.clone())),
            DatasetName::Table(table) => known.sees(&Resource::Table(table.clone())),
            DatasetName::Path(path) => known.sees(&Resource::Uri(Uri::from_normalised(path))),
            DatasetName::Temporary { .. } | DatasetName::Result(_) => false,
        }
    }

    /// May they know that there was such a run: is it theirs, or did it touch anything that they may know of?
    #[must_use]
    pub fn sees_run(&self, run: &Run) -> bool {
        let Some(known) = &self.known else { return true };
        run.context.user == known.user || touched(run).any(|dataset| self.sees(dataset))
    }

    /// The same for datasets of a graph.
    pub fn visibility<'v>(&'v self, graph: &'v Graph, at: AsOf) -> impl Fn(DatasetId) -> Visibility + 'v {
        move |dataset| match graph.name(TraceSubject::Dataset(dataset), at) {
            Some(name) if self.sees(&name.dataset) => Visibility::Visible,
            Some(_) | None => Visibility::Masked,
        }
    }

    /// The name of a dataset or column; none where they may not know of it.
    #[must_use]
    pub fn name(&self, name: &NodeName) -> Option<String> {
        self.sees(&name.dataset).then(|| name.to_string())
    }

    /// The same for a resource of the policy.
    #[must_use]
    pub fn resource(&self, resource: &Resource) -> Option<String> {
        let is_seen = self.known.as_ref().is_none_or(|known| match resource {
            Resource::Column(column) => known.sees(&Resource::Table(column.table.clone())),
            resource => known.sees(resource),
        });
        is_seen.then(|| resource.to_string())
    }

    /// May they know of what records of the audit log call this?
    #[must_use]
    pub fn sees_object(&self, name: &str) -> bool {
        let Some(known) = &self.known else { return true };
        let resource = match name.split_once('.') {
            _ if name.contains('/') => Resource::Uri(Uri::from_normalised(name)),
            Some((database, table)) => {
                Resource::Table(TableName::new(Name::fold(database), Name::fold(table)))
            }
            None => Resource::Database(Name::fold(name)),
        };
        known.sees(&resource)
    }

    /// The record as they may see it. Their own they know. Of others they see what was decided about data where they may
    /// know of all of it; what somebody else lacks, and why, is between those and the policy.
    #[must_use]
    pub fn seen_record(&self, entry: AuditEntry) -> AuditEntry {
        let Some(known) = &self.known else { return entry };
        let AuditEntry { seq, record, hash } = entry;
        if record.actor == known.user {
            return AuditEntry { seq, record, hash };
        }
        let is_about_data = matches!(record.kind, AuditKind::Decision | AuditKind::Failure);
        let is_known =
            !record.objects.is_empty() && record.objects.iter().all(|object| self.sees_object(&object.name));
        let record = AuditRecord { reasons: Vec::new(), missing: Vec::new(), ..record };
        let record = match is_about_data && is_known {
            true => record,
            false => AuditRecord {
                actor: SmolStr::default(),
                groups: Vec::new(),
                statement: Arc::from(""),
                objects: Vec::new(),
                client: None,
                ..record
            },
        };
        AuditEntry { seq, record, hash }
    }

    /// The run as they may see it: a statement that names what they may not know of is not shown, nor who ran it, unless that
    /// was they themselves.
    #[must_use]
    pub fn seen(&self, mut run: Run) -> Run {
        if self.known.is_none() || touched(&run).all(|dataset| self.sees(dataset)) {
            return run;
        }
        run.inputs.retain(|input| self.sees(&input.dataset));
        run.targets.retain(|target| self.sees(&target.dataset));
        for target in &mut run.targets {
            target.whole.retain(|dataset| self.sees(dataset));
            target.influences.retain(|found| self.sees(&found.dataset));
            for column in &mut target.columns {
                let sources = column.sources.len();
                column.sources.retain(|found| self.sees(&found.dataset));
                column.influences.retain(|found| self.sees(&found.dataset));
                if column.sources.len() < sources {
                    column.expression = None;
                }
            }
        }
        run.changes.retain(|change| change.datasets().all(|dataset| self.sees(dataset)));
        if self.user() != Some(run.context.user.as_str()) {
            run.changes.clear();
            run.context = Arc::new(Context { origin: run.context.origin, ..Context::default() });
        }
        run
    }
}

/// All that a run read, wrote or changed.
fn touched(run: &Run) -> impl Iterator<Item = &DatasetName> {
    let read = run.inputs.iter().map(|input| &input.dataset);
    let written = run.targets.iter().map(|target| &target.dataset);
    read.chain(written).chain(run.changes.iter().flat_map(DatasetChange::datasets))
}
