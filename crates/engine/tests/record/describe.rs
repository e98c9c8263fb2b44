//! A run as lines of text.

use guardbee_lineage::{
    ColumnSource, DatasetChange, DatasetName, Influence, Input, Partition, Run, Target, TargetColumn,
    WriteKind,
};
use guardbee_model::{Name, TableName};

pub fn describe(run: &Run) -> Vec<String> {
    let mut lines = vec![format!("run {}", run.operation)];
    lines.extend(run.inputs.iter().map(input));
    for target in &run.targets {
        lines.push(self::target(target));
        lines.extend(target.columns.iter().map(|column| format!("  {}", self::column(column))));
    }
    lines.extend(run.changes.iter().map(change));
    lines
}

fn name(dataset: &DatasetName) -> String {
    match dataset {
        DatasetName::Temporary { session, table } => format!("{table} of session {session}"),
        DatasetName::Database(name) => format!("database {name}"),
        DatasetName::Result(_) => "the client".to_owned(),
        other => other.to_string(),
    }
}

fn input(input: &Input) -> String {
    let partitions: Vec<String> = input
        .partitions
        .iter()
        .map(|partition| format!(" partition {}", self::partition(partition)))
        .collect();
    format!("reads {}{}{}", name(&input.dataset), partitions.concat(), through(&input.through))
}

fn target(target: &Target) -> String {
    let write = match target.write {
        WriteKind::Append => "appends to",
        WriteKind::Overwrite => "overwrites",
        WriteKind::Define => "defines",
        WriteKind::Modify => "modifies",
        WriteKind::Truncate => "truncates",
        WriteKind::Locate => "lies as",
    };
    let partition = match target.partition.is_empty() {
        true => String::new(),
        false => format!(" partition {}", partition(&target.partition)),
    };
    let whole = match target.whole.is_empty() {
        true => String::new(),
        false => format!(" with {}", list(target.whole.iter().map(name))),
    };
    format!("{write} {}{partition}{whole}{}", name(&target.dataset), influences(&target.influences))
}

fn column(column: &TargetColumn) -> String {
    let expression =
        column.expression.as_ref().map_or_else(String::new, |expression| format!(" `{expression}`"));
    let sources = match column.sources.is_empty() {
        true => String::new(),
        false => format!(" from {}", list(column.sources.iter().map(source))),
    };
    let derivation = column.derivation.as_str().to_lowercase();
    format!("{} {derivation}{expression}{sources}{}", column.name, influences(&column.influences))
}

fn source(source: &ColumnSource) -> String {
    let marks = marks(source.masked, source.unresolved);
    let kind = source.kind.as_str().to_lowercase();
    format!("{}.{} {kind}{marks}{}", name(&source.dataset), source.column, through(&source.through))
}

fn influences(influences: &[Influence]) -> String {
    let influence = |influence: &Influence| {
        let marks = marks(influence.masked, influence.unresolved);
        let kind = influence.kind.as_str().to_lowercase();
        format!(
            "{}.{} {kind}{marks}{}",
            name(&influence.dataset),
            influence.column,
            through(&influence.through)
        )
    };
    match influences.is_empty() {
        true => String::new(),
        false => format!(" by {}", list(influences.iter().map(influence))),
    }
}

fn marks(masked: bool, unresolved: bool) -> &'static str {
    match (masked, unresolved) {
        (false, false) => "",
        (true, false) => " masked",
        (false, true) => " unresolved",
        (true, true) => " masked unresolved",
    }
}

fn through(views: &[TableName]) -> String {
    match views.is_empty() {
        true => String::new(),
        false => format!(" through {}", list(views.iter().map(ToString::to_string))),
    }
}

fn partition(partition: &Partition) -> String {
    let part = |(name, value): &(Name, Option<_>)| match value {
        Some(value) => format!("{name}={value}"),
        None => format!("{name}"),
    };
    let parts: Vec<String> = partition.iter().map(part).collect();
    parts.join("/")
}

fn change(change: &DatasetChange) -> String {
    let columns = |columns: &[Name]| match columns.is_empty() {
        true => String::new(),
        false => format!(" ({})", list(columns.iter().map(ToString::to_string))),
    };
    match change {
        DatasetChange::Create { dataset, columns: known } => {
            format!("creates {}{}", name(dataset), columns(known))
        }
        DatasetChange::Ensure { dataset, columns: known } => {
            format!("ensures {}{}", name(dataset), columns(known))
        }
        DatasetChange::Drop { dataset } => format!("drops {}", name(dataset)),
        DatasetChange::Rename { from, to } => format!("renames {} to {}", name(from), name(to)),
        DatasetChange::RenameColumn { dataset, from, to } => {
            format!("renames column {from} of {} to {to}", name(dataset))
        }
        DatasetChange::DropColumn { dataset, column } => {
            format!("drops column {column} of {}", name(dataset))
        }
        DatasetChange::MovePartition { from, to, partition: moved } => {
            format!("moves partition {} from {} to {}", partition(moved), name(from), name(to))
        }
        DatasetChange::DropPartition { dataset, partition: dropped } => {
            format!("drops partition {} of {}", partition(dropped), name(dataset))
        }
    }
}

fn list(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
