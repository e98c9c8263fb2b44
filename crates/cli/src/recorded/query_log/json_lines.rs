//! JSON lines: one object a line, a statement each.

use guardbee_lineage::utc;
use guardbee_model::{Timestamp, plain_words};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::LoggedStatement;

/// One line. What else it holds is passed over.
#[derive(Debug, Default, Serialize, Deserialize)]
struct JsonLine {
    time: Option<serde_json::Value>,
    user: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    database: Option<String>,
    sql: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    query_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    client_address: Option<String>,
}

/// The statement as a line that [`json_line`] reads.
#[must_use]
pub fn payload(statement: &LoggedStatement) -> Vec<u8> {
    let text = |text: &Option<SmolStr>| text.as_ref().map(ToString::to_string);
    let line = JsonLine {
        time: statement.time.map(|time| time.0.into()),
        user: text(&statement.user),
        groups: statement.groups.iter().map(ToString::to_string).collect(),
        database: text(&statement.database),
        sql: statement.text.clone(),
        query_id: text(&statement.query_id),
        session: text(&statement.session),
        host: text(&statement.host),
        client_address: text(&statement.client_address),
    };
    serde_json::to_vec(&line).unwrap_or_default()
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
    let parsed: JsonLine = serde_json::from_str(content).map_err(|error| {
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
