//! Columns in the expressions of row filters and column masks, which are kept as they were written: which of
//! them an expression names, and the expression with another name in the place of one.
//!
//! It goes by words and what stands around them, not by what they resolve to. In a query inside of an expression a
//! name may be any table's; who asks is told so ([`holds_query`]).

use guardbee_hiveql::keyword::Keyword;
use guardbee_hiveql::lexer::Lexer;
use guardbee_hiveql::literal::unquote_name;
use guardbee_hiveql::token::{Token, TokenKind};
use guardbee_model::Name;

use crate::policy_sql;

/// What a mask on a tag calls the column that carries it.
pub(crate) const CARRIER: Name = Name::from_static("value");

/// Does the expression name this column?
pub(crate) fn names_column(expression: &str, column: &Name, table: Option<&Name>) -> bool {
    !places(expression, column, table).is_empty()
}

/// Does the expression ask a query?
pub(crate) fn holds_query(expression: &str) -> bool {
    tokens(expression).iter().any(|token| token.kind.keyword() == Some(Keyword::Select))
}

/// The expression with the column `to` wherever it names the column `from`. With a `table`, names behind the
/// table's own and a dot are columns as well.
pub(crate) fn with_column(expression: &str, from: &Name, to: &Name, table: Option<&Name>) -> String {
    let mut text = String::with_capacity(expression.len());
    let mut copied = 0;
    for place in places(expression, from, table) {
        let (start, end) = (place.span.start as usize, place.span.end as usize);
        text.push_str(expression.get(copied..start).unwrap_or_default());
        text.push_str(&policy_sql::name(to.as_str()));
        copied = end;
    }
    text.push_str(expression.get(copied..).unwrap_or_default());
    text
}

fn places(expression: &str, column: &Name, table: Option<&Name>) -> Vec<Token> {
    let tokens = tokens(expression);
    let at = |place: Option<usize>| place.and_then(|place| tokens.get(place).copied());
    let names = |token: Token, name: &Name| is_word(token) && name_in(expression, token) == *name;
    let is_column = |place: usize, token: Token| {
        let (before, behind) = (at(place.checked_sub(1)), at(place.checked_add(1)));
        match before.map(|before| before.kind) {
            Some(TokenKind::Dot) => {
                let owner = at(place.checked_sub(2));
                table.is_some_and(|table| owner.is_some_and(|owner| names(owner, table)))
            }
            before => token.kind == TokenKind::QuotedIdentifier || !is_used_up(token, before, behind),
        }
    };
    let found =
        tokens.iter().enumerate().filter(|&(place, &token)| names(token, column) && is_column(place, token));
    found.map(|(_, token)| *token).collect()
}

/// Is a word the name of a function, a type, or the unit or beginning of a literal?
fn is_used_up(word: Token, before: Option<TokenKind>, behind: Option<Token>) -> bool {
    let behind = behind.map(|token| token.kind);
    let is_keyword = word.kind.keyword().is_some();
    let is_type = || before.and_then(TokenKind::keyword) == Some(Keyword::As);
    let is_unit = || {
        matches!(before, Some(TokenKind::String | TokenKind::Integer))
            || behind.and_then(TokenKind::keyword) == Some(Keyword::From)
    };
    behind == Some(TokenKind::LeftParenthesis)
        || is_type()
        || is_keyword && (behind == Some(TokenKind::String) || is_unit())
}

const fn is_word(token: Token) -> bool {
    matches!(token.kind, TokenKind::Identifier | TokenKind::QuotedIdentifier | TokenKind::Keyword(_))
}

fn name_in(expression: &str, token: Token) -> Name {
    let raw = expression.get(token.span.start as usize..token.span.end as usize).unwrap_or_default();
    Name::fold(&unquote_name(raw))
}

fn tokens(expression: &str) -> Vec<Token> {
    let mut lexer = Lexer::new(expression);
    std::iter::from_fn(|| Some(lexer.next_token()).filter(|token| token.kind != TokenKind::Eof)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn renamed(expression: &str, from: &str, to: &str) -> String {
        with_column(expression, &Name::fold(from), &Name::fold(to), Some(&Name::from_static("t")))
    }

    #[test]
    fn the_word_value_is_the_column() {
        assert_eq!(
            renamed("mask(value, 'value', values, x.value, `VALUE`)", "value", "mail"),
            "mask(mail, 'value', values, x.value, mail)"
        );
        assert_eq!(renamed("value(value)", "value", "e mail"), "value(`e mail`)");
    }

    #[test]
    fn a_column_is_named_with_its_table_as_well() {
        assert_eq!(renamed("T.a = u.a AND a.b > 1", "a", "c"), "T.c = u.a AND c.b > 1");
    }

    #[test]
    fn words_of_literals_and_types_are_no_columns() {
        for kept in
            ["date '2020-01-01'", "CAST(x AS date)", "INTERVAL '1' day", "EXTRACT(day FROM x)", "date(x)"]
        {
            assert_eq!(renamed(&renamed(kept, "date", "d"), "day", "d"), kept);
        }
        assert_eq!(renamed("date > day", "date", "d"), "d > day");
    }

    #[test]
    fn a_query_is_seen() {
        assert!(holds_query("a IN (select b FROM u)"));
        assert!(!holds_query("`select` = 'select'"));
    }
}
