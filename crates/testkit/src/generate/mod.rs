//! Random statements, each as plain text, for comparing what Guardbee makes of them with what Hive does.
//!
//! Three sorts: *records* of statements that mostly compile, typed against the tables the record makes (`Generator::record`);
//! single statements over the whole grammar, which only have to parse (`any_statement`); and *mutations* of given statements,
//! most of which Hive refuses (`mutate`). The same seed yields the same statements.
//!
//! Deliberately knows nothing of the parser and the analysis under test.

mod define;
mod from;
mod grammar;
mod mutate;
mod query;
mod random;
mod record;
mod scope;
mod special;
mod statements;
mod style;
pub mod tokens;
mod warehouse;
mod write;

use std::sync::LazyLock;

use guardbee_model::HiveVersion;

use self::grammar::Grammar;
pub use self::mutate::mutate;
pub use self::random::Random;
pub use self::record::{RECORD_LENGTH, Record};
use self::scope::Scope;
pub use self::statements::any_statement;
pub use self::style::restyle;
use self::warehouse::{Relation, Warehouse};

/// The tables that exist before a record starts, as an init script.
pub const INIT: &str = include_str!("../../data/init.sql");

static EXPRESSIONS: LazyLock<Grammar> =
    LazyLock::new(|| read(include_str!("../../data/expressions.grammar")));

/// Names that are no reserved words in any version; some are keywords all the same.
const WORDS: [&str; 36] = [
    "amount", "brand", "carrier", "channel", "city", "code", "country", "data", "day", "dept", "grade",
    "hour", "item", "kind", "label", "level", "member", "month", "note", "owner", "price", "ratio", "region",
    "score", "shop", "stage", "state", "status", "stock", "team", "total", "unit", "vendor", "week", "year",
    "zone",
];

fn read(text: &str) -> Grammar {
    Grammar::parse(text).unwrap_or_else(|problem| panic!("{problem}"))
}

/// Makes up statements that depend on each other.
pub struct Generator {
    random: Random,
    version: HiveVersion,
    warehouse: Warehouse,
    /// Common table expressions that the query being made up may read.
    ctes: Vec<Relation>,
    /// Macros from text and number to text.
    macros: Vec<String>,
    names: usize,
}

impl Generator {
    #[must_use]
    pub fn new(seed: u64, version: HiveVersion) -> Self {
        Self {
            random: Random::new(seed),
            version,
            warehouse: Warehouse::given(),
            ctes: Vec::new(),
            macros: Vec::new(),
            names: 0,
        }
    }

    /// A name that the record has not used yet.
    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}_{}_{}", self.word(), self.names)
    }

    fn word(&mut self) -> &'static str {
        self.random.text(&WORDS)
    }

    fn expand(&mut self, rule: &str, scope: &Scope, depth: usize) -> String {
        let depth = if depth > 1 { self.random.between(1, depth) } else { depth };
        EXPRESSIONS.expand(rule, self.version, depth, &mut self.random, &mut scope.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_mention_only_columns_and_what_has_a_rule() {
        let columns = [
            "any_column",
            "boolean_column",
            "date_column",
            "number",
            "real_column",
            "text_column",
            "time_column",
        ];
        let expected: Vec<&str> = columns.into_iter().chain(["whole_column", "word"]).collect();
        assert_eq!(EXPRESSIONS.open_names(), expected);
    }

    #[test]
    fn the_seed_fixes_the_record() {
        for version in HiveVersion::ALL {
            let draw = |seed| Generator::new(seed, version).record("r".into()).statements;
            assert_eq!(draw(1), draw(1));
            assert_ne!(draw(1), draw(2));
        }
    }
}
