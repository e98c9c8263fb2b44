//! Accepting and refusing as Hive's parser does.

use std::collections::BTreeMap;

use anyhow::Result;
use guardbee_model::HiveVersion;

use super::reduce::{candidates, reduce};
use super::{Effort, Subject};
use crate::generate::tokens::tokens;
use crate::judge::ParserJudge;
use crate::mutations::{Share, statement_kind};

/// A statement that one takes and the other refuses.
#[derive(Debug, Clone)]
pub struct Difference {
    pub sql: String,
    /// As small as it could be made, where it was looked into.
    pub reduced: Option<String>,
    pub hive_accepts: bool,
}

#[derive(Debug, Default)]
pub struct ParsingReport {
    pub version: HiveVersion,
    /// Of the statements that Hive accepts.
    pub accepted: Share,
    /// Of the statements that Hive refuses.
    pub refused: Share,
    pub differences: Vec<Difference>,
}

/// Compares the verdicts on all statements.
///
/// # Errors
/// Where the judge fails.
pub fn compare_parsing(
    subject: &impl Subject,
    version: HiveVersion,
    statements: &[String],
    effort: Effort,
) -> Result<ParsingReport> {
    let mut judge = ParserJudge::start(version)?;
    let verdicts = judge.accepts(statements)?;
    let mut report = ParsingReport { version, ..ParsingReport::default() };
    for (sql, hive_accepts) in statements.iter().zip(verdicts) {
        let agrees = subject.accepts(version, sql) == hive_accepts;
        let share = if hive_accepts { &mut report.accepted } else { &mut report.refused };
        share.count(agrees);
        if !agrees {
            report.differences.push(Difference { sql: sql.clone(), reduced: None, hive_accepts });
        }
    }
    // Some of each part of the statements, not only the first ones.
    let step = report.differences.len().div_ceil(effort.reduced.max(1)).max(1);
    for difference in report.differences.iter_mut().step_by(step).take(effort.reduced) {
        let reduced = reduce(&difference.sql, candidates, |candidates| {
            let differs = |sql: &String| subject.accepts(version, sql) != difference.hive_accepts;
            let verdicts = judge.accepts(candidates)?;
            let mut judged = candidates.iter().zip(verdicts);
            anyhow::Ok(judged.position(|(sql, verdict)| verdict == difference.hive_accepts && differs(sql)))
        })?;
        difference.reduced = Some(reduced);
    }
    Ok(report)
}

impl ParsingReport {
    /// The differences by what is left of them when names and values are taken away, most frequent first.
    #[must_use]
    pub fn by_kind(&self) -> Vec<(String, Vec<&Difference>)> {
        let mut kinds: BTreeMap<String, Vec<&Difference>> = BTreeMap::new();
        for difference in &self.differences {
            kinds.entry(difference.kind()).or_default().push(difference);
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, differences)| std::cmp::Reverse(differences.len()));
        kinds
    }
}

impl Difference {
    /// The shortest text that shows the difference.
    #[must_use]
    pub fn shortest(&self) -> &str {
        self.reduced.as_deref().unwrap_or(&self.sql)
    }

    fn kind(&self) -> String {
        let verdict = if self.hive_accepts { "wrongly refused" } else { "wrongly accepted" };
        match &self.reduced {
            Some(reduced) => format!("{verdict}: {}", shape(reduced)),
            None => format!("{verdict}, not looked into: {}", statement_kind(&self.sql)),
        }
    }
}

/// The first tokens, with names and values made alike.
fn shape(sql: &str) -> String {
    let words = tokens(sql).into_iter().take(8).map(|token| {
        let text = token.text.to_lowercase();
        match text.chars().next() {
            Some('\'' | '"') => "'...'".to_owned(),
            Some('`') => "`...`".to_owned(),
            Some(first) if first.is_ascii_digit() => "1".to_owned(),
            _ => text,
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alike_differences_have_one_shape() {
        assert_eq!(shape("SELECT 12 from `a b`"), shape("select 7L\nfrom `t`"));
        assert_ne!(shape("select a from t"), shape("select 'a' from t"));
    }
}
