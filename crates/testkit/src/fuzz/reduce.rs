//! Makes a statement smaller as long as something about it stays true.

use crate::generate::tokens::{Token, join, tokens};

/// The statement without every token, run of tokens and pair of parentheses that it can lose.
///
/// `first_that_holds` tells which of some candidates still is what is looked for. It gets a few at first and more when those
/// were none, since asking for many at once is cheap.
///
/// # Errors
/// Those of `first_that_holds`.
pub fn reduce<E>(
    sql: &str,
    mut first_that_holds: impl FnMut(&[String]) -> Result<Option<usize>, E>,
) -> Result<String, E> {
    let mut current = sql.to_owned();
    'smaller: loop {
        let all = candidates(&current);
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
    cuts.extend(groups(&found));
    cuts.sort_by_key(|cut| std::cmp::Reverse(cut.length()));
    cuts.dedup();
    let texts = cuts.into_iter().map(|cut| join(&cut.apply(&found)));
    texts.filter(|text| text.len() < sql.len() && !text.is_empty()).collect()
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

/// Parentheses: with what is in them, without it, only themselves, or with the word before them; and what stands between commas.
fn groups(tokens: &[Token<'_>]) -> Vec<Cut> {
    let mut cuts = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut item_start = vec![0];
    for (place, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" => {
                open.push(place);
                item_start.push(place + 1);
            }
            ")" | "]" => {
                let Some(start) = open.pop() else { continue };
                let item = item_start.pop().unwrap_or(start + 1);
                cuts.push(Cut::all(item.saturating_sub(1).max(start + 1), place));
                cuts.push(Cut::all(start, place + 1));
                cuts.push(Cut { from: start, to: place + 1, keep: (start + 1, place) });
                if start > 0 {
                    cuts.push(Cut { from: start - 1, to: place + 1, keep: (item, place) });
                    cuts.push(Cut::all(start - 1, place + 1));
                }
            }
            "," => {
                if let Some(start) = item_start.last_mut() {
                    cuts.push(Cut::all(*start, place + 1));
                    *start = place + 1;
                }
            }
            _ => {}
        }
    }
    cuts
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn reduced(sql: &str, holds: impl Fn(&str) -> bool) -> String {
        let result =
            reduce(sql, |some| Ok::<_, Infallible>(some.iter().position(|candidate| holds(candidate))));
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
    fn candidates_are_smaller() {
        let sql = "insert into t select a , b from ( select 1 ) x";
        let found = candidates(sql);
        assert!(found.len() > 10);
        assert!(found.iter().all(|candidate| candidate.len() < sql.len()));
    }
}
