//! The settings of a session that change what a statement means.

use guardbee_hiveql::lexer::QuotedIdentifiers;
use guardbee_hiveql::parser::ParserSettings;
use guardbee_model::HiveVersion;

/// What parser and analysis look at, out of Hive's many settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What the parser looks at.
    pub parser: ParserSettings,
    /// Dropping what is not there succeeds even without `IF EXISTS`.
    pub drop_ignores_missing: bool,
    groups_by_position: bool,
    orders_by_position: bool,
    /// The older setting that turns both on.
    both_by_position: bool,
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
            drop_ignores_missing: true,
            groups_by_position: false,
            orders_by_position: true,
            both_by_position: false,
        }
    }

    /// Does `GROUP BY 1` mean the first column of the select list?
    #[must_use]
    pub const fn group_by_position(&self) -> bool {
        self.groups_by_position || self.both_by_position
    }

    /// Does `ORDER BY 1` mean the first column of the select list?
    #[must_use]
    pub const fn order_by_position(&self) -> bool {
        self.orders_by_position || self.both_by_position
    }

    /// Takes a new value for a key, or the one that held at the start. Keys that nobody looks at change
    /// nothing; what Hive does not know as a value counts as no value, and as no for a question.
    pub fn set(&mut self, key: &str, value: Option<&str>) {
        let start = Self::new(self.parser.version);
        let flag = |start: bool| value.map_or(start, |value| value.trim().eq_ignore_ascii_case("true"));
        match key {
            "hive.support.quoted.identifiers" => {
                self.parser.quoted_identifiers =
                    value.and_then(quoted_identifiers).unwrap_or(start.parser.quoted_identifiers);
            }
            "hive.groupby.position.alias" => self.groups_by_position = flag(start.groups_by_position),
            "hive.orderby.position.alias" => self.orders_by_position = flag(start.orders_by_position),
            "hive.groupby.orderby.position.alias" => self.both_by_position = flag(start.both_by_position),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What grouping and ordering by position come to after these settings.
    fn positions(settings: &[(&str, Option<&str>)]) -> (bool, bool) {
        let mut result = Settings::new(HiveVersion::V4_0);
        for (key, value) in settings {
            result.set(key, *value);
        }
        (result.group_by_position(), result.order_by_position())
    }

    #[test]
    fn the_older_setting_turns_both_positions_on_and_none_off() {
        const BOTH: &str = "hive.groupby.orderby.position.alias";
        const ORDER: &str = "hive.orderby.position.alias";
        assert_eq!(positions(&[]), (false, true));
        assert_eq!(positions(&[(BOTH, Some("false"))]), (false, true));
        assert_eq!(positions(&[(BOTH, Some("true")), (ORDER, Some("false"))]), (true, true));
        assert_eq!(positions(&[(BOTH, Some("true")), (ORDER, None), (BOTH, None)]), (false, true));
    }
}
