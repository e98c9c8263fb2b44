//! The SET command.

use std::borrow::Cow;

use super::arguments::split_word;
use crate::blank::is_space;
use crate::variables::VariableNamespace;

/// What SET does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetCommand<'t> {
    /// `SET`: shows what the session has changed.
    ShowChanged,
    /// `SET -v`: shows everything.
    ShowAll,
    /// `SET name`: shows one variable.
    Show(VariableName<'t>),
    /// `SET name=value`.
    Assign { variable: VariableName<'t>, value: Cow<'t, str> },
    /// `SET TIME ZONE zone`.
    TimeZone(&'t str),
}

/// The name of a variable as SET takes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableName<'t> {
    /// `None` for a bare name, which means one of Hive's settings.
    pub namespace: Option<VariableNamespace>,
    pub key: &'t str,
}

impl<'t> SetCommand<'t> {
    /// Reads what stands after the word SET.
    pub(super) fn parse(text: &'t str) -> Self {
        match text.split_once('=') {
            Some((name, value)) => Self::Assign {
                variable: VariableName::parse(name.trim_matches(is_space)),
                value: value_of(value),
            },
            None => Self::without_value(line_before_comment(text).trim_matches(is_space)),
        }
    }

    fn without_value(text: &'t str) -> Self {
        match text {
            "" => Self::ShowChanged,
            "-v" => Self::ShowAll,
            _ => match time_zone(text) {
                Some(zone) => Self::TimeZone(zone),
                None => Self::Show(VariableName::parse(text)),
            },
        }
    }
}

impl<'t> VariableName<'t> {
    fn parse(text: &'t str) -> Self {
        let (namespace, key) = VariableNamespace::split(text);
        Self { namespace, key }
    }
}

fn time_zone(text: &str) -> Option<&str> {
    let (time, rest) = split_word(text);
    let (zone, rest) = split_word(rest);
    (time.eq_ignore_ascii_case("time") && zone.eq_ignore_ascii_case("zone")).then_some(rest)
}

/// The value as it is assigned: without comments, and with escaped semicolons as plain ones.
fn value_of(text: &str) -> Cow<'_, str> {
    if !text.contains("--") && !text.contains("\\;") {
        return Cow::Borrowed(text.trim_matches(is_space));
    }
    let mut value = String::with_capacity(text.len());
    let mut quote = None;
    for line in text.split_inclusive('\n') {
        let (kept, open) = before_comment(line, quote);
        value.push_str(kept);
        if kept.len() < line.len() && line.ends_with('\n') {
            value.push('\n');
        }
        quote = open;
    }
    Cow::Owned(value.trim_matches(is_space).replace("\\;", ";"))
}

fn line_before_comment(text: &str) -> &str {
    before_comment(text, None).0
}

/// The part of a line before its comment, and the quote that is open at its end. Two dashes in quotes
/// start no comment.
fn before_comment(line: &str, open: Option<u8>) -> (&str, Option<u8>) {
    let mut quote = open;
    let mut before = b' ';
    for (index, byte) in line.bytes().enumerate() {
        match (quote, byte) {
            (None, b'-') if before == b'-' => return (line.get(..index - 1).unwrap_or_default(), None),
            (None, b'\'' | b'"') if before != b'\\' => quote = Some(byte),
            (Some(open), _) if open == byte && before != b'\\' => quote = None,
            _ => {}
        }
        before = byte;
    }
    (line, quote)
}
