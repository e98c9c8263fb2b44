//! The documented shapes of recorded runs as such: `runs` and `runs show`.

use std::borrow::Cow;

use guardbee_lineage::{
    ColumnSource, DatasetChange, DatasetName, Influence, Input, Partition, Run, Target, TargetColumn,
    WriteKind,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::is_false;
use crate::lineage::RunLine;
use crate::recording::{inputs, outputs};

/// The version of these shapes.
const VERSION: u32 = 1;

/// `runs`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunsDocument {
    pub version: u32,
    /// Those that ended last first. A page may have fewer than were asked for, and yet a `next`.
    pub runs: Vec<ListedRun>,
    /// There may be more: the cursor that they follow after.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// A run among others.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct ListedRun {
    /// Of what the viewer may not know of, `user` and `statement` are empty.
    #[serde(flatten)]
    pub run: RunLine,
    pub inputs: Vec<String>,
    /// What it writes, or else what it makes, renames or removes.
    pub outputs: Vec<String>,
    /// It touched what the viewer may not know of.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
}

/// `runs show`.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunDocument {
    pub version: u32,
    #[serde(flatten)]
    pub run: RunLine,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impersonated: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cluster: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_address: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub application: Option<String>,
    /// The key of the run that this one is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_run: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows_written: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_written: Option<u64>,
    pub inputs: Vec<RunInput>,
    pub targets: Vec<RunTarget>,
    pub changes: Vec<RunChange>,
    /// It touched what the viewer may not know of.
    #[serde(default, skip_serializing_if = "is_false")]
    pub partial: bool,
}

/// Something that a run read.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunInput {
    pub dataset: String,
    /// Such as `year=2026/month=11`; none where it may have read any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partitions: Vec<String>,
    /// The views on the way to it, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
}

/// A place that data went to.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunTarget {
    /// Absent for rows that went to the client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    #[schemars(extend("enum" = ["append", "overwrite", "define", "modify", "truncate", "locate"]))]
    pub write: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub partition: String,
    pub columns: Vec<RunColumn>,
    /// What decided which rows there are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub influences: Vec<RunSource>,
    /// What went in though no column of it can be named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole: Vec<String>,
}

/// A column of a target.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunColumn {
    pub name: String,
    /// Hive's `SIMPLE`, `EXPRESSION` or `SCRIPT`.
    #[schemars(extend("enum" = ["SIMPLE", "EXPRESSION", "SCRIPT"]))]
    pub kind: Cow<'static, str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    pub sources: Vec<RunSource>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub influences: Vec<RunSource>,
}

/// The far end of an edge.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct RunSource {
    pub dataset: String,
    pub column: String,
    #[schemars(extend("enum" = [
        "IDENTITY", "TRANSFORMATION", "AGGREGATION", "FILTER", "JOIN", "GROUP_BY", "SORT", "WINDOW", "CONDITIONAL",
    ]))]
    pub kind: Cow<'static, str>,
    /// Passes a function that hides the value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub masking: bool,
    /// Nobody knows whether the source has the column.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unresolved: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<String>,
}

/// What a run did to datasets as such.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct RunChange {
    #[schemars(extend("enum" = [
        "create", "ensure", "drop", "rename", "rename_column", "drop_column", "move_partition", "drop_partition",
    ]))]
    pub change: Cow<'static, str>,
    pub dataset: String,
    /// The column or partition that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The new name, or where it went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A run as somebody may see it, and whether that is all of it.
#[derive(Debug)]
pub struct SeenRun {
    pub run: Run,
    pub partial: bool,
}

impl RunsDocument {
    #[must_use]
    pub fn of(runs: &[SeenRun], next: Option<String>) -> Self {
        let listed = |seen: &SeenRun| ListedRun {
            run: RunLine::of(&seen.run),
            inputs: inputs(&seen.run),
            outputs: outputs(&seen.run),
            partial: seen.partial,
        };
        Self { version: VERSION, runs: runs.iter().map(listed).collect(), next }
    }
}

impl RunDocument {
    #[must_use]
    pub fn of(SeenRun { run, partial }: &SeenRun) -> Self {
        let context = &run.context;
        Self {
            version: VERSION,
            run: RunLine::of(run),
            impersonated: context.impersonated.as_ref().map(ToString::to_string),
            groups: context.groups.iter().map(ToString::to_string).collect(),
            roles: context.roles.iter().map(ToString::to_string).collect(),
            cluster: context.cluster.as_ref().map(ToString::to_string),
            host: context.host.as_ref().map(ToString::to_string),
            client_address: context.client_address.as_ref().map(ToString::to_string),
            engine: context.engine.as_ref().map(ToString::to_string),
            engine_version: context.engine_version.as_ref().map(ToString::to_string),
            query_id: context.query_id.as_ref().map(ToString::to_string),
            session: context.session.as_ref().map(ToString::to_string),
            application: context.application.as_ref().map(ToString::to_string),
            parent_run: context.parent_run.as_ref().map(|key| key.0.to_string()),
            rows_written: context.rows_written,
            bytes_written: context.bytes_written,
            inputs: run.inputs.iter().map(input).collect(),
            targets: run.targets.iter().map(target).collect(),
            changes: run.changes.iter().map(change).collect(),
            partial: *partial,
        }
    }
}

fn input(input: &Input) -> RunInput {
    RunInput {
        dataset: input.dataset.to_string(),
        partitions: input.partitions.iter().map(partition_text).collect(),
        through: input.through.iter().map(ToString::to_string).collect(),
    }
}

fn target(target: &Target) -> RunTarget {
    let is_dataset = !matches!(target.dataset, DatasetName::Result(_));
    RunTarget {
        dataset: is_dataset.then(|| target.dataset.to_string()),
        write: match target.write {
            WriteKind::Append => "append",
            WriteKind::Overwrite => "overwrite",
            WriteKind::Define => "define",
            WriteKind::Modify => "modify",
            WriteKind::Truncate => "truncate",
            WriteKind::Locate => "locate",
        }
        .into(),
        partition: partition_text(&target.partition),
        columns: target.columns.iter().map(column).collect(),
        influences: target.influences.iter().map(influence).collect(),
        whole: target.whole.iter().map(ToString::to_string).collect(),
    }
}

fn column(column: &TargetColumn) -> RunColumn {
    RunColumn {
        name: column.name.to_string(),
        kind: column.derivation.as_str().into(),
        expression: column.expression.as_ref().map(ToString::to_string),
        sources: column.sources.iter().map(source).collect(),
        influences: column.influences.iter().map(influence).collect(),
    }
}

fn source(source: &ColumnSource) -> RunSource {
    RunSource {
        dataset: source.dataset.to_string(),
        column: source.column.to_string(),
        kind: source.kind.as_str().into(),
        masking: source.masked,
        unresolved: source.unresolved,
        through: source.through.iter().map(ToString::to_string).collect(),
    }
}

fn influence(influence: &Influence) -> RunSource {
    RunSource {
        dataset: influence.dataset.to_string(),
        column: influence.column.to_string(),
        kind: influence.kind.as_str().into(),
        masking: influence.masked,
        unresolved: influence.unresolved,
        through: influence.through.iter().map(ToString::to_string).collect(),
    }
}

fn change(change: &DatasetChange) -> RunChange {
    let of = |change: &'static str, dataset: &DatasetName| RunChange {
        change: change.into(),
        dataset: dataset.to_string(),
        ..RunChange::default()
    };
    match change {
        DatasetChange::Create { dataset, .. } => of("create", dataset),
        DatasetChange::Ensure { dataset, .. } => of("ensure", dataset),
        DatasetChange::Drop { dataset } => of("drop", dataset),
        DatasetChange::Rename { from, to } => RunChange { to: Some(to.to_string()), ..of("rename", from) },
        DatasetChange::RenameColumn { dataset, from, to } => RunChange {
            part: Some(from.to_string()),
            to: Some(to.to_string()),
            ..of("rename_column", dataset)
        },
        DatasetChange::DropColumn { dataset, column } => {
            RunChange { part: Some(column.to_string()), ..of("drop_column", dataset) }
        }
        DatasetChange::MovePartition { from, to, partition: moved } => RunChange {
            part: Some(partition_text(moved)),
            to: Some(to.to_string()),
            ..of("move_partition", from)
        },
        DatasetChange::DropPartition { dataset, partition: dropped } => {
            RunChange { part: Some(partition_text(dropped)), ..of("drop_partition", dataset) }
        }
    }
}

/// Such as `year=2026/month=11`; of a value that comes from the data only the column.
#[must_use]
pub fn partition_text(partition: &Partition) -> String {
    let part = |(column, value): &(guardbee_model::Name, Option<std::sync::Arc<str>>)| match value {
        Some(value) => format!("{column}={value}"),
        None => column.to_string(),
    };
    partition.iter().map(part).collect::<Vec<_>>().join("/")
}
