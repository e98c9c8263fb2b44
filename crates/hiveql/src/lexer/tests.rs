use super::*;

/// What Hive's own lexers say.
const TOKENS: &str = include_str!("tokens.tsv");

const MODES: [(&str, QuotedIdentifiers); 3] = [
    ("none", QuotedIdentifiers::None),
    ("column", QuotedIdentifiers::Column),
    ("standard", QuotedIdentifiers::Standard),
];

fn tokens(text: &str, settings: LexerSettings) -> Vec<Token> {
    let mut lexer = Lexer::new(text).with_settings(settings);
    let mut tokens = Vec::new();
    loop {
        let token = lexer.next_token();
        if token.kind == TokenKind::Eof {
            assert_eq!(lexer.next_token(), token, "the end stays the end");
            return tokens;
        }
        tokens.push(token);
    }
}

fn is_refused(kind: TokenKind) -> bool {
    use TokenKind::{Unknown, UnterminatedComment, UnterminatedQuoted, UnterminatedString};
    matches!(kind, Unknown | UnterminatedString | UnterminatedQuoted | UnterminatedComment)
}

/// The tokens as the table writes them.
fn written(text: &str, settings: LexerSettings) -> String {
    let tokens = tokens(text, settings);
    if tokens.iter().any(|token| is_refused(token.kind)) {
        return "refused".to_owned();
    }
    let mut words = Vec::new();
    let mut in_hint = false;
    for token in tokens {
        in_hint &= token.kind != TokenKind::HintEnd;
        match token.kind {
            _ if in_hint => {}
            TokenKind::HintStart | TokenKind::HintEnd => words.push(format!("{:?}", token.kind)),
            TokenKind::Keyword(_) => words.push(format!("Keyword({})", token.span.text(text))),
            kind => words.push(format!("{kind:?}({})", token.span.text(text))),
        }
        in_hint |= token.kind == TokenKind::HintStart;
    }
    if words.is_empty() { "nothing".to_owned() } else { words.join(" ") }
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next().unwrap() {
                'n' => plain.push('\n'),
                'r' => plain.push('\r'),
                't' => plain.push('\t'),
                'u' => {
                    let digits: String =
                        letters.by_ref().skip(1).take_while(|letter| *letter != '}').collect();
                    plain.push(char::from_u32(u32::from_str_radix(&digits, 16).unwrap()).unwrap());
                }
                other => plain.push(other),
            },
            _ => plain.push(letter),
        }
    }
    plain
}

/// Whether a line of the table that is for `settings` speaks of this mode and version.
fn applies(settings: &str, mode: &str, version: HiveVersion) -> bool {
    let words: Vec<&str> = settings.split(' ').collect();
    let is_version = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    let (versions, modes): (Vec<&str>, Vec<&str>) = words.into_iter().partition(is_version);
    (modes.contains(&"any") || modes.contains(&mode))
        && (versions.is_empty() || versions.contains(&version.as_str()))
}

#[test]
fn texts_are_cut_as_hive_cuts_them() {
    let lines: Vec<[&str; 3]> = TOKENS
        .lines()
        .filter(|line| !line.starts_with("# "))
        .map(|line| line.split('\t').collect::<Vec<_>>().try_into().unwrap())
        .collect();
    assert!(lines.len() > 400);
    for [text, settings, general] in &lines {
        if *settings != "any" {
            continue;
        }
        for version in HiveVersion::ALL {
            for (mode, quoted_identifiers) in MODES {
                let special = lines
                    .iter()
                    .find(|line| line[0] == *text && line[1] != "any" && applies(line[1], mode, version));
                let expected = special.map_or(*general, |line| line[2]);
                let found = written(&unescaped(text), LexerSettings { version, quoted_identifiers });
                assert_eq!(found, unescaped(expected), "`{text}` in Hive {version} with {mode}");
            }
        }
    }
}

#[test]
fn hints_are_tokens() {
    use TokenKind::{
        Comma, HintEnd, HintStart, Identifier, Keyword as Word, LeftParenthesis, RightParenthesis,
    };
    let text = "select /*+ mapjoin(a, b) -- c\n /* d */ */ x";
    let kinds = |text| -> Vec<TokenKind> {
        tokens(text, LexerSettings::default()).into_iter().map(|token| token.kind).collect()
    };
    assert_eq!(
        kinds("select /*+ mapjoin(a, b) -- c\n */ x"),
        [
            Word(Keyword::Select),
            HintStart,
            Word(Keyword::Mapjoin),
            LeftParenthesis,
            Identifier,
            Comma,
            Identifier,
            RightParenthesis,
            HintEnd,
            Identifier,
        ]
    );
    assert_eq!(kinds(text), [Word(Keyword::Select), Identifier], "a comment inside makes the hint one");
    assert_eq!(kinds("/*+ 'a */ b"), [HintStart, TokenKind::UnterminatedString, HintEnd, Identifier]);
    assert_eq!(kinds("/*+ a"), [TokenKind::UnterminatedComment]);
}

#[test]
fn mistakes_have_their_place() {
    for (text, kind, place) in [
        ("select 'a", TokenKind::UnterminatedString, "'a"),
        ("select 'a''b", TokenKind::UnterminatedString, "'b"),
        ("select \"a\\", TokenKind::UnterminatedString, "\"a\\"),
        ("select `a", TokenKind::UnterminatedQuoted, "`a"),
        ("select /* a", TokenKind::UnterminatedComment, "/* a"),
        ("select é", TokenKind::Unknown, "é"),
        ("select a😀b", TokenKind::Unknown, "😀"),
        ("select 1.2ex", TokenKind::Unknown, "1.2ex"),
        ("select @a", TokenKind::Unknown, "@"),
        ("select ``", TokenKind::Unknown, "``"),
        ("select $keys", TokenKind::Unknown, "$keys"),
    ] {
        let tokens = tokens(text, LexerSettings::default());
        let mistake = tokens.iter().find(|token| is_refused(token.kind)).unwrap();
        assert_eq!((mistake.kind, mistake.span.text(text)), (kind, place), "{text}");
    }
}

#[test]
fn reading_can_start_anywhere_between_tokens() {
    let text = "select a, 'b' /* c */ from `d` where x <=> 1.5e3BD";
    let all = tokens(text, LexerSettings::default());
    for (index, token) in all.iter().enumerate() {
        let mut lexer = Lexer::at(text, token.span.start);
        let rest: Vec<Token> = all[index..].iter().map(|_| lexer.next_token()).collect();
        assert_eq!(rest, all[index..]);
    }
    assert_eq!(Lexer::at(text, 10_000).next_token().kind, TokenKind::Eof);
}

/// Each text once made a lexer somewhere look through the rest again and again, or panic.
#[test]
fn hostile_texts_take_linear_time_and_keep_their_order() {
    for pattern in [
        "'", "\"", "`", "\\'", "/*", "/*+", "*/", "/*+ '", "--", "1e+", "1.2e", "$k", "\0", "é", "ſ", "_",
        "0x", "``a", "\r", "9", "a", "'a'", "'\\", "fast-", "\u{FEFF}", "/*+*/", "/*/**/",
    ] {
        let text = pattern.repeat((1 << 16) / pattern.len());
        for (_, quoted_identifiers) in MODES {
            let settings = LexerSettings { quoted_identifiers, ..LexerSettings::default() };
            let mut end = 0;
            for token in tokens(&text, settings) {
                assert!(end <= token.span.start && token.span.start < token.span.end, "{pattern:?}");
                assert!(text.is_char_boundary(token.span.end as usize), "{pattern:?}");
                end = token.span.end;
            }
            assert!(end as usize <= text.len());
        }
    }
}
