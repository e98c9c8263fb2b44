//! What stops a tag that goes with data: a function that it does not pass, a column that it does not come to.
//!
//! A policy keeps them among its settings, each under a key of its own, so that they have versions as all else has.

use std::collections::BTreeMap;
use std::sync::Arc;

use guardbee_model::{ColumnName, Name, TableName};
use smol_str::{SmolStr, format_smolstr};

use crate::Resource;

/// Somebody's word that a tag ends somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declassifier {
    pub tag: Name,
    pub at: TagBoundary,
    /// Who answers for it.
    pub owner: SmolStr,
    pub reason: Arc<str>,
    /// The day, `2027-01-01`, by which somebody is to look at it again. It holds after that as well.
    pub review: SmolStr,
}

/// Where a tag ends.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TagBoundary {
    /// What this function makes does not carry the tag of what it was made of.
    Function { database: Option<Name>, function: Name },
    /// The tag does not come to this column with data.
    Column(ColumnName),
}

impl TagBoundary {
    #[must_use]
    pub fn resource(&self) -> Resource {
        match self {
            Self::Function { database, function } => {
                Resource::Function { database: database.clone(), function: function.clone() }
            }
            Self::Column(column) => Resource::Column(column.clone()),
        }
    }
}

/// As SQL names it.
impl std::fmt::Display for TagBoundary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Function { .. } => write!(f, "function {}", self.resource()),
            Self::Column(column) => write!(f, "column {column}"),
        }
    }
}

/// The declassifiers of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declassifiers(BTreeMap<SmolStr, Declassifier>);

const PREFIX: &str = "declassifier";

impl Declassifier {
    /// The key of the setting that keeps it: one for each tag and place.
    #[must_use]
    pub fn key(&self) -> SmolStr {
        key(&self.tag, &self.at)
    }

    /// The value of that setting.
    #[must_use]
    pub fn value(&self) -> SmolStr {
        format_smolstr!("{} {} {}", self.review, escaped(&self.owner), self.reason)
    }

    fn read(key: &str, value: &str) -> Option<Self> {
        let (tag, at) = read_key(key)?;
        let (review, rest) = value.split_once(' ')?;
        let (owner, reason) = rest.split_once(' ')?;
        Some(Self {
            tag,
            at,
            owner: SmolStr::new(unescaped(owner)?),
            reason: Arc::from(reason),
            review: is_day(review).then(|| SmolStr::new(review))?,
        })
    }
}

/// The key of the setting that keeps the declassifier of a tag at a place.
#[must_use]
pub fn key(tag: &Name, at: &TagBoundary) -> SmolStr {
    let tag = escaped(tag);
    match at {
        TagBoundary::Function { database: None, function } => {
            format_smolstr!("{PREFIX}.{tag}.function.{}", escaped(function))
        }
        TagBoundary::Function { database: Some(database), function } => {
            format_smolstr!("{PREFIX}.{tag}.function.{}.{}", escaped(database), escaped(function))
        }
        TagBoundary::Column(ColumnName { table, column }) => format_smolstr!(
            "{PREFIX}.{tag}.column.{}.{}.{}",
            escaped(&table.database),
            escaped(&table.table),
            escaped(column)
        ),
    }
}

fn read_key(key: &str) -> Option<(Name, TagBoundary)> {
    let name = |text: &&str| unescaped(text).map(|text| Name::fold(&text));
    let parts: Vec<&str> = key.split('.').collect();
    let (tag, at) = match parts.as_slice() {
        [PREFIX, tag, "function", function] => {
            (tag, TagBoundary::Function { database: None, function: name(function)? })
        }
        [PREFIX, tag, "function", database, function] => {
            let database = Some(name(database)?);
            (tag, TagBoundary::Function { database, function: name(function)? })
        }
        [PREFIX, tag, "column", database, table, column] => {
            let table = TableName::new(name(database)?, name(table)?);
            (tag, TagBoundary::Column(ColumnName::new(table, name(column)?)))
        }
        _ => return None,
    };
    Some((name(tag)?, at))
}

/// `2027-01-01`: a day as SQL writes it.
#[must_use]
pub fn is_day(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, length: usize| {
        let is_number = part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<u32>().ok()).flatten()
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Without the characters that stand between parts.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' => escaped.push_str("%25"),
            '.' => escaped.push_str("%2e"),
            ' ' => escaped.push_str("%20"),
            other => escaped.push(other),
        }
    }
    escaped
}

fn unescaped(text: &str) -> Option<String> {
    if text.is_empty() {
        return None;
    }
    let mut parts = text.split('%');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_at_checked(2)?;
        plain.push(match code {
            "25" => '%',
            "2e" => '.',
            "20" => ' ',
            _ => return None,
        });
        plain.push_str(rest);
    }
    Some(plain)
}

impl Declassifiers {
    /// By tag and place.
    pub fn iter(&self) -> impl Iterator<Item = &Declassifier> {
        self.0.values()
    }

    pub fn of_tag<'d>(&'d self, tag: &'d Name) -> impl Iterator<Item = &'d Declassifier> {
        self.iter().filter(move |one| one.tag == *tag)
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub fn get(&self, tag: &Name, at: &TagBoundary) -> Option<&Declassifier> {
        self.0.get(&key(tag, at))
    }

    pub fn put(&mut self, declassifier: Declassifier) {
        self.0.insert(declassifier.key(), declassifier);
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = &SmolStr> {
        self.0.keys()
    }

    pub(crate) fn value(&self, key: &str) -> Option<SmolStr> {
        self.0.get(key).map(Declassifier::value)
    }

    /// Takes over what a setting says; says whether it says anything.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> bool {
        let read = Declassifier::read(key, value);
        let is_read = read.is_some();
        if let Some(declassifier) = read {
            self.put(declassifier);
        }
        is_read
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }
}

/// Is it the key of a declassifier, in form at least?
pub(crate) fn is_key(key: &str) -> bool {
    read_key(key).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declassifier_is_read_back_from_its_setting() {
        let column = ColumnName::new(TableName::new("d.x".into(), "t y".into()), "50%".into());
        for at in [
            TagBoundary::Column(column),
            TagBoundary::Function { database: None, function: "sha2".into() },
            TagBoundary::Function { database: Some("util".into()), function: "hash_id".into() },
        ] {
            let written = Declassifier {
                tag: "pii".into(),
                at,
                owner: "ana of sales.eu".into(),
                reason: "approved: see ticket 7, 100% sure".into(),
                review: "2028-02-29".into(),
            };
            let mut read = Declassifiers::default();
            assert!(read.set(&written.key(), &written.value()), "{}", written.key());
            assert_eq!(read.iter().collect::<Vec<_>>(), [&written]);
        }
    }

    #[test]
    fn what_is_no_day_is_no_review() {
        for day in ["2027-02-29", "2027-13-01", "2027-1-01", "27-01-01", "soon", "2027-01-00", ""] {
            assert!(!is_day(day), "{day}");
        }
        assert!(!Declassifiers::default().set("declassifier.pii.function.f", "soon ana because"));
        assert!(!Declassifiers::default().set("declassifier.pii.view.f", "2027-01-01 ana because"));
    }
}
