//! How things are called where people read.

use guardbee_analysis::effects::{
    Command, Derivation, Destination, Effects, Masking, Mode, Object, Origin, PartitionValues, Purpose,
    TargetColumn,
};

use crate::terminal::printable;

/// The longest command shown.
const COMMAND_CHARACTERS: usize = 400;

/// What a statement is: its verb, and Hive's operation where that says more.
#[must_use]
pub fn head(statement: &str, effects: &Effects) -> String {
    let operation = effects.operation.as_str();
    if !effects.commands.is_empty() && effects.targets.is_empty() {
        return operation.to_owned();
    }
    let verb = verb(statement, effects);
    match effects.mode {
        Mode::Run if operation.starts_with(&verb) => operation.to_owned(),
        _ => format!("{verb}  {operation}"),
    }
}

/// The first word, unless it only leads up to what is done.
fn verb(statement: &str, effects: &Effects) -> String {
    let is_word = |character: &char| character.is_ascii_alphabetic() || *character == '_';
    let word: String = statement.chars().take_while(is_word).collect();
    match word.to_ascii_uppercase().as_str() {
        "" | "FROM" | "WITH" if effects.writes.is_empty() => "SELECT".to_owned(),
        "" | "FROM" | "WITH" => "INSERT".to_owned(),
        word => word.to_owned(),
    }
}

/// An object by its name, and by its kind where that is no table, path or function.
#[must_use]
pub fn object(object: &Object) -> String {
    let name = printable(&object.to_string());
    match object {
        Object::Database(_) => format!("database {name}"),
        Object::DataConnector(_) => format!("connector {name}"),
        Object::Index { .. } => format!("index {name}"),
        Object::Server | Object::Table(_) | Object::Path(_) | Object::Function(_) | Object::Service(_) => {
            name
        }
    }
}

/// An origin as people read it; what the text alone cannot place has a question mark.
#[must_use]
pub fn origin(origin: &Origin) -> String {
    let text = match origin {
        Origin::Column { table, column } => format!("{table}.{column}"),
        Origin::FileColumn { path, column } => format!("{path}#{column}"),
        Origin::WholeTable(table) => format!("{table}.*"),
        Origin::Unresolved { column, candidates } if candidates.is_empty() => format!("?.{column}"),
        Origin::Unresolved { column, candidates } => {
            let tables: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            format!("?.{column} ({})", tables.join(" or "))
        }
    };
    printable(&text)
}

/// Where rows go.
#[must_use]
pub fn destination(destination: &Destination) -> String {
    match destination {
        Destination::Table(table) => printable(&table.to_string()),
        Destination::Directory(path) => printable(path),
        Destination::Result => "result".to_owned(),
    }
}

#[must_use]
pub fn partition(values: &PartitionValues) -> String {
    let parts: Vec<String> = values
        .iter()
        .map(|(column, value)| match value {
            Some(value) => format!("{}='{}'", printable(column), printable(value)),
            None => format!("{} (dynamic)", printable(column)),
        })
        .collect();
    format!("partition {}", parts.join(", "))
}

/// How a column is made of its sources.
#[must_use]
pub fn derivation(column: &TargetColumn) -> String {
    let strongest = column.sources.iter().map(|source| source.derivation).max();
    let word = match strongest {
        None => "constant",
        Some(Derivation::Identity) => "identity",
        Some(Derivation::Transformation) => "transformation",
        Some(Derivation::Aggregation) => "aggregation",
    };
    let is_masked =
        !column.sources.is_empty() && column.sources.iter().all(|source| source.masking == Masking::Masked);
    format!("{word}{}", if is_masked { ", masked" } else { "" })
}

/// The phrase for columns that decide about rows or values.
#[must_use]
pub const fn purpose(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Select => "selected by",
        Purpose::Filter => "filtered by",
        Purpose::Join => "joined on",
        Purpose::GroupBy => "grouped by",
        Purpose::Sort => "sorted by",
        Purpose::Window => "windowed by",
        Purpose::Conditional => "chosen by",
    }
}

/// What is asked of the machine: a verb, and what it is about.
#[must_use]
pub fn command(command: &Command) -> (&'static str, String) {
    let (word, text) = match command {
        Command::AddResource(path) => ("adds", path.to_string()),
        Command::DeleteResource(path) => ("removes", path.to_string()),
        Command::FileSystem(arguments) => ("dfs", arguments.to_string()),
        Command::Shell(line) => ("shell", line.to_string()),
        Command::Script(line) => ("script", line.to_string()),
        Command::Source(file) => ("runs", file.to_string()),
        Command::Compile => ("compiles", "code into the server".to_owned()),
        Command::Other(word) => ("asks", word.to_string()),
        Command::Setting { key, value } => ("sets", format!("{key} = {value}")),
    };
    (word, printable(text.get(..text.floor_char_boundary(COMMAND_CHARACTERS)).unwrap_or(&text)))
}
