//! Runs and questions as a person would write them.

use guardbee_lineage::{
    ColumnSource, DatasetChange, DatasetName, Influence, Partition, Run, Target, TargetColumn,
};
use guardbee_model::{Name, TableName};

/// A run in some lines: the first says which and when, the others what it did.
#[must_use]
pub fn run_text(run: &Run) -> String {
    let mut lines = vec![format!("{} at {}", run.key.0, run.ended_at.0)];
    for input in &run.inputs {
        lines.push(format!("  reads {}{}", dataset_text(&input.dataset), through_text(&input.through)));
    }
    lines.extend(run.changes.iter().map(|change| format!("  {}", change_text(change))));
    for target in &run.targets {
        lines.extend(target_lines(target).into_iter().map(|line| format!("  {line}")));
    }
    lines.join("\n")
}

#[must_use]
pub fn dataset_text(dataset: &DatasetName) -> String {
    match dataset {
        DatasetName::Database(name) => format!("database {name}"),
        DatasetName::Table(table) => table.to_string(),
        DatasetName::Temporary { session, table } => format!("temporary {session}:{table}"),
        DatasetName::Path(path) => path.to_string(),
        DatasetName::Result(run) => format!("result of {}", run.0),
    }
}

fn change_text(change: &DatasetChange) -> String {
    let name = dataset_text;
    match change {
        DatasetChange::Create { dataset, columns } => format!("create {}{}", name(dataset), list(columns)),
        DatasetChange::Ensure { dataset, columns } => format!("ensure {}{}", name(dataset), list(columns)),
        DatasetChange::Drop { dataset } => format!("drop {}", name(dataset)),
        DatasetChange::Rename { from, to } => format!("rename {} to {}", name(from), name(to)),
        DatasetChange::RenameColumn { dataset, from, to } => {
            format!("rename column {}.{from} to {to}", name(dataset))
        }
        DatasetChange::DropColumn { dataset, column } => format!("drop column {}.{column}", name(dataset)),
        DatasetChange::MovePartition { from, to, partition } => {
            format!("move{} of {} to {}", partition_text(partition), name(from), name(to))
        }
        DatasetChange::DropPartition { dataset, partition } => {
            format!("drop{} of {}", partition_text(partition), name(dataset))
        }
    }
}

fn list(columns: &[Name]) -> String {
    let names: Vec<&str> = columns.iter().map(Name::as_str).collect();
    if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
}

fn target_lines(target: &Target) -> Vec<String> {
    let (name, partition) = (dataset_text(&target.dataset), partition_text(&target.partition));
    let mut lines = vec![format!("{:?} {name}{partition}", target.write).to_lowercase()];
    lines.extend(target.columns.iter().map(|column| format!("  {}", column_text(column))));
    lines.extend(target.influences.iter().map(|influence| format!("  all by {}", influence_text(influence))));
    lines.extend(target.whole.iter().map(|whole| format!("  all of {}", dataset_text(whole))));
    lines
}

fn column_text(column: &TargetColumn) -> String {
    let mut parts: Vec<String> = column.sources.iter().map(source_text).collect();
    parts.extend(column.influences.iter().map(|influence| format!("by {}", influence_text(influence))));
    format!("{} = {}", column.name, if parts.is_empty() { "constant".to_owned() } else { parts.join(", ") })
}

fn source_text(source: &ColumnSource) -> String {
    let masked = if source.masked { " masked" } else { "" };
    let unresolved = if source.unresolved { " unresolved" } else { "" };
    format!(
        "{}.{} {}{masked}{unresolved}{}",
        dataset_text(&source.dataset),
        source.column,
        source.kind.as_str(),
        through_text(&source.through)
    )
}

fn influence_text(influence: &Influence) -> String {
    let masked = if influence.masked { " masked" } else { "" };
    let unresolved = if influence.unresolved { " unresolved" } else { "" };
    format!(
        "{}.{} {}{masked}{unresolved}{}",
        dataset_text(&influence.dataset),
        influence.column,
        influence.kind.as_str(),
        through_text(&influence.through)
    )
}

fn through_text(views: &[TableName]) -> String {
    let names: Vec<String> = views.iter().map(TableName::to_string).collect();
    if names.is_empty() { String::new() } else { format!(" through {}", names.join(", ")) }
}

fn partition_text(partition: &Partition) -> String {
    let value = |(column, value): &(Name, Option<_>)| match value {
        Some(value) => format!("{column}={value}"),
        None => column.to_string(),
    };
    let parts: Vec<String> = partition.iter().map(value).collect();
    if parts.is_empty() { String::new() } else { format!(" partition ({})", parts.join(", ")) }
}
