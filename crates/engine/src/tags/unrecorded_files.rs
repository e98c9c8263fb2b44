//! Paths that no run has named, or not with a column: what a pending statement brings there is read already by what lies
//! over a path around it.

use std::collections::BTreeMap;
use std::sync::Arc;

use guardbee_lineage::{Context, DatasetName, Graph, Partition, Run, RunKey, Target, WriteKind};
use guardbee_model::Name;
use guardbee_policy::Timestamp;
use smol_str::SmolStr;

use super::direct::Arrival;
use crate::record::places::made_of_nothing;

/// The columns that pending statements write to files.
#[derive(Debug, Default)]
pub(super) struct UnrecordedFiles(BTreeMap<DatasetName, Vec<Name>>);

impl UnrecordedFiles {
    pub fn of<'r>(runs: impl Iterator<Item = &'r Run>) -> Self {
        let mut files = Self::default();
        for target in runs.flat_map(|run| &run.targets) {
            if matches!(target.dataset, DatasetName::Path(_)) {
                let columns = files.0.entry(target.dataset.clone()).or_default();
                columns.extend(target.columns.iter().map(|column| column.name.clone()));
            }
        }
        files
    }

    /// The graph in which all files have names that something arrives at.
    pub fn named_in(&self, graph: &Graph, arrivals: &[Arrival]) -> Graph {
        let mut named: BTreeMap<&DatasetName, Vec<&Name>> = BTreeMap::new();
        for (dataset, column, _) in arrivals {
            if matches!(dataset, DatasetName::Path(_)) {
                let written = || self.0.get(dataset).into_iter().flatten().collect();
                named.entry(dataset).or_insert_with(written).extend(column);
            }
        }
        match named.is_empty() {
            true => graph.clone(),
            false => graph.record(&[naming(named)]).graph,
        }
    }
}

fn naming(files: BTreeMap<&DatasetName, Vec<&Name>>) -> Run {
    let targets = files.into_iter().map(|(path, columns)| Target {
        dataset: path.clone(),
        write: WriteKind::Append,
        partition: Partition::new(),
        columns: columns.into_iter().cloned().map(made_of_nothing).collect(),
        influences: Vec::new(),
        whole: Vec::new(),
    });
    Run {
        key: RunKey(SmolStr::new_static("pending files")),
        operation: SmolStr::new_static("QUERY"),
        started_at: None,
        // After all others, so that nothing is worked out anew.
        ended_at: Timestamp(i64::MAX),
        context: Arc::new(Context::default()),
        inputs: Vec::new(),
        targets: targets.collect(),
        changes: Vec::new(),
    }
}
