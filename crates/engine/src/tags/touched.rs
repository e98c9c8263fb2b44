//! Statements of which only the objects are known that they touch: whatever they read may be in all that they write.

use std::sync::Arc;

use guardbee_lineage::{Context, DatasetName, Input, Partition, Run, RunKey, Target, WriteKind};
use guardbee_policy::Identity;
use smol_str::SmolStr;

use crate::engine::Engine;
use crate::privilege_objects::{PrivilegeObject, PrivilegeObjects};
use crate::record::places::place;

impl Engine {
    /// A statement that somebody may run: what it brings counts from now on.
    pub(crate) fn note_objects(&self, identity: &Identity, objects: &PrivilegeObjects) {
        let Some(inheritance) = self.inheritance.get() else { return };
        let policy = self.policy();
        if objects.outputs.is_empty() || !policy.policy.has_tags() {
            return;
        }
        let file_system = &policy.policy.settings().default_file_system;
        let named = |objects: &[PrivilegeObject]| -> Vec<DatasetName> {
            objects.iter().filter_map(|object| dataset(object, file_system)).collect()
        };
        let (read, mut written) = (named(&objects.inputs), named(&objects.outputs));
        let catalog = self.catalog();
        let files = written.iter().filter_map(|dataset| match dataset {
            DatasetName::Table(name) => {
                place(catalog.table(&name.database, &name.table)?, &catalog, file_system)
            }
            _ => None,
        });
        written.extend(files.collect::<Vec<_>>());
        let target = |dataset| Target {
            dataset,
            write: WriteKind::Append,
            partition: Partition::new(),
            columns: Vec::new(),
            influences: Vec::new(),
            whole: read.clone(),
        };
        let input = |dataset| Input { dataset, partitions: Vec::new(), through: Arc::from([]) };
        let run = Run {
            key: RunKey(SmolStr::new_static("pending")),
            operation: SmolStr::new_static(objects.operation.as_str()),
            started_at: None,
            ended_at: self.clock.now(),
            context: Arc::new(Context { user: identity.user.clone(), ..Context::default() }),
            inputs: read.iter().cloned().map(input).collect(),
            targets: written.into_iter().map(target).collect(),
            changes: Vec::new(),
        };
        self.note_run_to_be(inheritance, &policy.policy, run);
    }
}

fn dataset(object: &PrivilegeObject, file_system: &str) -> Option<DatasetName> {
    match object {
        PrivilegeObject::Table { table, .. } => Some(DatasetName::Table(table.clone())),
        PrivilegeObject::Path { path, place, .. } => {
            Some(DatasetName::Path(place.uri(path, file_system).ok()?.to_string().into()))
        }
        _ => None,
    }
}
