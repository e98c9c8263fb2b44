//! Makes a history on which two answers differ as small as it can be.

use guardbee_lineage::{Run, Target, TargetColumn};

use crate::shrink::{smallest, without_some};

/// The runs without everything that they can lose and still differ.
#[must_use]
pub fn reduce(runs: &[Run], differs: impl Fn(&[Run]) -> bool) -> Vec<Run> {
    smallest(runs.to_vec(), |runs| candidates(runs), |runs| differs(runs))
}

/// All histories that are smaller by one thing, those first that lose most.
fn candidates(runs: &[Run]) -> Vec<Vec<Run>> {
    let mut found = without_some(runs);
    for (place, run) in runs.iter().enumerate() {
        for smaller in smaller_runs(run) {
            let mut candidate = runs.to_vec();
            candidate[place] = smaller;
            found.push(candidate);
        }
    }
    found
}

fn smaller_runs(run: &Run) -> Vec<Run> {
    let mut found = Vec::new();
    for targets in without_some(&run.targets) {
        found.push(Run { targets, ..run.clone() });
    }
    for inputs in without_some(&run.inputs) {
        found.push(Run { inputs, ..run.clone() });
    }
    for changes in without_some(&run.changes) {
        found.push(Run { changes, ..run.clone() });
    }
    for (place, target) in run.targets.iter().enumerate() {
        for smaller in smaller_targets(target) {
            let mut candidate = run.clone();
            candidate.targets[place] = smaller;
            found.push(candidate);
        }
    }
    for (place, input) in run.inputs.iter().enumerate() {
        if !input.through.is_empty() {
            let mut candidate = run.clone();
            candidate.inputs[place].through = [].into();
            found.push(candidate);
        }
    }
    found
}

fn smaller_targets(target: &Target) -> Vec<Target> {
    let mut found = Vec::new();
    for columns in without_some(&target.columns) {
        found.push(Target { columns, ..target.clone() });
    }
    for influences in without_some(&target.influences) {
        found.push(Target { influences, ..target.clone() });
    }
    for whole in without_some(&target.whole) {
        found.push(Target { whole, ..target.clone() });
    }
    for partition in without_some(&target.partition) {
        found.push(Target { partition, ..target.clone() });
    }
    for (place, column) in target.columns.iter().enumerate() {
        for smaller in smaller_columns(column) {
            let mut candidate = target.clone();
            candidate.columns[place] = smaller;
            found.push(candidate);
        }
    }
    for (place, influence) in target.influences.iter().enumerate() {
        if !influence.through.is_empty() {
            let mut candidate = target.clone();
            candidate.influences[place].through = [].into();
            found.push(candidate);
        }
    }
    found
}

fn smaller_columns(column: &TargetColumn) -> Vec<TargetColumn> {
    let mut found = Vec::new();
    for sources in without_some(&column.sources) {
        found.push(TargetColumn { sources, ..column.clone() });
    }
    for influences in without_some(&column.influences) {
        found.push(TargetColumn { influences, ..column.clone() });
    }
    for (place, source) in column.sources.iter().enumerate() {
        let mut plain = source.clone();
        (plain.masked, plain.unresolved, plain.through) = (false, false, [].into());
        if plain != *source {
            let mut candidate = column.clone();
            candidate.sources[place] = plain;
            found.push(candidate);
        }
    }
    found
}
