//! Operation, inputs, outputs and columns as Hive's compiler finds them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;
use guardbee_model::HiveVersion;

use super::reduce::{reduce, structural_candidates};
use super::{Effort, Subject};
use crate::generate::Record;
use crate::generate::tokens::tokens;
use crate::golden::{GoldenFlags, GoldenRecord, GoldenStatement};
use crate::judge::CompilerJudge;
use crate::score::{Metric, Mismatch, Options, Prediction, Predictions, Tally, score};

/// The metrics that are looked into. The others follow from them, or tell of Hive's optimizer.
const METRICS: [Metric; 6] =
    [Metric::Parsed, Metric::Op, Metric::Inputs, Metric::Outputs, Metric::LineageColumns, Metric::Kind];

/// How often the judge is asked about one difference. A question takes it a fifth of a second.
const QUESTIONS: usize = 100;

pub struct CompilingReport {
    pub version: HiveVersion,
    pub statements: usize,
    pub compiled: usize,
    pub tally: Tally,
    /// As small as they could be made, by what differs, most frequent first.
    pub kinds: Vec<(String, Vec<Mismatch>)>,
}

/// Compares what both make of the records.
///
/// # Errors
/// Where the judge fails.
pub fn compare_compiling(
    subject: &impl Subject,
    version: HiveVersion,
    records: &[Record],
    init: &Path,
    effort: Effort,
) -> Result<CompilingReport> {
    let mut comparison = Comparison { subject, version, judge: CompilerJudge::start(version, init)? };
    let mut golden = Vec::new();
    for record in records {
        golden.push(comparison.golden(record)?);
        progress(&format!("compiled {} of {} records with Hive {version}", golden.len(), records.len()));
    }
    let predictions = golden.iter().flat_map(|record| subject.predict(version, record));
    let mut tally = score(&golden, &Predictions::of(predictions)?, &Options::default());
    let mismatches = std::mem::take(&mut tally.mismatches);
    let kinds = comparison.kinds(records, mismatches, effort)?;
    let all = || golden.iter().flat_map(|record| &record.statements);
    let (statements, compiled) = (all().count(), all().filter(|statement| statement.scored).count());
    Ok(CompilingReport { version, statements, compiled, tally, kinds })
}

struct Comparison<'a, S> {
    subject: &'a S,
    version: HiveVersion,
    judge: CompilerJudge,
}

impl<S: Subject> Comparison<'_, S> {
    fn golden(&mut self, record: &Record) -> Result<GoldenRecord> {
        let mut golden = self.judge.compile(record)?;
        mask_lineage(&mut golden);
        Ok(golden)
    }

    /// Groups the mismatches; the first few of each group are reduced.
    fn kinds(
        &mut self,
        records: &[Record],
        mismatches: Vec<Mismatch>,
        effort: Effort,
    ) -> Result<Vec<(String, Vec<Mismatch>)>> {
        let mut kinds: BTreeMap<String, Vec<Mismatch>> = BTreeMap::new();
        let refused: BTreeSet<(String, usize)> =
            mismatches.iter().filter(|found| found.metric == Metric::Parsed).map(place).collect();
        let matters = |found: &Mismatch| {
            METRICS.contains(&found.metric)
                && (found.metric == Metric::Parsed || !refused.contains(&place(found)))
        };
        for mismatch in mismatches.into_iter().filter(matters) {
            kinds.entry(kind(&mismatch)).or_default().push(mismatch);
        }
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, mismatches)| std::cmp::Reverse(mismatches.len()));
        let each = effort.reduced.div_ceil(kinds.len().max(1));
        let (mut left, subject_records) = (effort.reduced, by_file(records));
        for (_, mismatches) in &mut kinds {
            mismatches.sort_by_key(|mismatch| mismatch.sql.len());
            for mismatch in mismatches.iter_mut().take(each.min(left)) {
                left -= 1;
                progress(&format!(
                    "looking into {} of {} differences",
                    effort.reduced - left,
                    effort.reduced
                ));
                if let Some(record) = subject_records.get(mismatch.file.as_str()) {
                    self.reduce(record, mismatch)?;
                }
            }
        }
        Ok(kinds)
    }

    /// Drops the statements before it that it does not need, then its own parts.
    fn reduce(&mut self, record: &Record, mismatch: &mut Mismatch) -> Result<()> {
        let Some(sql) = record.statements.get(mismatch.index) else { return Ok(()) };
        let needed = needed_before(&record.statements[..mismatch.index], sql);
        let mut questions_left = QUESTIONS;
        let mut smallest = None;
        let reduced = reduce(sql, structural_candidates, |candidates| {
            let asked = self.worth_asking(record, &needed, candidates, questions_left);
            questions_left -= asked.len();
            let found = self.first_mismatch(record, &needed, candidates, &asked, mismatch)?;
            let place = found.as_ref().map(|(place, _)| *place);
            smallest = found.map(|(_, smaller)| smaller).or_else(|| smallest.take());
            anyhow::Ok(place)
        })?;
        if let Some(smaller) = smallest {
            (mismatch.wanted, mismatch.got, mismatch.place) = (smaller.wanted, smaller.got, smaller.place);
        }
        mismatch.sql = needed.into_iter().chain([reduced]).collect::<Vec<_>>().join(";\n");
        Ok(())
    }

    /// The places of candidates that we can make sense of: it is likely that Hive can, too.
    fn worth_asking(
        &self,
        record: &Record,
        needed: &[String],
        candidates: &[String],
        most: usize,
    ) -> Vec<usize> {
        let makes_sense = |candidate: &String| {
            let statements = needed.iter().chain([candidate]);
            let statements = statements
                .map(|sql| GoldenStatement { sql: Some(sql.clone()), ..GoldenStatement::default() });
            let unjudged = GoldenRecord { statements: statements.collect(), ..unjudged(record) };
            let predictions = self.subject.predict(self.version, &unjudged);
            predictions.last().is_some_and(Prediction::is_accepted)
        };
        let places = (0..candidates.len()).filter(|place| makes_sense(&candidates[*place]));
        places.take(most).collect()
    }

    /// The first of the candidates that differs in the same metric, asked for all at once.
    fn first_mismatch(
        &mut self,
        record: &Record,
        needed: &[String],
        candidates: &[String],
        asked: &[usize],
        mismatch: &Mismatch,
    ) -> Result<Option<(usize, Mismatch)>> {
        if asked.is_empty() {
            return Ok(None);
        }
        let makes_something = tokens(&mismatch.sql).first().is_some_and(|word| !is_only_compiled(word.text));
        let groups: Vec<&[usize]> = if makes_something { asked.chunks(1).collect() } else { vec![asked] };
        for group in groups {
            let mut question = Record { statements: needed.to_vec(), ..record.clone() };
            question.statements.extend(group.iter().map(|place| candidates[*place].clone()));
            let golden = self.golden(&question)?;
            let predictions = Predictions::of(self.subject.predict(self.version, &golden))?;
            let tally = score(&[golden], &predictions, &Options::default());
            let alike = |found: &&Mismatch| found.index >= needed.len() && is_alike(found, mismatch);
            if let Some(found) = tally.mismatches.iter().filter(alike).min_by_key(|found| found.index) {
                return Ok(Some((group[found.index - needed.len()], found.clone())));
            }
        }
        Ok(None)
    }
}

/// The statement that a mismatch is about.
fn place(mismatch: &Mismatch) -> (String, usize) {
    (mismatch.file.clone(), mismatch.index)
}

/// Whether one is a smaller case of the other.
fn is_alike(found: &Mismatch, original: &Mismatch) -> bool {
    let same_kinds = (&found.wanted, &found.got) == (&original.wanted, &original.got);
    found.metric == original.metric && (found.metric != Metric::Kind || same_kinds)
}

/// Whether the judge does not run statements that start with this word.
fn is_only_compiled(word: &str) -> bool {
    ["select", "from", "with", "insert", "update", "delete", "merge", "explain"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word))
}

/// The statements that make what a statement names, and what those name.
fn needed_before(before: &[String], sql: &str) -> Vec<String> {
    let mut words: BTreeSet<String> = words_of(sql);
    let mut needed = Vec::new();
    for statement in before.iter().rev() {
        let found = tokens(statement);
        let Some(first) = found.first() else { continue };
        let named = words_of(statement);
        let is_definition = !is_only_compiled(first.text);
        let moves = first.text.eq_ignore_ascii_case("use");
        if is_definition && (moves || named.iter().any(|word| words.contains(word) && is_made_up(word))) {
            words.extend(named);
            needed.push(statement.clone());
        }
    }
    needed.reverse();
    needed
}

fn words_of(sql: &str) -> BTreeSet<String> {
    tokens(sql).iter().filter(|token| token.is_word()).map(|token| token.text.to_lowercase()).collect()
}

/// The generator's own names end with a number that no other name in the record has.
fn is_made_up(word: &str) -> bool {
    let (prefix, number) =
        (word.split('_').next().unwrap_or_default(), word.rsplit('_').next().unwrap_or_default());
    prefix.len() == 1 && word.matches('_').count() == 2 && number.parse::<u32>().is_ok()
}

fn progress(what: &str) {
    eprint!("\r{what}          ");
}

/// A record that nobody has judged.
fn unjudged(record: &Record) -> GoldenRecord {
    GoldenRecord {
        file: record.file.clone(),
        recorded_by: Some(record.recorded_by.to_owned()),
        datasets: record.datasets.map(str::to_owned).to_vec(),
        tpcds: false,
        flags: GoldenFlags::default(),
        statements: Vec::new(),
    }
}

fn by_file(records: &[Record]) -> BTreeMap<&str, &Record> {
    records.iter().map(|record| (record.file.as_str(), record)).collect()
}

/// What differs, without names.
fn kind(mismatch: &Mismatch) -> String {
    let set = |text: &str| {
        text.split(", ").map(str::to_owned).filter(|part| !part.is_empty()).collect::<BTreeSet<_>>()
    };
    let (wanted, got) = (set(&mismatch.wanted), set(&mismatch.got));
    let how = match mismatch.metric {
        Metric::Inputs | Metric::Outputs | Metric::LineageColumns if mismatch.got != "None" => {
            match (wanted.is_subset(&got), got.is_subset(&wanted)) {
                (true, _) => "too much".to_owned(),
                (_, true) => "too little".to_owned(),
                _ => "something else".to_owned(),
            }
        }
        Metric::Parsed => mismatch.got.clone(),
        _ => format!("{} for {}", mismatch.got, mismatch.wanted),
    };
    let how = if mismatch.got == "None" { "nothing" } else { how.as_str() };
    format!("{}: {how} in {}", mismatch.metric.name(), crate::mutations::statement_kind(&mismatch.sql))
}

/// Hides lineage of which the judge says nothing useful: what passes a window function, or the table function behind EXCEPT ALL
/// and INTERSECT ALL, since there every column that passes counts as a source of the result, and views of Hive 3 with a list of
/// column names, whose targets the judge calls otherwise.
pub fn mask_lineage(record: &mut GoldenRecord) {
    let names_views_otherwise = record.recorded_by.as_deref() == Some("hive3");
    let mut tainted: BTreeSet<String> = BTreeSet::new();
    for statement in &mut record.statements {
        let Some(sql) = &statement.sql else { continue };
        let words: Vec<String> = tokens(sql).iter().map(|token| token.text.to_lowercase()).collect();
        let view = new_view(&words);
        let mixes_columns = words.iter().any(|word| word == "over" || tainted.contains(word))
            || words.windows(2).any(repeats_rows);
        let has_names = view.is_some_and(|place| words.get(place + 1).is_some_and(|next| next == "("));
        statement.lineage_masked |= mixes_columns || (has_names && names_views_otherwise);
        if mixes_columns {
            tainted.extend(view.and_then(|place| words.get(place).cloned()));
        }
    }
}

/// Is it a set operation that keeps doubles, other than UNION?
fn repeats_rows(words: &[String]) -> bool {
    matches!(words, [operator, quantifier] if quantifier == "all" && ["except", "minus", "intersect"].contains(&operator.as_str()))
}

/// Where the name of the view stands that a statement makes.
fn new_view(words: &[String]) -> Option<usize> {
    let head = words.iter().take(12).position(|word| word == "view").filter(|_| words[0] == "create")?;
    let skipped = ["if", "not", "exists"];
    (head + 1..words.len()).find(|place| !skipped.contains(&words[*place].as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_needs_what_makes_its_tables() {
        let before = [
            "create table t_code_1 (a int)",
            "create table t_code_2 (a int)",
            "insert into t_code_1 select 1",
            "create view v_city_3 as select * from t_code_1 q_day_9",
            "use d_shop_4",
        ]
        .map(str::to_owned);
        let needed = needed_before(&before, "select * from v_city_3 q_zone_5");
        assert_eq!(needed, [before[0].clone(), before[3].clone(), before[4].clone()]);
    }

    #[test]
    fn lineage_that_says_nothing_is_hidden() {
        let statements = [
            "select rank() over (order by a) from t",
            "select a from t",
            "create view v_a_1 as select rank() over (order by a) r from t",
            "insert into t select r from V_A_1",
            "create view v_a_2 (b) as select a from t",
            "select a from t union all select a from t",
            "select a, b from t EXCEPT ALL select a, b from t",
        ];
        let json = serde_json::json!({"file": "f", "recorded_by": "hive3", "statements": statements.map(|sql| serde_json::json!({"sql": sql}))});
        let mut record: GoldenRecord = serde_json::from_value(json).expect("a record");
        mask_lineage(&mut record);
        let masked: Vec<bool> = record.statements.iter().map(|statement| statement.lineage_masked).collect();
        assert_eq!(masked, [true, false, true, true, true, false, true]);
    }
}
