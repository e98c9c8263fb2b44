use super::*;

fn texts(script: &str) -> Vec<&str> {
    Script::new(script)
        .map(|piece| {
            assert_eq!(piece.span.text(script), piece.text);
            piece.text
        })
        .collect()
}

#[test]
fn semicolons_end_pieces() {
    for (script, expected) in [
        ("", vec![]),
        (" ; ;\n;", vec![]),
        ("select 1", vec!["select 1"]),
        ("select 1;select 2 ;", vec!["select 1", "select 2"]),
        ("\u{FEFF}select 1;\r\nselect 2\r\n", vec!["select 1", "select 2"]),
        ("a;\rb", vec!["a", "b"]),
        ("select ';', \";\", `;`; b", vec!["select ';', \";\", `;`", "b"]),
        ("select '\\';', 'it''s;'; b", vec!["select '\\';', 'it''s;'", "b"]),
        ("select `a``;b`; b", vec!["select `a``;b`", "b"]),
        ("select 'a\\\\'; b", vec!["select 'a\\\\'", "b"]),
        ("dfs -ls a\\;b; c", vec!["dfs -ls a\\;b", "c"]),
        ("a\\; b; c", vec!["a\\; b", "c"]),
        ("é;'é;';\u{0};", vec!["é", "'é;'", "\u{0}"]),
    ] {
        assert_eq!(texts(script), expected, "{script:?}");
    }
}

#[test]
fn comments_hide_semicolons_and_quotes() {
    for (script, expected) in [
        ("-- it's; a comment\nselect 1;", vec!["select 1"]),
        ("select 1 -- it's; one\n, 2; b", vec!["select 1 -- it's; one\n, 2", "b"]),
        ("select 1 -- one\r; b", vec!["select 1 -- one", "b"]),
        ("/* it's; */ select /* ; /* ; */ ; */ 1; b", vec!["select /* ; /* ; */ ; */ 1", "b"]),
        ("select '--'; select '/*'; b", vec!["select '--'", "select '/*'", "b"]),
        ("-- only a comment", vec![]),
        ("/* one */ -- two\n # three\n", vec![]),
        ("# it's beeline's\nselect 1", vec!["select 1"]),
        ("select /*+ mapjoin(a) */ 1; b", vec!["select /*+ mapjoin(a) */ 1", "b"]),
        ("/*+ hint */ a; b", vec!["/*+ hint */ a", "b"]),
        ("select 1; -- it's over", vec!["select 1"]),
    ] {
        assert_eq!(texts(script), expected, "{script:?}");
    }
}

#[test]
fn commands_end_at_any_semicolon_outside_of_quotes() {
    for (script, expected) in [
        ("set x=1; select 1", vec!["set x=1", "select 1"]),
        ("set x=1 -- it is one;\nselect 1", vec!["set x=1 -- it is one", "select 1"]),
        ("CRYPTO CREATE_KEY --keyName k;select 1", vec!["CRYPTO CREATE_KEY --keyName k", "select 1"]),
        ("set x=';'; b", vec!["set x=';'", "b"]),
        ("dfs -ls /*; b", vec!["dfs -ls /*", "b"]),
        ("reset; b", vec!["reset", "b"]),
        (
            "compile `a ' \\; \\` ;` AS groovy NAMED b; c",
            vec!["compile `a ' \\; \\` ;` AS groovy NAMED b", "c"],
        ),
        ("compile `a; b", vec!["compile `a; b"]),
    ] {
        assert_eq!(texts(script), expected, "{script:?}");
    }
}

#[test]
fn commands_with_an_exclamation_mark_end_with_their_line() {
    for (script, expected) in [
        ("!ls -l\nselect 1;", vec!["!ls -l", "select 1"]),
        ("!ls; !pwd;\nselect 1;", vec!["!ls", "!pwd", "select 1"]),
        ("!echo 'a;b'; c", vec!["!echo 'a;b'", "c"]),
        ("!echo it's; fine\nselect 'b';", vec!["!echo it's; fine", "select 'b'"]),
        (
            "!connect jdbc:hive2://h:1/d;principal=p me;\nselect 1",
            vec!["!connect jdbc:hive2://h:1/d;principal=p me", "select 1"],
        ),
        ("!", vec!["!"]),
    ] {
        assert_eq!(texts(script), expected, "{script:?}");
    }
}

#[test]
fn an_unclosed_quote_costs_one_statement() {
    for (script, expected) in [
        ("select 'a;\nselect 2;\nselect 3", vec!["select 'a", "select 2", "select 3"]),
        ("select 'a; b\n;\nselect 2", vec!["select 'a; b", "select 2"]),
        ("select `a", vec!["select `a"]),
        ("select /* a;\nselect \"b;  \r\nc", vec!["select /* a", "select \"b", "c"]),
        ("/* a;\nb", vec!["/* a", "b"]),
    ] {
        assert_eq!(texts(script), expected, "{script:?}");
    }
}

#[test]
fn pieces_know_who_runs_them() {
    let kinds: Vec<Option<&str>> = Script::new("set x=1; select 1; set role r; !ls\nquit")
        .map(|piece| match piece.kind {
            PieceKind::Statement => None,
            PieceKind::Command(command) => Some(command.name()),
        })
        .collect();
    assert_eq!(kinds, [Some("SET"), None, None, Some("SHELL"), Some("QUIT")]);
}

/// Each of these once made a reader look through the rest of the text again and again.
#[test]
fn hostile_texts_take_linear_time() {
    for pattern in [
        "';",
        "\\';",
        "set /*;",
        "set --;",
        "/*",
        "`\\;",
        "\"'`;",
        "!echo '\n",
        "compile `;",
        "/*;\n",
        ";",
        "-- '\n",
        "delete /* ;",
        "\\",
        "#",
        "#\n",
        "/*+ ;",
        "a/*;\n'",
    ] {
        let script = pattern.repeat((1 << 18) / pattern.len());
        let covered: usize = Script::new(&script).map(|piece| piece.text.len()).sum();
        assert!(covered <= script.len(), "{pattern:?}");
    }
}

/// Reads a script that comes in pieces of so many bytes.
fn texts_by_parts(script: &str, size: usize) -> Vec<String> {
    let (mut text, mut rest) = (String::new(), script.trim_start_matches('\u{FEFF}'));
    let mut state = Script::new("");
    let mut found = Vec::new();
    loop {
        let mut reader = state.before(&text);
        loop {
            let piece = if rest.is_empty() { reader.next() } else { reader.next_settled() };
            match piece {
                Some(piece) => found.push(piece.text.to_owned()),
                None => break,
            }
        }
        let read = reader.position().min(text.len());
        state = reader.before("");
        if rest.is_empty() {
            return found;
        }
        text.drain(..read);
        let mut end = size.min(rest.len());
        while !rest.is_char_boundary(end) {
            end += 1;
        }
        text.push_str(&rest[..end]);
        rest = &rest[end..];
    }
}

#[test]
fn what_is_settled_stays_whatever_follows() {
    const WORDS: [&str; 24] = [
        "select",
        " ",
        ";",
        "\n",
        "'",
        "\"",
        "`",
        "--",
        "/*",
        "*/",
        "\\",
        "set x=1",
        "dfs -ls /*",
        "!sh ls",
        "!connect a;b",
        "#",
        "é",
        "\r\n",
        "'a;b'",
        "/*+",
        "!",
        "add jar",
        "''",
        ";\n",
    ];
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    for _ in 0..20_000 {
        let script: String = (0..1 + next(40)).map(|_| WORDS[next(WORDS.len())]).collect();
        assert_eq!(texts_by_parts(&script, 1 + next(9)), texts(&script), "{script:?}");
    }
}
