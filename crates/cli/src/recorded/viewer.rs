//! Whose eyes an answer is for: what the viewer may not know of keeps its place and loses its name.

use std::sync::Arc;

use guardbee_engine::{Completeness, Engine, EngineOptions, Session};
use guardbee_lineage::{Context, DatasetChange, DatasetName, Run};
use guardbee_policy::{Identity, Policy, Resource, Uri};

use crate::arguments::Groups;
use crate::policy::source;

/// Somebody who looks at lineage.
pub struct Viewer {
    /// Absent where everything may be seen, as by who holds the store in their hands.
    session: Option<Session>,
}

impl Viewer {
    /// # Errors
    /// Groups that cannot be told.
    pub fn of(policy: &Policy, user: Option<&str>, groups: &Groups) -> anyhow::Result<Self> {
        let Some(user) = user else { return Ok(Self { session: None }) };
        let identity = Identity { groups: source::groups_of(groups, user)?, ..Identity::of_user(user) };
        let options = EngineOptions { completeness: Completeness::Partial, ..EngineOptions::default() };
        Ok(Self { session: Some(Engine::new(policy.clone(), options).session(identity)) })
    }

    /// May they know of the dataset? What belongs to a session or a client is nobody else's.
    #[must_use]
    pub fn sees(&self, dataset: &DatasetName) -> bool {
        let Some(session) = &self.session else { return true };
        match dataset {
            DatasetName::Database(name) => session.sees(&Resource::Database(name.clone())),
            DatasetName::Table(table) => session.sees(&Resource::Table(table.clone())),
            DatasetName::Path(path) => session.sees(&Resource::Uri(Uri::from_normalised(path))),
            DatasetName::Temporary { .. } | DatasetName::Result(_) => false,
        }
    }

    /// The run as they may see it: a statement that names what they may not know of is not shown, nor who ran it.
    #[must_use]
    pub fn seen(&self, mut run: Run) -> Run {
        let read = run.inputs.iter().map(|input| &input.dataset);
        let written = run.targets.iter().map(|target| &target.dataset);
        let changed = run.changes.iter().flat_map(changed);
        if self.session.is_none() || read.chain(written).chain(changed).all(|dataset| self.sees(dataset)) {
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
        run.changes.clear();
        run.context = Arc::new(Context { origin: run.context.origin, ..Context::default() });
        run
    }
}

fn changed(change: &DatasetChange) -> Vec<&DatasetName> {
    match change {
        DatasetChange::Create { dataset, .. }
        | DatasetChange::Ensure { dataset, .. }
        | DatasetChange::Drop { dataset }
        | DatasetChange::RenameColumn { dataset, .. }
        | DatasetChange::DropColumn { dataset, .. }
        | DatasetChange::DropPartition { dataset, .. } => vec![dataset],
        DatasetChange::Rename { from, to } | DatasetChange::MovePartition { from, to, .. } => vec![from, to],
    }
}
