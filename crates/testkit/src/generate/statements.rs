//! Single statements over the whole grammar. They have to parse, not to make sense.

use std::sync::LazyLock;

use guardbee_model::HiveVersion;

use super::grammar::{Grammar, Names};
use super::{Random, read, style};

static HIVE: LazyLock<Grammar> = LazyLock::new(|| read(include_str!("../../data/hive.grammar")));

/// A statement of any form that the version knows; some forms that it does not know come, too.
#[must_use]
pub fn any_statement(version: HiveVersion, random: &mut Random) -> String {
    let depth = random.between(3, 9);
    let sql = HIVE.expand("statement", version, depth, random, &mut NoNames);
    if random.percent(10) { style::restyle(&sql, random) } else { sql }
}

/// The file has a rule for every name that it mentions.
struct NoNames;

impl Names for NoNames {
    fn name(&mut self, _: &str, _: &mut Random) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_closed() {
        assert_eq!(HIVE.open_names(), Vec::<&str>::new());
    }

    #[test]
    fn statements_stay_of_bounded_length() {
        let mut random = Random::new(11);
        for _ in 0..2_000 {
            let sql = any_statement(HiveVersion::V4_2, &mut random);
            assert!(!sql.is_empty() && sql.len() < 100_000, "{} bytes", sql.len());
        }
    }
}
