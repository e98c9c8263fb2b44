//! Accepting and refusing as Hive's own parsers do: statements with their verdicts, and how far ours
//! agrees with them.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};
use guardbee_hiveql::parser::{Dialect, ParserSettings, parse_statement};
use guardbee_hiveql::tree::Arena;
use guardbee_model::{Diagnostic, HiveVersion};
use serde::Deserialize;
use serde::de::{Deserializer, Visitor};

use crate::golden::read_lines;

/// What comparing with Hive's own parser needs: its statements and no others.
#[must_use]
pub fn hive_settings(version: HiveVersion) -> ParserSettings {
    ParserSettings { version, dialect: Dialect::Hive, ..ParserSettings::default() }
}

/// Reads a JSON string. Half a surrogate pair, which JSON can write and no text can hold, becomes the
/// replacement character.
///
/// # Errors
/// The line is no JSON string.
pub fn read_json_string(line: &str) -> serde_json::Result<String> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let text = deserializer.deserialize_bytes(LossyText)?;
    deserializer.end()?;
    Ok(text)
}

struct LossyText;

impl Visitor<'_> for LossyText {
    type Value = String;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a string")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<String, E> {
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }
}

/// A statement and whether the parsers of Hive take it.
#[derive(Debug, Clone, Deserialize)]
pub struct JudgedStatement {
    pub sql: String,
    /// By the version as the file names it: `2`, `3`, `4`, `4.1`, `4.2`.
    #[serde(flatten)]
    verdicts: BTreeMap<String, serde_json::Value>,
}

impl JudgedStatement {
    /// Whether Hive of this version takes the statement, where the file says so.
    #[must_use]
    pub fn is_accepted_by(&self, version: HiveVersion) -> Option<bool> {
        self.verdicts
            .iter()
            .find(|(key, _)| key.parse() == Ok(version))
            .and_then(|(_, verdict)| verdict.as_bool())
    }
}

/// Reads a file with a JSON object a line, packed or not.
///
/// # Errors
/// The file cannot be read, or a line is no such object.
pub fn read_judged_statements(path: &Path) -> Result<Vec<JudgedStatement>> {
    read_lines(path)?
        .enumerate()
        .map(|(index, line)| {
            serde_json::from_str(&line?)
                .with_context(|| format!("line {} of `{}`", index + 1, path.display()))
        })
        .collect()
}

/// How many of some statements were judged as Hive judges them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    pub agreed: usize,
    pub total: usize,
}

impl Share {
    /// Nothing where there was nothing to judge.
    #[must_use]
    pub fn percent(self) -> Option<f64> {
        (self.total > 0).then(|| self.agreed as f64 * 100.0 / self.total as f64)
    }

    /// The percentage for people.
    #[must_use]
    pub fn shown(self) -> String {
        self.percent().map_or_else(|| "none".to_owned(), |percent| format!("{percent:.2} %"))
    }

    pub(crate) fn count(&mut self, agrees: bool) {
        self.total += 1;
        self.agreed += usize::from(agrees);
    }
}

/// A statement that was judged otherwise than by Hive.
#[derive(Debug, Clone)]
pub struct Miss<'s> {
    pub sql: &'s str,
    /// Why it was refused; absent where it was accepted and Hive refuses it.
    pub refusal: Option<Diagnostic>,
}

/// The agreement with Hive's parser of one version.
#[derive(Debug, Clone, Default)]
pub struct Agreement<'s> {
    /// Of the statements that Hive accepts.
    pub accepted: Share,
    /// Of the statements that Hive refuses.
    pub refused: Share,
    pub misses: Vec<Miss<'s>>,
}

impl<'s> Agreement<'s> {
    /// Parses all statements and compares.
    #[must_use]
    pub fn measure(statements: &'s [JudgedStatement], version: HiveVersion) -> Self {
        let settings = hive_settings(version);
        let mut agreement = Self::default();
        let mut arena = Arena::new();
        for statement in statements {
            let Some(hive_accepts) = statement.is_accepted_by(version) else { continue };
            let refusal = parse_statement(&arena, &statement.sql, settings).err();
            let agrees = refusal.is_none() == hive_accepts;
            let share = if hive_accepts { &mut agreement.accepted } else { &mut agreement.refused };
            share.count(agrees);
            if !agrees {
                agreement.misses.push(Miss { sql: &statement.sql, refusal });
            }
            arena.reset();
        }
        agreement
    }

    /// The misses by kind of statement, most frequent first.
    #[must_use]
    pub fn misses_by_kind(&self) -> Vec<(String, Vec<&Miss<'s>>)> {
        let mut kinds: BTreeMap<String, Vec<&Miss<'s>>> = BTreeMap::new();
        for miss in &self.misses {
            let verdict = if miss.refusal.is_some() { "refused" } else { "accepted" };
            let kind = format!("wrongly {verdict}: {}", statement_kind(miss.sql));
            kinds.entry(kind).or_default().push(miss);
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, misses)| std::cmp::Reverse(misses.len()));
        kinds
    }
}

/// The words that tell what a statement is: its first, and the second where the first says little.
#[must_use]
pub fn statement_kind(sql: &str) -> String {
    let mut words = sql
        .split(|character: char| !character.is_alphanumeric() && character != '_')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .skip_while(|word| word == "explain");
    let first = words.next().unwrap_or_default();
    let says_little = ["create", "drop", "alter", "show", "insert", "set", "describe", "desc"];
    match words.next() {
        Some(second) if says_little.contains(&first.as_str()) => format!("{first} {second}"),
        _ => first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_take_the_words_that_tell() {
        assert_eq!(statement_kind("ALTER  TABLE t add columns (a int)"), "alter table");
        assert_eq!(statement_kind("explain select 1"), "select");
        assert_eq!(statement_kind(""), "");
    }

    #[test]
    fn strings_may_hold_half_a_surrogate_pair() {
        assert_eq!(read_json_string(r#""a\u00e4\ud83d\ude00\"""#).unwrap(), "aä😀\"");
        assert!(read_json_string(r#""a\ud800b""#).unwrap().starts_with("a\u{fffd}"));
        assert!(read_json_string("a").is_err());
        assert!(read_json_string(r#""a" "b""#).is_err());
    }

    #[test]
    fn verdicts_go_by_version() {
        let statement: JudgedStatement =
            serde_json::from_str(r#"{"sql": "values (1)", "2": false, "4": true}"#).unwrap();
        assert_eq!(statement.is_accepted_by(HiveVersion::V2_3), Some(false));
        assert_eq!(statement.is_accepted_by(HiveVersion::V4_0), Some(true));
        assert_eq!(statement.is_accepted_by(HiveVersion::V4_2), None);
    }
}
