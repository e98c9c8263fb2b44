//! Makes a statement smaller as long as something about it stays true.

use crate::generate::tokens::{Token, join, tokens};

/// The statement without every token, run of tokens and pair of parentheses that it can lose.
///
/// `steps` yields the candidates, `first_that_holds` tells which of some of them still is what is looked for. It gets a few at
/// first and more when those were none, since asking for many at once is cheap.
///
/// # Errors
/// Those of `first_that_holds`.
pub fn reduce<E>(
    sql: &str,
    steps: impl Fn(&str) -> Vec<String>,
    mut first_that_holds: impl FnMut(&[String]) -> Result<Option<usize>, E>,
) -> Result<String, E> {
    let mut current = sql.to_owned();
    'smaller: loop {
        let all = steps(&current);
        let (mut from, mut count) = (0, 8);
        while from < all.len() {
            let some = &all[from..all.len().min(from + count)];
            if let Some(place) = first_that_holds(some)? {
                current.clone_from(&some[place]);
                continue 'smaller;
            }
            (from, count) = (from + count, (count * 2).min(64));
        }
        return Ok(current);
    }
}

/// All ways to make a statement smaller in one step, those that take away most first.
#[must_use]
pub fn candidates(sql: &str) -> Vec<String> {
    let found = tokens(sql);
    let mut cuts = runs(found.len());
    cuts.extend(parts(&found));
    texts(sql, &found, cuts)
}

/// The ways that leave whole clauses, list items and arguments, so that most of them are statements again.
#[must_use]
pub fn structural_candidates(sql: &str) -> Vec<String> {
    let found = tokens(sql);
    texts(sql, &found, parts(&found))
}

fn texts(sql: &str, tokens: &[Token<'_>], mut cuts: Vec<Cut>) -> Vec<String> {
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.length()));
    let texts = cuts.into_iter().map(|cut| join(&cut.apply(tokens)));
    let mut texts: Vec<String> = texts.filter(|text| text.len() < sql.len() && !text.is_empty()).collect();
    texts.dedup();
    texts
}

/// Tokens that are taken away, but for those from `keep.0` to `keep.1`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cut {
    from: usize,
    to: usize,
    keep: (usize, usize),
}

impl Cut {
    const fn all(from: usize, to: usize) -> Self {
        Self { from, to, keep: (to, to) }
    }

    const fn length(&self) -> usize {
        (self.to - self.from) - (self.keep.1 - self.keep.0)
    }

    fn apply<'a>(&self, tokens: &[Token<'a>]) -> Vec<Token<'a>> {
        [&tokens[..self.from], &tokens[self.keep.0..self.keep.1], &tokens[self.to..]].concat()
    }
}

/// Halves, quarters and so on down to single tokens.
fn runs(count: usize) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut length = count / 2;
    while length > 0 {
        cuts.extend((0..count).step_by(length).map(|from| Cut::all(from, (from + length).min(count))));
        length /= 2;
    }
    cuts
}

/// Words that start what a query can do without.
const CLAUSES: [&str; 28] = [
    "where",
    "group",
    "having",
    "order",
    "sort",
    "cluster",
    "distribute",
    "limit",
    "window",
    "qualify",
    "lateral",
    "join",
    "left",
    "right",
    "full",
    "inner",
    "cross",
    "and",
    "or",
    "when",
    "else",
    "rows",
    "range",
    "over",
    "insert",
    "tablesample",
    "on",
    "as",
];
const SET_OPERATORS: [&str; 4] = ["union", "intersect", "except", "minus"];

/// What stands between two parentheses, or the whole statement.
#[derive(Default)]
struct Frame {
    /// The opening parenthesis.
    open: Option<usize>,
    /// Where the current list item, clause and arm of a set operation start.
    item: usize,
    clause: Option<usize>,
    arm: Option<usize>,
    items: Vec<(usize, usize)>,
}

/// Cuts of list items, clauses, arms of set operations, parentheses, and calls in favour of one of their arguments.
fn parts(tokens: &[Token<'_>]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut outer: Vec<Frame> = Vec::new();
    let mut frame = Frame::default();
    for (place, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" => {
                let inner = Frame { open: Some(place), item: place + 1, ..Frame::default() };
                outer.push(std::mem::replace(&mut frame, inner));
            }
            ")" | "]" => {
                frame.close(tokens, place, &mut cuts);
                frame = outer.pop().unwrap_or_default();
            }
            "," => frame.end_item(place, &mut cuts),
            word => frame.word(&word.to_ascii_lowercase(), tokens, place, &mut cuts),
        }
    }
    frame.close(tokens, tokens.len(), &mut cuts);
    cuts
}

impl Frame {
    fn end_item(&mut self, comma: usize, cuts: &mut Vec<Cut>) {
        cuts.push(Cut::all(self.item, comma + 1));
        self.items.push((self.item, comma));
        self.item = comma + 1;
    }

    fn word(&mut self, word: &str, tokens: &[Token<'_>], place: usize, cuts: &mut Vec<Cut>) {
        let continues_join = word == "join" && self.clause.is_some_and(|clause| clause + 3 > place);
        if SET_OPERATORS.contains(&word) {
            self.end_clause(tokens, place, cuts);
            self.end_arm(place, cuts);
            self.arm = Some(place);
            self.clause = None;
        } else if CLAUSES.contains(&word) && !continues_join {
            self.end_clause(tokens, place, cuts);
            self.clause = Some(place);
        } else if ["select", "distinct", "by", "set", "from"].contains(&word) {
            self.end_last_item(tokens, place, cuts);
            self.item = place + 1;
        }
    }

    fn end_last_item(&self, tokens: &[Token<'_>], place: usize, cuts: &mut Vec<Cut>) {
        if self.item > 0 && self.item < place && tokens[self.item - 1].text == "," {
            cuts.push(Cut::all(self.item - 1, place));
        }
    }

    fn end_clause(&mut self, tokens: &[Token<'_>], place: usize, cuts: &mut Vec<Cut>) {
        self.end_last_item(tokens, place, cuts);
        if let Some(clause) = self.clause {
            cuts.push(Cut::all(clause, place));
        }
        self.item = place + 1;
    }

    fn end_arm(&self, place: usize, cuts: &mut Vec<Cut>) {
        if let Some(arm) = self.arm {
            cuts.push(Cut::all(arm, place));
        }
    }

    fn close(&mut self, tokens: &[Token<'_>], place: usize, cuts: &mut Vec<Cut>) {
        self.items.push((self.item.min(place), place));
        self.end_clause(tokens, place, cuts);
        self.end_arm(place, cuts);
        let Some(open) = self.open.filter(|_| place < tokens.len()) else { return };
        cuts.push(Cut::all(open, place + 1));
        cuts.push(Cut { from: open, to: place + 1, keep: (open + 1, place) });
        if open > 0 {
            cuts.push(Cut::all(open - 1, place + 1));
            let kept = self.items.iter().map(|&keep| Cut { from: open - 1, to: place + 1, keep });
            cuts.extend(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn reduced(sql: &str, holds: impl Fn(&str) -> bool) -> String {
        let result = reduce(sql, candidates, |some| {
            Ok::<_, Infallible>(some.iter().position(|candidate| holds(candidate)))
        });
        result.unwrap_or_else(|never| match never {})
    }

    #[test]
    fn only_what_matters_is_left() {
        let sql = "select a, f(b, qualify + 1) from (select * from t where x in (1, 2)) u group by a order by a limit 3";
        assert_eq!(reduced(sql, |text| text.contains("qualify")), "qualify");
        let balanced = |text: &str| text.matches('(').count() == text.matches(')').count();
        assert_eq!(
            reduced(sql, |text| text.contains("limit") && text.contains("(select") && balanced(text)),
            "(select) limit"
        );
    }

    #[test]
    fn a_call_can_be_replaced_by_its_argument() {
        assert!(candidates("select f(g(a)) from t").contains(&"select g(a) from t".to_owned()));
    }

    #[test]
    fn clauses_go_as_a_whole() {
        let sql = "select a, b from t join u on t.a = u.a where a > 1 and b > 2 union all select c from v order by c";
        let found = structural_candidates(sql);
        for wanted in [
            "select b from t join u on t.a = u.a where a > 1 and b > 2 union all select c from v order by c",
            "select a from t join u on t.a = u.a where a > 1 and b > 2 union all select c from v order by c",
            "select a, b from t join u on t.a = u.a and b > 2 union all select c from v order by c",
            "select a, b from t join u on t.a = u.a where a > 1 and b > 2",
            "select a, b from t join u on t.a = u.a where a > 1 and b > 2 union all select c from v",
        ] {
            assert!(found.contains(&wanted.to_owned()), "{wanted} is not among {found:#?}");
        }
    }

    #[test]
    fn candidates_are_smaller() {
        let sql = "insert into t select a , b from ( select 1 ) x";
        let found = candidates(sql);
        assert!(found.len() > 10);
        assert!(found.iter().all(|candidate| candidate.len() < sql.len()));
    }
}
