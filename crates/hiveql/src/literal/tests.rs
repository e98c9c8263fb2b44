use super::*;

#[test]
fn string_literals_are_decoded_as_hive_does() {
    // The values are those of Hive 2.3 to 4.2; half characters are replaced.
    for (raw, value) in [
        ("'a'", "a"),
        ("\"a\"", "a"),
        ("''", ""),
        ("'a''b'", "ab"),
        ("'a'\"b\"", "ab"),
        ("'a' x 'b'", "ab"),
        (r"'it\'s'", "it's"),
        (r#"'\"'"#, "\""),
        (r"'\n\r\t\b\Z\0'", "\n\r\t\u{8}\u{1A}\0"),
        (r"'\\'", "\\"),
        (r"'100\% \_'", r"100\% \_"),
        (r"'\x\y'", "xy"),
        (r"'\101\177'", "A\u{7F}"),
        (r"'\200'", "200"),
        (r"'\012'", "\n"),
        (r"'\u0041'", "A"),
        (r"'\u00'", "u00"),
        (r"'\uZZZZ'", "\u{EEEF}"),
        (r"'\u00g1'", "\u{FFF1}"),
        (r"'\u12😀'", "\u{11EF}"),
        (r"'\u123😀'", "\u{122F}\u{FFFD}"),
        (r"'\ud83d\ude00'", "😀"),
        (r"'\ud83d'", "\u{FFFD}"),
        (r"'\ude00\ud83dx'", "\u{FFFD}\u{FFFD}x"),
        (r"'\'", "\\"),
        ("'abc", "abc"),
        (r"'\1", r"\1"),
        ("", ""),
        ("abc", ""),
    ] {
        assert_eq!(unescape_string(raw), value, "{raw}");
    }
}

#[test]
fn literals_without_escapes_are_borrowed() {
    assert!(matches!(unescape_string("'a \"b\" é'"), Cow::Borrowed("a \"b\" é")));
    assert!(matches!(unescape_string("\"it's\""), Cow::Borrowed("it's")));
    assert!(matches!(unquote_name("`a b`"), Cow::Borrowed("a b")));
}

#[test]
fn a_quoted_string_means_its_value() {
    for value in [
        "",
        "a",
        "it's",
        "a\\",
        "\\n",
        "100\\%",
        "\0",
        "\u{0}12",
        "\n\r\t\u{8}\u{1A}",
        "\\u0041",
        "😀;",
        "\"",
        "\\'",
    ] {
        let literal = quote_string(value);
        assert_eq!(unescape_string(&literal), value, "{literal}");
    }
}

#[test]
fn names_lose_their_quotes() {
    for (raw, name) in [
        ("a", "a"),
        ("`a`", "a"),
        ("`a``b`", "a`b"),
        ("````", "`"),
        ("``", ""),
        ("`", ""),
        ("`A \"b\"`", "A \"b\""),
        ("\"a\"\"b\"", "a\"b"),
        ("\"a`\"", "a`"),
    ] {
        assert_eq!(unquote_name(raw), name, "{raw}");
    }
    for name in ["a", "a b", "a`b", "`", "``a", "é"] {
        assert_eq!(unquote_name(&quote_name(name)), name);
    }
}

#[test]
fn character_sets_are_decoded_as_hive_does() {
    for (name, raw, value) in [
        ("_utf8", "0x41", Some("A")),
        ("_UTF-8", "0XC3A9", Some("é")),
        ("_utf8", "0xFF41", Some("\u{FFFD}A")),
        ("_utf8", "0x4", None),
        ("_utf8", "0x", Some("")),
        ("_latin1", "0xE9", Some("é")),
        ("_ISO-8859-1", "0xE9", Some("é")),
        ("_US-ASCII", "0xE9", Some("\u{FFFD}")),
        ("_utf16", "0x0041", Some("A")),
        ("_utf16", "0xFEFF0041", Some("A")),
        ("_utf16", "0xFFFE4100", Some("A")),
        ("_UTF-16LE", "0x4100", Some("A")),
        ("_UTF-16", "0x41", Some("\u{FFFD}")),
        ("_nope", "0x41", None),
    ] {
        assert_eq!(decode_character_set_literal(name, raw).as_deref(), value, "{name} {raw}");
    }
}
