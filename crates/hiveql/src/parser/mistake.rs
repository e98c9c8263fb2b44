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
    let hint = reserved_word_hint(parser, what).or_else(|| later_version_hint(parser));
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
    let near = nearest(parser.text(), known.map(Keyword::as_str));
    match (near, misspelt_before(parser)) {
        (None, Some((word, meant))) => {
            Box::new(diagnostic.with_hint(format!("did you mean `{meant}` instead of `{word}`?")))
        }
        (near, _) => with_spelling(*diagnostic, near),
    }
}

/// Words that open a clause, and that become an alias when they are misspelt: `SELECT a FORM t`.
const CLAUSES: &[Keyword] = &[
    Keyword::From,
    Keyword::Where,
    Keyword::Group,
    Keyword::Having,
    Keyword::Order,
    Keyword::Sort,
    Keyword::Cluster,
    Keyword::Distribute,
    Keyword::Limit,
    Keyword::Union,
    Keyword::Join,
    Keyword::Left,
    Keyword::Right,
    Keyword::Inner,
    Keyword::Lateral,
];

/// The name before the next token where it looks like a misspelt clause, and the clause.
fn misspelt_before<'p>(parser: &Parser<'p>) -> Option<(&'p str, &'static str)> {
    let word =
        parser.previous().filter(|token| token.kind == TokenKind::Identifier)?.span.text(parser.source);
    let meant = nearest(word, CLAUSES.iter().map(|keyword| keyword.as_str()))?;
    Some((word, meant))
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
        .with_hint(format!("read the statement with `--hive-version {last}`")),
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
        .with_hint(format!("read the statement with `--hive-version {since}`")),
    )
}

fn keyword_of_later_version(parser: &Parser<'_>) -> Option<(Keyword, HiveVersion)> {
    if parser.kind() != TokenKind::Identifier {
        return None;
    }
    let keyword = Keyword::lookup(parser.text())?;
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
    let is_name = what.ends_with("name") || what.contains("name of");
    let word = parser.text();
    match parser.kind() {
        TokenKind::Keyword(_) if is_name => {
            Some(format!("`{word}` is a reserved word; in backticks it is a name: `` `{word}` ``"))
        }
        _ => None,
    }
}

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
