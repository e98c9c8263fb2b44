//! Saying what is wrong with a text, so that a person can mend it.

use guardbee_model::{Diagnostic, DiagnosticCode, HiveVersion, Span, nearest};

use super::Parser;
use crate::keyword::Keyword;
use crate::token::TokenKind;

pub(super) fn unexpected(parser: &Parser<'_>, what: &str) -> Box<Diagnostic> {
    let token = parser.token();
    let diagnostic = match token.kind {
        TokenKind::UnterminatedString => unterminated(token.span, "string", quote(parser)),
        TokenKind::UnterminatedQuoted => unterminated(token.span, "quoted name", quote(parser)),
        TokenKind::UnterminatedComment => unterminated(token.span, "comment", "*/"),
        TokenKind::Eof => Diagnostic::error(
            DiagnosticCode::SYNTAX,
            token.span,
            format!("the statement ends where {what} was expected"),
        ),
        _ => Diagnostic::error(
            DiagnosticCode::SYNTAX,
            token.span,
            format!("expected {what}, found `{}`", shortened(parser.text())),
        ),
    };
    let hint = reserved_word_hint(parser, what)
        .or_else(|| later_version_hint(parser))
        .or_else(|| lateral_view_hint(parser))
        .or_else(|| misread_alias_hint(parser));
    Box::new(match hint {
        Some(hint) => diagnostic.with_hint(hint),
        None => diagnostic,
    })
}

pub(super) fn expected_keywords(parser: &Parser<'_>, keywords: &[Keyword]) -> Box<Diagnostic> {
    let names: Vec<String> = keywords.iter().map(|keyword| format!("`{}`", keyword.as_str())).collect();
    let diagnostic = *unexpected(parser, &one_of(&names));
    let near = nearest(parser.text(), keywords.iter().map(|keyword| keyword.as_str()));
    with_spelling(diagnostic, near)
}

/// Something of a long list was expected: `what` stands for it, and a misspelt word is still recognized.
pub(super) fn expected_among(parser: &Parser<'_>, what: &str, keywords: &[Keyword]) -> Box<Diagnostic> {
    match keyword_of_later_version(parser) {
        Some((keyword, since)) if keywords.contains(&keyword) => {
            let word = format!("`{}`", keyword.as_str());
            needs_version(parser, &word, since, parser.token().span)
        }
        _ => {
            let near = nearest(parser.text(), keywords.iter().map(|keyword| keyword.as_str()));
            with_spelling(*unexpected(parser, what), near)
        }
    }
}

/// The statement could end here, but something else stands there.
pub(super) fn expected_end(parser: &Parser<'_>) -> Box<Diagnostic> {
    let diagnostic = unexpected(parser, "the end of the statement");
    let may_be_misspelt = parser.kind() == TokenKind::Identifier && diagnostic.hint.is_none();
    if !may_be_misspelt {
        return diagnostic;
    }
    let known = Keyword::all().filter(|keyword| keyword.is_known_in(parser.version()));
    let near = nearest_clause(parser.text()).or_else(|| nearest(parser.text(), known.map(Keyword::as_str)));
    with_spelling(*diagnostic, near)
}

fn with_spelling(diagnostic: Diagnostic, near: Option<&str>) -> Box<Diagnostic> {
    Box::new(match near {
        Some(name) => diagnostic.with_hint(format!("did you mean `{name}`?")),
        None => diagnostic,
    })
}

/// What Hive had up to version `last`.
pub(super) fn gone_since(parser: &Parser<'_>, what: &str, last: HiveVersion, span: Span) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(
            DiagnosticCode::VERSION,
            span,
            format!("{what} is not part of Hive {} any more; Hive {last} had it last", parser.version()),
        )
        .with_hint(format!("Hive {last} reads it")),
    )
}

pub(super) fn needs_version(
    parser: &Parser<'_>,
    what: &str,
    since: HiveVersion,
    span: Span,
) -> Box<Diagnostic> {
    Box::new(
        Diagnostic::error(
            DiagnosticCode::VERSION,
            span,
            format!("{what} is not part of Hive {}; it came with Hive {since}", parser.version()),
        )
        .with_hint(format!("Hive {since} reads it")),
    )
}

fn keyword_of_later_version(parser: &Parser<'_>) -> Option<(Keyword, HiveVersion)> {
    if parser.kind() != TokenKind::Identifier {
        return None;
    }
    later_keyword(parser, parser.text())
}

/// The keyword that the word will be, and the first later version in which it is.
fn later_keyword(parser: &Parser<'_>, word: &str) -> Option<(Keyword, HiveVersion)> {
    let keyword = Keyword::lookup(word).filter(|keyword| !keyword.is_known_in(parser.version()))?;
    let knows = |version: &HiveVersion| *version > parser.version() && keyword.is_known_in(*version);
    let since = HiveVersion::ALL.into_iter().find(knows)?;
    Some((keyword, since))
}

fn unterminated(span: Span, what: &str, end: &str) -> Diagnostic {
    Diagnostic::error(DiagnosticCode::UNTERMINATED, span, format!("the {what} that starts here does not end"))
        .with_hint(format!("close it with `{end}`"))
}

/// The quote that the next token opens with.
fn quote<'p>(parser: &Parser<'p>) -> &'p str {
    parser.text().get(..1).unwrap_or_default()
}

fn reserved_word_hint(parser: &Parser<'_>, what: &str) -> Option<String> {
    let word = parser.text();
    let is_meant_as_name = match what {
        "an alias" | "an expression" => is_followed_as_a_name_is(parser),
        _ => what.ends_with("name") || what.contains("name of"),
    };
    match parser.kind() {
        TokenKind::Keyword(_) if is_meant_as_name => {
            Some(format!("`{word}` is a reserved word; in backticks it is a name: `` `{word}` ``"))
        }
        _ => None,
    }
}

/// Would the token behind the next one fit if that were a column?
fn is_followed_as_a_name_is(parser: &Parser<'_>) -> bool {
    matches!(
        parser.known_next(),
        Some(
            TokenKind::Eof
                | TokenKind::Comma
                | TokenKind::RightParenthesis
                | TokenKind::Equal
                | TokenKind::NotEqual
                | TokenKind::Keyword(Keyword::From | Keyword::As | Keyword::Is | Keyword::In)
        )
    )
}

/// Other systems take it at the end of `FROM`.
fn lateral_view_hint(parser: &Parser<'_>) -> Option<String> {
    let is_lateral = parser.kind() == TokenKind::Keyword(Keyword::Lateral);
    is_lateral.then(|| "`LATERAL VIEW` stands right behind a table, before `ON` and `WHERE`".to_owned())
}

/// A word that was taken for an alias although it was meant as a keyword: misspelt, or of a later version.
fn misread_alias_hint(parser: &Parser<'_>) -> Option<String> {
    let alias = parser.alias_before()?;
    if let Some((keyword, since)) = later_keyword(parser, alias) {
        return Some(format!("`{}` is a keyword from Hive {since} on", keyword.as_str()));
    }
    let missing = match Keyword::lookup(alias) {
        Some(Keyword::Limit) => "a number must follow the keyword",
        Some(Keyword::Sort | Keyword::Cluster | Keyword::Distribute) => "`BY` must follow the keyword",
        _ => {
            let meant = nearest_clause(alias)?;
            return Some(format!("did you mean `{meant}` instead of `{alias}`?"));
        }
    };
    Some(format!("`{alias}` was read as an alias; {missing}"))
}

/// The word that starts a clause, or joins two tables, and differs from this one by a slip.
fn nearest_clause(word: &str) -> Option<&'static str> {
    nearest(word, CLAUSES.iter().map(|keyword| keyword.as_str()))
}

const CLAUSES: [Keyword; 25] = [
    Keyword::From,
    Keyword::Where,
    Keyword::Group,
    Keyword::Order,
    Keyword::Having,
    Keyword::Limit,
    Keyword::Join,
    Keyword::Left,
    Keyword::Right,
    Keyword::Full,
    Keyword::Inner,
    Keyword::Cross,
    Keyword::Lateral,
    Keyword::Union,
    Keyword::Except,
    Keyword::Intersect,
    Keyword::Insert,
    Keyword::Select,
    Keyword::Window,
    Keyword::Qualify,
    Keyword::Using,
    Keyword::Cluster,
    Keyword::Distribute,
    Keyword::Tablesample,
    Keyword::Values,
];

fn later_version_hint(parser: &Parser<'_>) -> Option<String> {
    let (keyword, since) = keyword_of_later_version(parser)?;
    Some(format!("`{}` is a keyword from Hive {since} on", keyword.as_str()))
}

/// `a`, `b` or `c`.
fn one_of(names: &[String]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}
