//! The statements of a golden file: what Hive's own tests ran, with the settings to read them by.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use flate2::read::GzDecoder;
use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::lexer::QuotedIdentifiers;
use guardbee_hiveql::parser::ParserSettings;
use guardbee_model::HiveVersion;
use serde_json::Value;

/// Which statements of a file are wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Those that Hive ran and recorded.
    Accepted,
    /// All but client commands.
    All,
}

/// Reads the file, packed or not.
pub fn statements_of(path: &str, wanted: Wanted) -> std::io::Result<Vec<(ParserSettings, String)>> {
    let file = File::open(path)?;
    let reader: Box<dyn Read> =
        if path.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let mut statements = Vec::new();
    for line in BufReader::new(reader).lines() {
        let record: Value = serde_json::from_str(&line?)?;
        let version = match record.get("recorded_by").and_then(Value::as_str) {
            Some("hive4") => HiveVersion::V4_0,
            _ => HiveVersion::V3_1,
        };
        let mut settings = ParserSettings { version, ..ParserSettings::default() };
        for statement in record.get("statements").and_then(Value::as_array).into_iter().flatten() {
            let Some(sql) = statement.get("sql").and_then(Value::as_str) else { continue };
            if ClientCommand::parse(sql).is_some() {
                settings.quoted_identifiers = quoting_after(sql, settings.quoted_identifiers);
            } else if wanted == Wanted::All || is_accepted(statement) {
                statements.push((settings, sql.to_owned()));
            }
        }
    }
    Ok(statements)
}

/// What quotes names behind a client command.
fn quoting_after(command: &str, before: QuotedIdentifiers) -> QuotedIdentifiers {
    let Some((_, value)) = command.split_once("hive.support.quoted.identifiers=") else {
        return before;
    };
    match value.trim() {
        "none" => QuotedIdentifiers::None,
        "standard" => QuotedIdentifiers::Standard,
        _ => QuotedIdentifiers::Column,
    }
}

/// Did Hive run the statement, so that its parser must have taken it?
fn is_accepted(statement: &Value) -> bool {
    let has =
        |key: &str| statement.get(key).is_some_and(|value| !value.is_null() && *value != Value::Bool(false));
    has("op") && has("scored") && !has("rejected_by") && !has("not_run")
}
