//! JSON lines: one object a line, a statement each.

use guardbee_lineage::utc;
use guardbee_model::{Timestamp, plain_words};
use smol_str::SmolStr;

use super::LoggedStatement;
use crate::wire::logged::LoggedLine;

/// The statement as a line that [`json_line`] reads.
#[must_use]
pub fn payload(statement: &LoggedStatement) -> Vec<u8> {
    let text = |text: &Option<SmolStr>| text.as_ref().map(ToString::to_string);
    let line = LoggedLine {
        time: statement.time.map(|time| time.0.into()),
        user: text(&statement.user),
        groups: statement.groups.iter().map(ToString::to_string).collect(),
        database: text(&statement.database),
        sql: statement.text.clone(),
        key: text(&statement.key),
        query_id: text(&statement.query_id),
        session: text(&statement.session),
        host: text(&statement.host),
        client_address: text(&statement.client_address),
    };
    line.to_bytes()
}

/// Reads one line.
///
/// # Errors
/// What is wrong with it.
pub fn json_line(line: u64, content: &str) -> Result<LoggedStatement, String> {
    // A list of values in the order of the fields would do, too.
    if !content.trim_start().starts_with('{') {
        return Err("expected an object".to_owned());
    }
    let parsed: LoggedLine = serde_json::from_str(content).map_err(|error| {
        let text = error.to_string();
        plain_words(text.split(" at line ").next().unwrap_or(&text))
    })?;
    let time = match &parsed.time {
        None | Some(serde_json::Value::Null) => None,
        Some(serde_json::Value::String(text)) => Some(utc::parse(text).ok_or("`time` is no moment")?),
        Some(serde_json::Value::Number(number)) => {
            Some(number.as_i64().map(Timestamp).ok_or("`time` is no moment")?)
        }
        Some(_) => return Err("`time` is no moment".to_owned()),
    };
    let name = |text: Option<String>| text.filter(|text| !text.is_empty()).map(SmolStr::from);
    Ok(LoggedStatement {
        line,
        time,
        user: name(parsed.user),
        groups: parsed.groups.into_iter().map(SmolStr::from).collect(),
        database: name(parsed.database),
        key: name(parsed.key),
        query_id: name(parsed.query_id),
        session: name(parsed.session),
        host: name(parsed.host),
        client_address: name(parsed.client_address),
        text: parsed.sql,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_is_a_line() {
        for line in [
            "null",
            "\"x\"",
            "7",
            r#"["0", "ana", [], null, "SELECT 1", null, null, null, null]"#,
            "SELECT 1",
        ] {
            assert_eq!(
                json_line(1, line).map(|line| line.text),
                Err("expected an object".to_owned()),
                "{line}"
            );
        }
        assert_eq!(json_line(1, r#" {"sql": "SELECT 1"}"#).map(|line| line.text), Ok("SELECT 1".to_owned()));
    }
}
