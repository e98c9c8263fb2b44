//! The same statement written otherwise: case of words, blanks, comments.

use super::Random;
use super::tokens::{Token, join, tokens};

/// Writes a statement in another style. Names in Hive do not tell upper from lower case, so that it means the same.
#[must_use]
pub fn restyle(sql: &str, random: &mut Random) -> String {
    let found = tokens(sql);
    let upper = random.percent(60);
    let texts: Vec<String> = found.iter().map(|token| word_in_case(token, upper, random)).collect();
    let spaces: Vec<&str> = found.iter().map(|token| space(token, random)).collect();
    let styled: Vec<Token<'_>> =
        texts.iter().zip(spaces).map(|(text, space)| Token { space, text }).collect();
    join(&styled)
}

fn word_in_case(token: &Token<'_>, upper: bool, random: &mut Random) -> String {
    if !token.is_word() {
        token.text.to_owned()
    } else if upper || random.percent(15) {
        token.text.to_ascii_uppercase()
    } else {
        token.text.to_owned()
    }
}

fn space<'a>(token: &Token<'a>, random: &mut Random) -> &'a str {
    if token.space.is_empty() || random.percent(92) {
        return token.space;
    }
    random.text(&["  ", "\n", "\n\t", " -- a note; 'quoted\n", "\r\n", " \n  "])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_stays() {
        let mut random = Random::new(2);
        for _ in 0..50 {
            let styled = restyle("select `a b`, 'It is' from t where x = \"Y\"", &mut random);
            for quoted in ["`a b`", "'It is'", "\"Y\""] {
                assert!(styled.contains(quoted), "{styled}");
            }
        }
    }
}
