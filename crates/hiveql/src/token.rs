//! The tokens of HiveQL.
//!
//! Tokens are kinds and positions only; what they mean is read from the text when somebody asks.

use guardbee_model::Span;

use crate::keyword::Keyword;

/// One token. White space and comments lie between tokens and have none of their own.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// What a token is.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// The end of the text. The lexer says so again each time it is asked.
    Eof,
    /// An unquoted word that is no keyword of any version. May start with a digit (`1a`).
    Identifier,
    /// A word that is a keyword in some version; `!` is the keyword NOT, as Hive has it.
    Keyword(Keyword),
    /// A name in backticks or, under [`QuotedIdentifiers::Standard`](crate::lexer::QuotedIdentifiers),
    /// in double quotes.
    QuotedIdentifier,
    /// One or more string literals that touch each other (`'a'"b"`), in single or double quotes.
    String,
    /// `_utf8`: the character set of the literal that follows.
    CharSetName,
    /// `0x41`.
    CharSetLiteral,
    /// Digits.
    Integer,
    /// Digits with the suffix `L`, `S` or `Y`.
    IntegerSuffixed,
    /// A number with a point or an exponent.
    Decimal,
    /// A number with the suffix `D` or `BD`.
    DecimalSuffixed,
    /// Digits with the suffix `B`, `K`, `M` or `G`.
    ByteLength,
    /// `/*+`. The tokens up to [`TokenKind::HintEnd`] are those of the hint.
    HintStart,
    /// The `*/` that ends a hint.
    HintEnd,
    Dot,
    Colon,
    Comma,
    Semicolon,
    LeftParenthesis,
    RightParenthesis,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    /// `=` or `==`.
    Equal,
    /// `<=>`.
    NullSafeEqual,
    /// `<>` or `!=`.
    NotEqual,
    LessOrEqual,
    Less,
    GreaterOrEqual,
    Greater,
    Slash,
    Plus,
    Minus,
    Star,
    Percent,
    Ampersand,
    Tilde,
    Pipe,
    /// `||`.
    Concatenate,
    Caret,
    /// `?`, a parameter of a prepared statement.
    Question,
    Dollar,
    /// Something that is no token, such as `@`, a letter outside ASCII or the number `1.2e`.
    Unknown,
    /// A string literal that the text ends in.
    UnterminatedString,
    /// A quoted name that the text ends in.
    UnterminatedQuoted,
    /// A block comment or hint that the text ends in.
    UnterminatedComment,
}

impl TokenKind {
    /// The keyword, where it is one.
    #[must_use]
    pub const fn keyword(self) -> Option<Keyword> {
        match self {
            Self::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// The kind as an error message calls it: a keyword in upper case, a sign in backticks.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Eof => "end of statement",
            Self::Identifier | Self::QuotedIdentifier => "name",
            Self::Keyword(keyword) => keyword.as_str(),
            Self::String => "string",
            Self::CharSetName => "character set name",
            Self::CharSetLiteral => "character set literal",
            Self::Integer | Self::IntegerSuffixed => "integer",
            Self::Decimal | Self::DecimalSuffixed => "number",
            Self::ByteLength => "byte length",
            Self::HintStart => "`/*+`",
            Self::HintEnd => "`*/`",
            Self::Dot => "`.`",
            Self::Colon => "`:`",
            Self::Comma => "`,`",
            Self::Semicolon => "`;`",
            Self::LeftParenthesis => "`(`",
            Self::RightParenthesis => "`)`",
            Self::LeftBracket => "`[`",
            Self::RightBracket => "`]`",
            Self::LeftBrace => "`{`",
            Self::RightBrace => "`}`",
            Self::Equal => "`=`",
            Self::NullSafeEqual => "`<=>`",
            Self::NotEqual => "`<>`",
            Self::LessOrEqual => "`<=`",
            Self::Less => "`<`",
            Self::GreaterOrEqual => "`>=`",
            Self::Greater => "`>`",
            Self::Slash => "`/`",
            Self::Plus => "`+`",
            Self::Minus => "`-`",
            Self::Star => "`*`",
            Self::Percent => "`%`",
            Self::Ampersand => "`&`",
            Self::Tilde => "`~`",
            Self::Pipe => "`|`",
            Self::Concatenate => "`||`",
            Self::Caret => "`^`",
            Self::Question => "`?`",
            Self::Dollar => "`$`",
            Self::Unknown => "unknown character",
            Self::UnterminatedString => "unterminated string",
            Self::UnterminatedQuoted => "unterminated quoted name",
            Self::UnterminatedComment => "unterminated comment",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stay_small() {
        assert!(size_of::<Token>() <= 12);
        assert_eq!(size_of::<TokenKind>(), 2);
    }
}
