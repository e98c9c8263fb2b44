//! The settings of a session that change what a statement means.

use std::fmt;
use std::sync::Arc;

use guardbee_hiveql::lexer::QuotedIdentifiers;
use guardbee_hiveql::parser::ParserSettings;
use guardbee_model::HiveVersion;
use rpds::HashTrieMapSync;
use rustc_hash::FxBuildHasher;

/// All values that were set, and the few among them that parser and analysis look at, read already.
#[derive(Clone)]
pub struct Settings {
    pub parser: ParserSettings,
    /// `GROUP BY 1` means the first column of the select list.
    pub group_by_position: bool,
    /// `ORDER BY 1` means the first column of the select list.
    pub order_by_position: bool,
    values: HashTrieMapSync<Arc<str>, Arc<str>, FxBuildHasher>,
}

impl Settings {
    /// What holds before any `SET`.
    #[must_use]
    pub fn new(version: HiveVersion) -> Self {
        Self {
            parser: ParserSettings { version, ..ParserSettings::default() },
            group_by_position: false,
            order_by_position: version >= HiveVersion::V3_1,
            values: HashTrieMapSync::default(),
        }
    }

    /// The value that was set for a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(|value| &**value)
    }

    /// Is the key set to `true`?
    #[must_use]
    pub fn is_on(&self, key: &str) -> bool {
        self.get(key).is_some_and(is_true)
    }

    /// `SET key=value`, or `RESET key` where there is no value.
    pub fn set(&mut self, key: &Arc<str>, value: Option<&Arc<str>>) {
        match value {
            Some(value) => self.values.insert_mut(key.clone(), value.clone()),
            None => {
                self.values.remove_mut(key);
            }
        }
        self.read(key, value.map(|value| &**value));
    }

    /// `RESET`.
    pub fn reset(&mut self) {
        *self = Self::new(self.parser.version);
    }

    fn read(&mut self, key: &str, value: Option<&str>) {
        let start = Self::new(self.parser.version);
        match key {
            "hive.support.quoted.identifiers" => {
                self.parser.quoted_identifiers =
                    value.and_then(quoted_identifiers).unwrap_or(start.parser.quoted_identifiers);
            }
            "hive.groupby.position.alias" => {
                self.group_by_position = value.map_or(start.group_by_position, is_true);
            }
            "hive.orderby.position.alias" => {
                self.order_by_position = value.map_or(start.order_by_position, is_true);
            }
            "hive.groupby.orderby.position.alias" => {
                self.group_by_position = value.map_or(start.group_by_position, is_true);
                self.order_by_position = value.map_or(start.order_by_position, is_true);
            }
            _ => {}
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("parser", &self.parser)
            .field("group_by_position", &self.group_by_position)
            .field("order_by_position", &self.order_by_position)
            .field("values", &self.values.size())
            .finish()
    }
}

fn is_true(value: &str) -> bool {
    value.trim().eq_ignore_ascii_case("true")
}

fn quoted_identifiers(value: &str) -> Option<QuotedIdentifiers> {
    match value.trim().to_ascii_lowercase().as_str() {
        "none" => Some(QuotedIdentifiers::None),
        "column" => Some(QuotedIdentifiers::Column),
        "standard" => Some(QuotedIdentifiers::Standard),
        _ => None,
    }
}
