//! Splits a statement into rough tokens, so that it can be mutated and reduced. Deliberately knows less than the lexer under test:
//! it only has to put the text together again.

/// A token and the blanks and comments before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub space: &'a str,
    pub text: &'a str,
}

impl Token<'_> {
    /// Starts like a name, a keyword or a number.
    #[must_use]
    pub fn is_word(&self) -> bool {
        self.text.chars().next().is_some_and(is_word_character)
    }

    #[must_use]
    pub fn is_quoted(&self) -> bool {
        self.text.starts_with(['\'', '"', '`'])
    }
}

/// The tokens of a statement; blanks at its end are dropped.
#[must_use]
pub fn tokens(sql: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut place = 0;
    while place < sql.len() {
        let start = place + space_length(&sql[place..]);
        let end = start + token_length(&sql[start..]);
        if end > start {
            found.push(Token { space: &sql[place..start], text: &sql[start..end] });
        }
        place = end.max(start);
    }
    found
}

/// Puts tokens together again. Words that would run into each other get a blank.
#[must_use]
pub fn join(tokens: &[Token<'_>]) -> String {
    let mut sql = String::new();
    for token in tokens {
        let touches = sql.chars().next_back().is_some_and(is_word_character) && token.is_word();
        if token.space.is_empty() && touches {
            sql.push(' ');
        } else if !(sql.is_empty() && token.space.trim().is_empty()) {
            sql.push_str(token.space);
        }
        sql.push_str(token.text);
    }
    sql
}

const fn is_word_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_' || !character.is_ascii()
}

/// Blanks and comments. A hint (`/*+ ... */`) is no comment.
fn space_length(text: &str) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        let blank = rest.len() - rest.trim_start().len();
        let comment = if rest[blank..].starts_with("--") {
            rest[blank..].find('\n').unwrap_or(rest.len() - blank)
        } else if rest[blank..].starts_with("/*") && !rest[blank..].starts_with("/*+") {
            rest[blank..].find("*/").map_or(rest.len() - blank, |end| end + 2)
        } else {
            0
        };
        if blank + comment == 0 {
            return length;
        }
        length += blank + comment;
    }
}

fn token_length(text: &str) -> usize {
    let Some(first) = text.chars().next() else { return 0 };
    match first {
        '\'' | '"' => quoted_length(text, first),
        '`' => text[1..].find('`').map_or(text.len(), |end| end + 2),
        _ if is_word_character(first) => {
            text.find(|character| !is_word_character(character)).unwrap_or(text.len())
        }
        _ => ["<=>", "/*+", "<=", ">=", "<>", "!=", "==", "||", "*/"]
            .iter()
            .find(|operator| text.starts_with(**operator))
            .map_or(first.len_utf8(), |operator| operator.len()),
    }
}

fn quoted_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (place, character) in text.char_indices().skip(1) {
        if character == quote && !escaped {
            return place + 1;
        }
        escaped = character == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_comes_apart_and_together() {
        let sql = "select a.`b c`, 'it\\'s', 1.5 -- why\nfrom t /* here */ where x<=>\"y\"";
        let found = tokens(sql);
        let texts: Vec<&str> = found.iter().map(|token| token.text).collect();
        assert_eq!(
            texts,
            [
                "select", "a", ".", "`b c`", ",", "'it\\'s'", ",", "1", ".", "5", "from", "t", "where", "x",
                "<=>", "\"y\""
            ]
        );
        assert_eq!(join(&found), sql);
    }

    #[test]
    fn unfinished_quotes_and_comments_end_with_the_text() {
        for sql in ["'abc", "`abc", "\"a\\", "/* a", "-- a", "é'"] {
            assert!(tokens(sql).len() <= 2, "{sql}");
        }
    }

    #[test]
    fn words_never_run_into_each_other() {
        let words =
            [Token { space: "", text: "a" }, Token { space: "", text: "b" }, Token { space: "", text: "(" }];
        assert_eq!(join(&words), "a b(");
    }
}
