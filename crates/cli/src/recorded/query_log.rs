//! The forms that query logs have: JSON lines, HiveServer2's own log, scripts.

use std::collections::HashMap;

use guardbee_hiveql::script::Script;
use guardbee_lineage::utc;
use guardbee_model::Timestamp;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::arguments::LogForm;

/// A statement that ran, as a log tells of it. What is absent, the log does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoggedStatement {
    /// From 1 on.
    pub line: u64,
    pub time: Option<Timestamp>,
    pub user: Option<SmolStr>,
    pub groups: Vec<SmolStr>,
    pub database: Option<SmolStr>,
    pub query_id: Option<SmolStr>,
    pub session: Option<SmolStr>,
    pub host: Option<SmolStr>,
    pub client_address: Option<SmolStr>,
    pub text: String,
}

/// A piece of a log that is no statement, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    pub line: u64,
    pub reason: String,
    pub text: String,
}

/// What a log holds, in order.
#[derive(Debug, Default)]
pub struct Log {
    pub statements: Vec<LoggedStatement>,
    pub bad: Vec<BadLine>,
}

/// The form of a file, by its name or else its first line.
#[must_use]
pub fn form_of(name: &str, text: &str) -> LogForm {
    let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    match extension.as_str() {
        "jsonl" | "json" | "ndjson" => return LogForm::Jsonl,
        "sql" | "hql" | "q" => return LogForm::Sql,
        _ => {}
    }
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if first.trim_start().starts_with('{') {
        LogForm::Jsonl
    } else if log_line(first).is_some() {
        LogForm::Hiveserver2
    } else {
        LogForm::Sql
    }
}

/// Reads a log.
#[must_use]
pub fn read(form: LogForm, text: &str) -> Log {
    match form {
        LogForm::Jsonl => json_lines(text),
        LogForm::Hiveserver2 => hive_server(text),
        LogForm::Sql => script(text),
    }
}

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

fn json_lines(text: &str) -> Log {
    let mut log = Log::default();
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        match json_line(line, content) {
            Ok(statement) => log.statements.push(statement),
            Err(reason) => log.bad.push(BadLine { line, reason, text: content.to_owned() }),
        }
    }
    log
}

/// Reads one line.
///
/// # Errors
/// What is wrong with it.
pub fn json_line(line: u64, content: &str) -> Result<LoggedStatement, String> {
    let parsed: JsonLine = serde_json::from_str(content).map_err(|error| {
        let text = error.to_string();
        text.split(" at line ").next().unwrap_or(&text).to_owned()
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

fn script(text: &str) -> Log {
    let mut log = Log::default();
    let mut line = 1;
    let mut at = 0;
    for piece in Script::new(text) {
        let start = piece.span.start as usize;
        line += text.get(at..start).map_or(0, |between| between.matches('\n').count() as u64);
        at = start;
        log.statements.push(LoggedStatement {
            line,
            text: piece.text.trim().to_owned(),
            ..LoggedStatement::default()
        });
    }
    log
}

/// A line that HiveServer2 logs: when, by which thread, what.
struct LogLine<'l> {
    time: Timestamp,
    thread: &'l str,
    message: &'l str,
}

/// `2026-11-29 02:14:05,123 INFO  [HiveServer2-Background-Pool: Thread-65]: ql.Driver (Driver.java:execute(1735)) - ...`,
/// with or without `T` and an offset in the time, and whatever the logger's name looks like.
fn log_line(line: &str) -> Option<LogLine<'_>> {
    let starts_with_date = line.get(..4).is_some_and(|year| year.bytes().all(|byte| byte.is_ascii_digit()));
    if !starts_with_date {
        return None;
    }
    let end = line.char_indices().skip(10).find(|(_, character)| {
        !matches!(character, '0'..='9' | ':' | '.' | ',' | '+' | '-' | 'T' | 'Z' | ' ')
    });
    let (time, rest) = line.split_at_checked(end?.0)?;
    let time = utc::parse(time.trim())?;
    let (_, rest) = rest.split_once('[')?;
    let (thread, rest) = rest.split_once(']')?;
    Some(LogLine { time, thread, message: rest })
}

/// A statement that HiveServer2 has begun to execute.
struct Begun {
    statement: LoggedStatement,
    has_failed: bool,
}

/// HiveServer2 tells of a statement when it executes it and when it has; one that failed or never ended is none that
/// ran. A statement goes on over lines that have no time of their own.
fn hive_server(text: &str) -> Log {
    let mut log = Log::default();
    let mut begun: HashMap<SmolStr, Begun> = HashMap::new();
    let mut by_thread: HashMap<String, SmolStr> = HashMap::new();
    let mut open: Option<SmolStr> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(found) = log_line(line) else {
            if let Some(known) = open.as_ref().and_then(|id| begun.get_mut(id)) {
                known.statement.text.push('\n');
                known.statement.text.push_str(line);
            }
            continue;
        };
        open = None;
        if let Some((id, rest)) = command(found.message, "Executing command(queryId=") {
            let statement = LoggedStatement {
                line: number,
                time: Some(found.time),
                query_id: Some(id.clone()),
                text: rest.trim_start_matches(':').trim_start().to_owned(),
                ..LoggedStatement::default()
            };
            begun.insert(id.clone(), Begun { statement, has_failed: false });
            by_thread.insert(found.thread.to_owned(), id.clone());
            open = Some(id);
        } else if let Some((id, _)) = command(found.message, "Completed executing command(queryId=") {
            if let Some(done) = begun.remove(&id)
                && !done.has_failed
            {
                log.statements.push(LoggedStatement { time: Some(found.time), ..done.statement });
            }
        } else if found.message.contains("FAILED: ") {
            let failed = by_thread.get(found.thread).and_then(|id| begun.get_mut(id));
            if let Some(failed) = failed {
                failed.has_failed = true;
            }
        }
    }
    log
}

/// The query id behind a phrase, and what follows its parenthesis.
fn command<'m>(message: &'m str, phrase: &str) -> Option<(SmolStr, &'m str)> {
    let (_, rest) = message.split_once(phrase)?;
    let (id, rest) = rest.split_once(')')?;
    Some((SmolStr::new(id), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
2026-11-29T02:14:05,123  INFO [HiveServer2-Background-Pool: Thread-65] ql.Driver: Compiling command(queryId=hive_1): select 1
2026-11-29T02:14:05,200  INFO [HiveServer2-Background-Pool: Thread-65] ql.Driver: Executing command(queryId=hive_1): insert into t
select [a] from s
2026-11-29T02:14:06,000  INFO [HiveServer2-Background-Pool: Thread-66] ql.Driver: Executing command(queryId=hive_2): select 2
2026-11-29T02:14:06,500 ERROR [HiveServer2-Background-Pool: Thread-66] ql.Driver: FAILED: Execution Error, return code 2
2026-11-29T02:14:06,600  INFO [HiveServer2-Background-Pool: Thread-66] ql.Driver: Completed executing command(queryId=hive_2); Time taken: 0.6 seconds
2026-11-29T02:14:07,000  INFO [HiveServer2-Background-Pool: Thread-65] ql.Driver: Completed executing command(queryId=hive_1); Time taken: 1.8 seconds
2026-11-29T02:14:08,000  INFO [HiveServer2-Background-Pool: Thread-67] ql.Driver: Executing command(queryId=hive_3): select 3
";

    #[test]
    fn statements_of_hive_server_are_those_that_ended_well() {
        assert_eq!(form_of("hiveserver2.log", LOG), LogForm::Hiveserver2);
        let log = read(LogForm::Hiveserver2, LOG);
        let [statement] = log.statements.as_slice() else { panic!("{:?}", log.statements) };
        assert_eq!(statement.text, "insert into t\nselect [a] from s");
        assert_eq!(statement.query_id.as_deref(), Some("hive_1"));
        assert_eq!(statement.time, utc::parse("2026-11-29T02:14:07Z"));
    }

    #[test]
    fn older_servers_log_in_another_look() {
        let log = "\
2026-11-29 02:14:05,200 INFO  [HiveServer2-Background-Pool: Thread-65]: ql.Driver (Driver.java:execute(1735)) - Executing command(queryId=hive_1): drop table t
2026-11-29 02:14:05,300 INFO  [HiveServer2-Background-Pool: Thread-65]: ql.Driver (Driver.java:execute(2050)) - Completed executing command(queryId=hive_1); Time taken: 0.1 seconds
";
        assert_eq!(form_of("hive.log.2026-11-29", log), LogForm::Hiveserver2);
        let log = read(LogForm::Hiveserver2, log);
        assert_eq!(log.statements.len(), 1);
        assert_eq!(log.statements[0].text, "drop table t");
    }

    #[test]
    fn json_lines_say_what_is_wrong_with_them() {
        let log = read(
            LogForm::Jsonl,
            "{\"time\":\"2026-11-29 02:14:05\",\"user\":\"ana\",\"sql\":\"select 1\",\"more\":1}\n\n{\"user\":\"bob\"}\n{\"sql\":\"x\",\"time\":\"soon\"}",
        );
        assert_eq!(log.statements.len(), 1);
        assert_eq!(log.statements[0].user.as_deref(), Some("ana"));
        let bad: Vec<(u64, &str)> = log.bad.iter().map(|bad| (bad.line, bad.reason.as_str())).collect();
        assert_eq!(bad, [(3, "missing field `sql`"), (4, "`time` is no moment")]);
    }

    #[test]
    fn scripts_know_their_lines() {
        let log = read(LogForm::Sql, "select 1;\n\nselect\n2;\nselect 3");
        let lines: Vec<u64> = log.statements.iter().map(|statement| statement.line).collect();
        assert_eq!(lines, [1, 3, 5]);
    }
}
