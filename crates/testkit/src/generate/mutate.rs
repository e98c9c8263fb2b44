//! Statements with one or two mistakes in them, most of which Hive refuses. What it takes all the same is worth as much.

use std::sync::LazyLock;

use super::Random;
use super::tokens::{Token, join, tokens};

static KEYWORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let lines = include_str!("../../data/keywords.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// The statement with tokens deleted, doubled, swapped or replaced by a keyword or by another token of it.
#[must_use]
pub fn mutate(sql: &str, random: &mut Random) -> String {
    let mut found = tokens(sql);
    let times = random.weighted(&[0, 70, 22, 8]);
    for _ in 0..times {
        if !found.is_empty() {
            change(&mut found, random);
        }
    }
    join(&found)
}

fn change(found: &mut Vec<Token<'_>>, random: &mut Random) {
    let place = random.below(found.len());
    let other = *random.pick(found);
    let keyword = random.text(&KEYWORDS);
    match random.below(8) {
        0 | 1 => {
            found.remove(place);
        }
        2 => found.insert(place, found[place]),
        3 => {
            let next = (place + 1) % found.len();
            let (one, two) = (found[place].text, found[next].text);
            (found[place].text, found[next].text) = (two, one);
        }
        4 => found[place].text = keyword,
        5 => found[place].text = other.text,
        6 => found.insert(place, Token { space: " ", text: keyword }),
        _ => replace_alike(found, place, keyword, random),
    }
}

/// A word for a word and a sign for a sign: what is left is more likely to be taken.
fn replace_alike(found: &mut [Token<'_>], place: usize, keyword: &'static str, random: &mut Random) {
    let is_word = found[place].is_word();
    let alike =
        found.iter().rev().find(|token| token.is_word() == is_word && token.text != found[place].text);
    let text = alike.map_or(keyword, |token| token.text);
    found[place].text = if is_word && random.percent(50) { keyword } else { text };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_differ_from_the_statement_and_from_each_other() {
        let sql =
            "insert overwrite table t partition (ds='1') select a.key, count(*) from src a group by a.key";
        let mut random = Random::new(4);
        let mut drawn: Vec<String> = (0..100).map(|_| mutate(sql, &mut random)).collect();
        drawn.sort();
        drawn.dedup();
        assert!(drawn.len() > 80, "{}", drawn.len());
        assert!(drawn.iter().filter(|mutation| *mutation == sql).count() <= 1);
    }

    #[test]
    fn nothing_is_left_of_nothing() {
        assert_eq!(mutate("", &mut Random::new(1)), "");
    }
}
