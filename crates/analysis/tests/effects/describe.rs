//! What a statement does, as lines of text.

use guardbee_analysis::catalog::{Column, Table, TableKind};
use guardbee_analysis::effects::{
    Access, ColumnRead, DatasetKind, Destination, FunctionOrigin, Influence, Masking, Mode, Object, Origin,
    PartitionValues, Pinning, Read, Source, Target, TargetColumn, Write,
};
use guardbee_analysis::{Analysis, CatalogChange, Effects};

/// One line for each thing; built-in functions are left out.
pub fn describe(analysis: &Analysis) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(effects) = &analysis.effects {
        describe_effects(effects, &mut lines);
    }
    lines.extend(analysis.diagnostics.iter().map(|found| {
        let severity = format!("{:?}", found.severity).to_lowercase();
        let (start, end) = (found.span.start, found.span.end);
        format!("{severity} {} {start}..{end}: {}", found.code.0, found.message)
    }));
    lines
}

fn describe_effects(effects: &Effects, lines: &mut Vec<String>) {
    let mode = match effects.mode {
        Mode::Run => "",
        Mode::Explain => " explained",
        Mode::ExplainAuthorization => " explained for authorization",
        Mode::ExplainAnalyze => " explained and run",
    };
    lines.push(format!("operation {}{mode}", effects.operation));
    lines.extend(effects.reads.iter().map(read));
    lines.extend(effects.writes.iter().map(write));
    let functions = effects.functions.iter().filter(|used| used.origin != FunctionOrigin::BuiltIn);
    lines
        .extend(functions.map(|used| format!("function {} {:?}", used.function, used.origin).to_lowercase()));
    effects.targets.iter().for_each(|target| describe_target(target, lines));
    lines.extend(effects.changes.iter().map(change));
    lines.extend(effects.commands.iter().map(|command| format!("command {command:?}")));
}

fn read(read: &Read) -> String {
    let mut text = format!("read {}", dataset(&read.object, read.kind));
    if let Access::Through(views) = &read.access {
        text.push_str(&format!(" through {}", list(views.iter())));
    }
    if !read.columns.is_empty() {
        text.push_str(&format!(" columns {}", list(read.columns.iter().map(column_read))));
    }
    text + &partitions(&read.partitions)
}

fn column_read(column: &ColumnRead) -> String {
    let purposes: Vec<&str> = column.purposes.iter().map(|purpose| purpose.as_str()).collect();
    format!("{}[{}]", column.name, purposes.join(" ").to_lowercase())
}

fn write(write: &Write) -> String {
    let mut text = format!("write {} {}", dataset(&write.object, write.kind), write.action.as_str());
    if !write.columns.is_empty() {
        text.push_str(&format!(" columns {}", list(write.columns.iter())));
    }
    text + &partitions(&write.partitions)
}

fn dataset(object: &Object, kind: DatasetKind) -> String {
    let word = match (object, kind) {
        (Object::Table(_), DatasetKind::Table) => "table",
        (Object::Table(_), DatasetKind::View) => "view",
        (Object::Table(_), DatasetKind::MaterializedView) => "materialized view",
        (Object::Table(_), _) => "unknown",
        (Object::Server, _) => "server",
        (Object::Database(_), _) => "database",
        (Object::Path(_), _) => "path",
        (Object::Function(_), _) => "function",
        (Object::DataConnector(_), _) => "connector",
        (Object::Index { .. }, _) => "index",
        (Object::Service(_), _) => "service",
    };
    format!("{word} {object}")
}

fn partitions(partitions: &[PartitionValues]) -> String {
    if partitions.is_empty() {
        return String::new();
    }
    format!(" partitions {}", list(partitions.iter().map(partition)))
}

fn partition(values: &PartitionValues) -> String {
    let part = |(name, value): &(_, Option<_>)| match value {
        Some(value) => format!("{name}={value}"),
        None => format!("{name}"),
    };
    let parts: Vec<String> = values.iter().map(part).collect();
    parts.join("/")
}

fn describe_target(target: &Target, lines: &mut Vec<String>) {
    let destination = match &target.destination {
        Destination::Table(table) => table.to_string(),
        Destination::Directory(path) => path.to_string(),
        Destination::Result => "result".to_owned(),
    };
    let partition = match target.partition.is_empty() {
        true => String::new(),
        false => format!(" partition {}", partition(&target.partition)),
    };
    lines.push(format!("to {destination}{partition}{}", influences(&target.influences)));
    lines.extend(target.columns.iter().map(|column| format!("  {}", target_column(column))));
    lines.extend(target.kept.iter().map(|column| format!("  kept {}", target_column(column))));
}

fn target_column(column: &TargetColumn) -> String {
    let kind = column.kind.as_str().to_lowercase();
    let expression =
        column.expression.as_ref().map_or_else(String::new, |expression| format!(" `{expression}`"));
    let sources = match column.sources.is_empty() {
        true => String::new(),
        false => format!(" from {}", list(column.sources.iter().map(source))),
    };
    format!("{} {kind}{expression}{sources}{}", column.name, influences(&column.influences))
}

fn source(source: &Source) -> String {
    let derivation = source.derivation.as_str().to_lowercase();
    let pinned = if source.pinning == Pinning::Pinned { " pinned" } else { "" };
    format!("{} {derivation}{}{pinned}", origin(&source.origin), masked(source.masking))
        + &through(&source.through)
}

fn influences(influences: &[Influence]) -> String {
    if influences.is_empty() {
        return String::new();
    }
    let influence = |influence: &Influence| {
        let purpose = influence.purpose.as_str().to_lowercase();
        format!("{} {purpose}{}", origin(&influence.origin), masked(influence.masking))
            + &through(&influence.through)
    };
    format!(" by {}", list(influences.iter().map(influence)))
}

fn through(views: &[guardbee_model::TableName]) -> String {
    match views.is_empty() {
        true => String::new(),
        false => format!(" through {}", list(views.iter())),
    }
}

const fn masked(masking: Masking) -> &'static str {
    match masking {
        Masking::Plain => "",
        Masking::Masked => " masked",
    }
}

fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Column { table, column } => format!("{table}.{column}"),
        Origin::FileColumn { path, column } => format!("`{path}`.{column}"),
        Origin::WholeTable(table) => format!("{table}.*"),
        Origin::Unresolved { column, candidates } => {
            format!("{column} of one of ({})", list(candidates.iter()))
        }
    }
}

fn change(change: &CatalogChange) -> String {
    let text = match change {
        CatalogChange::PutDatabase(database) => format!("put database {}", database.name),
        CatalogChange::RemoveDatabase(name) => format!("remove database {name}"),
        CatalogChange::PutTable(table) => format!("put {}", described_table(table)),
        CatalogChange::RemoveTable(name) => format!("remove table {name}"),
        CatalogChange::RenameTable { from, to } => format!("rename {from} to {to}"),
        CatalogChange::PutFunction(function) => format!("put function {}", function.name),
        CatalogChange::RemoveFunction(name) => format!("remove function {name}"),
        CatalogChange::PutMacro(definition) => format!("put macro {} {}", definition.name, definition.body),
        CatalogChange::RemoveMacro(name) => format!("remove macro {name}"),
        CatalogChange::UseDatabase(name) => format!("use database {name}"),
        CatalogChange::Prepare { name, text, .. } => format!("prepare {name} `{text}`"),
        CatalogChange::PutExport { path, table } => format!("export {} to {path}", table.name),
        CatalogChange::Setting { key, value: Some(value) } => format!("set {key}={value}"),
        CatalogChange::Setting { key, value: None } => format!("reset {key}"),
        CatalogChange::ResetSettings => "reset settings".to_owned(),
    };
    format!("change: {text}")
}

fn described_table(table: &Table) -> String {
    let kind = match &table.kind {
        TableKind::Managed => "managed table",
        TableKind::External => "external table",
        TableKind::Temporary => "temporary table",
        TableKind::View(_) => "view",
        TableKind::MaterializedView(_) => "materialized view",
    };
    let mut text = format!("{kind} {} ({})", table.name, list(table.columns.iter().map(typed_column)));
    if table.is_partitioned() {
        text.push_str(&format!(" partitioned ({})", list(table.partition_columns.iter().map(typed_column))));
    }
    if let TableKind::View(definition) | TableKind::MaterializedView(definition) = &table.kind {
        text.push_str(&format!(" as `{}` in {}", definition.text, definition.database));
    }
    if let Some(location) = &table.location {
        text.push_str(&format!(" at {location}"));
    }
    for (key, value) in &table.properties {
        text.push_str(&format!(" {key}={value}"));
    }
    text
}

fn typed_column(column: &Column) -> String {
    format!("{} {}", column.name, column.data_type)
}

fn list(items: impl Iterator<Item = impl ToString>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}
