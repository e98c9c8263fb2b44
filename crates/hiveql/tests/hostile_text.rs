//! What holds for any text at all, tried on random ones made of what the readers look at.

use guardbee_hiveql::command::ClientCommand;
use guardbee_hiveql::lexer::{Lexer, LexerSettings, QuotedIdentifiers};
use guardbee_hiveql::literal::{
    decode_character_set_literal, quote_name, quote_string, unescape_string, unquote_name,
};
use guardbee_hiveql::script::{PieceKind, Script};
use guardbee_hiveql::token::TokenKind;
use guardbee_hiveql::variables::{VariableNamespace, Variables};
use guardbee_model::{HiveVersion, Span};

const TEXTS: usize = 20_000;

const PARTS: [&str; 96] = [
    "'",
    "\"",
    "`",
    "\\",
    "-",
    "--",
    "/",
    "/*",
    "*/",
    "/*+",
    "*",
    "+",
    ".",
    ";",
    ";",
    "\\;",
    ",",
    "(",
    ")",
    "{",
    "}",
    "${",
    "${a}",
    "${b}",
    "${c}",
    "${o}",
    "a}",
    "${d}",
    "${e}",
    "${l}",
    "${nope}",
    "$",
    "$key$",
    "<",
    "=",
    ">",
    "!",
    "|",
    "&",
    "~",
    "%",
    "?",
    "@",
    "#",
    "_",
    "1",
    "59",
    "a",
    "e",
    "bd",
    "L",
    "k",
    "x",
    "0x",
    "1e",
    ".5",
    "é",
    "ſ",
    "ı",
    "\u{FEFF}",
    "\0",
    "😀",
    "set",
    "reset",
    "add",
    "jar",
    "list",
    "delete",
    "from",
    "dfs",
    "compile",
    "quit",
    "source",
    "!connect",
    "!sh",
    "llap",
    "cluster",
    "show",
    "processlist",
    "fast-",
    "cherry-pick",
    "\\u0041",
    "\\ud83d",
    "\\101",
    "hivevar:",
    "x=1",
    "time zone",
    "-v",
    "-d",
    "role",
    "``",
    "''",
    "0xAB",
    "_utf8",
    "select",
    "div",
];

const SPACES: [&str; 7] = [" ", "\n", "\t", "\r", "", "", ""];

/// Marsaglia's xorshift: the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn text(&mut self) -> String {
        (0..self.below(14))
            .map(|_| PARTS[self.below(PARTS.len())].to_owned() + SPACES[self.below(SPACES.len())])
            .collect()
    }
}

fn texts() -> impl Iterator<Item = String> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    (0..TEXTS).map(move |_| random.text())
}

#[test]
fn tokens_follow_each_other_and_end_at_characters() {
    let modes = [QuotedIdentifiers::None, QuotedIdentifiers::Column, QuotedIdentifiers::Standard];
    for text in texts() {
        for version in [HiveVersion::V2_3, HiveVersion::V4_2] {
            for quoted_identifiers in modes {
                let settings = LexerSettings { version, quoted_identifiers };
                let mut lexer = Lexer::new(&text).with_settings(settings);
                let mut end = 0;
                while let token = lexer.next_token()
                    && token.kind != TokenKind::Eof
                {
                    assert!(end <= token.span.start && token.span.start < token.span.end, "{text:?}");
                    assert!(text.is_char_boundary(token.span.start as usize), "{text:?}");
                    assert!(text.is_char_boundary(token.span.end as usize), "{text:?}");
                    end = token.span.end;
                }
            }
        }
    }
}

#[test]
fn pieces_follow_each_other() {
    for text in texts() {
        let mut end = 0;
        for piece in Script::new(&text) {
            assert_eq!(piece.span.text(&text), piece.text);
            assert!(!piece.text.is_empty() && end <= piece.span.start, "{text:?}");
            end = piece.span.end;
            let command = ClientCommand::parse(piece.text);
            assert_eq!(command.map_or(PieceKind::Statement, PieceKind::Command), piece.kind, "{text:?}");
        }
    }
}

#[test]
fn the_words_of_commands_come_to_an_end() {
    for text in texts() {
        for command in ["add jar ", "reset ", "dfs "] {
            let text = format!("{command}{text}");
            let words = match ClientCommand::parse(&text) {
                Some(ClientCommand::Add(command)) => command.paths.words().count(),
                Some(ClientCommand::Reset(command)) => command.keys().count(),
                Some(ClientCommand::Dfs(arguments)) => {
                    arguments.words().count().max(arguments.quoted_words().count())
                }
                _ => 0,
            };
            assert!(words <= text.len(), "{text:?}");
        }
    }
}

#[test]
fn any_value_can_be_written_as_a_literal_and_any_name_quoted() {
    for text in texts() {
        assert_eq!(unescape_string(&quote_string(&text)), text);
        assert_eq!(unquote_name(&quote_name(&text)), text);
        assert!(unescape_string(&text).len() <= 3 * text.len());
        assert!(
            decode_character_set_literal("_utf8", &text).is_none_or(|value| value.len() <= text.len() * 3)
        );
    }
}

#[test]
fn places_in_a_substituted_text_lead_into_the_text() {
    let mut variables = Variables::new();
    for (key, value) in
        [("a", "1"), ("b", "${a}${a}"), ("c", ""), ("o", "${"), ("d", "}"), ("e", "é${a}"), ("l", "${l}x")]
    {
        variables.define(VariableNamespace::HiveVar, key, value);
    }
    for text in texts() {
        let substitution = variables.substitute(&text);
        let end = u32::try_from(substitution.text.len()).unwrap();
        for start in 0..=end {
            for span in [Span::at(start), Span::new(start, (start + 1).min(end)), Span::new(start, end)] {
                let original = substitution.offsets.original(span);
                assert!(original.start <= original.end, "{text:?} {span:?}");
                assert!(original.end as usize <= text.len(), "{text:?} {span:?}");
            }
        }
        for unresolved in &substitution.unresolved {
            assert!(unresolved.span.text(&text).starts_with("${"), "{text:?} {unresolved:?}");
        }
    }
}
