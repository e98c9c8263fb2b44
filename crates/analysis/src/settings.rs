//! The settings of a session that change what a statement means.

use guardbee_hiveql::lexer::QuotedIdentifiers;
use guardbee_hiveql::parser::ParserSettings;
use guardbee_model::HiveVersion;

/// What parser and analysis look at, out of Hive's many settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    pub parser: ParserSettings,
    /// `GROUP BY 1` means the first column of the select list.
    pub group_by_position: bool,
    /// `ORDER BY 1` means the first column of the select list.
    pub order_by_position: bool,
    /// Dropping what is not there succeeds even without `IF EXISTS`.
    pub drop_ignores_missing: bool,
}

impl Settings {
    /// The keys that are looked at.
    pub const KEYS: [&'static str; 5] = [
        "hive.support.quoted.identifiers",
        "hive.groupby.orderby.position.alias",
        "hive.groupby.position.alias",
        "hive.orderby.position.alias",
        "hive.exec.drop.ignorenonexistent",
    ];

    /// What holds before any `SET`.
    #[must_use]
    pub fn new(version: HiveVersion) -> Self {
        Self {
            parser: ParserSettings { version, ..ParserSettings::default() },
            group_by_position: false,
            order_by_position: true,
            drop_ignores_missing: true,
        }
    }

    /// Takes a new value for a key, or the one that held at the start. Keys that nobody looks at and
    /// values that are none change nothing.
    pub fn set(&mut self, key: &str, value: Option<&str>) {
        let start = Self::new(self.parser.version);
        let flag = |start: bool| value.map_or(start, |value| value.trim().eq_ignore_ascii_case("true"));
        match key {
            "hive.support.quoted.identifiers" => {
                self.parser.quoted_identifiers =
                    value.and_then(quoted_identifiers).unwrap_or(start.parser.quoted_identifiers);
            }
            "hive.groupby.position.alias" => self.group_by_position = flag(start.group_by_position),
            "hive.orderby.position.alias" => self.order_by_position = flag(start.order_by_position),
            "hive.groupby.orderby.position.alias" => {
                self.group_by_position = flag(start.group_by_position);
                self.order_by_position = flag(start.order_by_position);
            }
            "hive.exec.drop.ignorenonexistent" => {
                self.drop_ignores_missing = flag(start.drop_ignores_missing)
            }
            _ => {}
        }
    }
}

fn quoted_identifiers(value: &str) -> Option<QuotedIdentifiers> {
    match value.trim() {
        value if value.eq_ignore_ascii_case("none") => Some(QuotedIdentifiers::None),
        value if value.eq_ignore_ascii_case("column") => Some(QuotedIdentifiers::Column),
        value if value.eq_ignore_ascii_case("standard") => Some(QuotedIdentifiers::Standard),
        _ => None,
    }
}
