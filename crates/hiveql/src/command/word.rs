//! Telling a command from a statement by its first words.

use crate::blank::{is_space, skip_blank};

/// The word or words that make a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandWord {
    Set,
    Reset,
    Add,
    List,
    Delete,
    Dfs,
    Exclamation,
    Source,
    Compile,
    Reload,
    LlapCluster,
    LlapCache,
    Crypto,
    Erasure,
    ProcessList,
    Quit,
    Help,
}

impl CommandWord {
    /// The command that `text` starts with, if it is none of Hive's statements. Looks no further than
    /// the next semicolon, so that asking this of every piece of a script stays cheap.
    pub(crate) fn detect(text: &str) -> Option<Self> {
        if text.starts_with('!') && !text.starts_with("!=") {
            return Some(Self::Exclamation);
        }
        let first = first_word(text);
        let word = Self::of(first)?;
        let second = || second_word(text, first);
        match word {
            Self::Quit | Self::Help => second().is_empty().then_some(word),
            Self::LlapCluster | Self::LlapCache if first.eq_ignore_ascii_case("llap") => Self::llap(second()),
            Self::ProcessList if first.eq_ignore_ascii_case("show") => {
                second().eq_ignore_ascii_case("processlist").then_some(word)
            }
            Self::Set if second().eq_ignore_ascii_case("autocommit") => None,
            Self::Set if second().eq_ignore_ascii_case("tag") && names_a_tag(text, second()) => None,
            _ if is_statement_word(second()) => None,
            _ => Some(word),
        }
    }

    /// What stands after the command's words, without the space around.
    pub(crate) fn rest(self, text: &str) -> &str {
        if self == Self::Exclamation {
            return text.get(1..).unwrap_or_default().trim_matches(is_space);
        }
        let first = first_word(text);
        let rest = text.get(first.len()..).unwrap_or_default().trim_matches(is_space);
        if first.eq_ignore_ascii_case("llap") {
            return rest.get(first_word(rest).len()..).unwrap_or_default().trim_matches(is_space);
        }
        rest
    }

    fn of(first: &str) -> Option<Self> {
        const WORDS: [(&str, CommandWord); 19] = [
            ("set", CommandWord::Set),
            ("dfs", CommandWord::Dfs),
            ("add", CommandWord::Add),
            ("list", CommandWord::List),
            ("delete", CommandWord::Delete),
            ("reset", CommandWord::Reset),
            ("reload", CommandWord::Reload),
            ("source", CommandWord::Source),
            ("compile", CommandWord::Compile),
            ("llap", CommandWord::LlapCluster),
            ("llap_cluster", CommandWord::LlapCluster),
            ("llap_cache", CommandWord::LlapCache),
            ("crypto", CommandWord::Crypto),
            ("erasure", CommandWord::Erasure),
            ("show", CommandWord::ProcessList),
            ("processlist", CommandWord::ProcessList),
            ("quit", CommandWord::Quit),
            ("exit", CommandWord::Quit),
            ("help", CommandWord::Help),
        ];
        WORDS.iter().find_map(|(word, command)| word.eq_ignore_ascii_case(first).then_some(*command))
    }

    fn llap(second: &str) -> Option<Self> {
        if second.eq_ignore_ascii_case("cluster") {
            Some(Self::LlapCluster)
        } else if second.eq_ignore_ascii_case("cache") {
            Some(Self::LlapCache)
        } else {
            None
        }
    }
}

/// SET ROLE and DELETE FROM are statements. Hive does not look which word stands before.
fn is_statement_word(second: &str) -> bool {
    second.eq_ignore_ascii_case("role") || second.eq_ignore_ascii_case("from")
}

/// `SET TAG pii ... ON t` is a statement of ours; `SET tag` and `SET tag = x` are about a setting of that name.
fn names_a_tag(text: &str, second: &str) -> bool {
    let behind = text.find(second).and_then(|place| text.get(place + second.len()..)).unwrap_or_default();
    let behind = behind.get(skip_blank(behind.as_bytes(), 0)..).unwrap_or_default();
    behind.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '`')
}

/// The word after `first`, in the same piece.
fn second_word<'t>(text: &'t str, first: &str) -> &'t str {
    let rest = text.get(first.len()..).unwrap_or_default();
    let piece = memchr::memchr(b';', rest.as_bytes()).and_then(|end| rest.get(..end)).unwrap_or(rest);
    first_word(piece.get(skip_blank(piece.as_bytes(), 0)..).unwrap_or_default())
}

/// The text up to the first space or semicolon.
fn first_word(text: &str) -> &str {
    let end = text.find(|letter| is_space(letter) || letter == ';').unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}
