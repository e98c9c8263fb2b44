//! Hive's words for privileges.

use guardbee_policy::{Privilege, Privileges};

/// The words of both of Hive's modes, as its tables hold them.
const WORDS: [(&str, Privilege); 10] = [
    ("SELECT", Privilege::Select),
    ("INSERT", Privilege::Insert),
    ("UPDATE", Privilege::Update),
    ("DELETE", Privilege::Delete),
    ("CREATE", Privilege::Create),
    ("DROP", Privilege::Drop),
    ("ALTER", Privilege::Alter),
    ("LOCK", Privilege::Lock),
    ("SHOW_DATABASE", Privilege::ShowDatabase),
    // Of Hive before 3.0.
    ("INDEX", Privilege::Index),
];

const ALL: &str = "ALL";

/// The privileges of a word; none where Hive has no such word.
pub(crate) fn read(word: &str) -> Option<Privileges> {
    if word.eq_ignore_ascii_case(ALL) {
        return Some(Privileges::ALL);
    }
    let known = WORDS.iter().find(|(known, _)| word.eq_ignore_ascii_case(known));
    known.map(|&(_, privilege)| Privileges::of(privilege))
}

/// The words for a set, one for each row, and the privileges that Hive has no word for.
pub(crate) fn words(privileges: Privileges) -> (Vec<&'static str>, Vec<Privilege>) {
    if privileges.is_all() {
        return (vec![ALL], Vec::new());
    }
    let word = |privilege| WORDS.iter().find(|(_, known)| *known == privilege).map(|&(word, _)| word);
    let (known, unknown): (Vec<Privilege>, Vec<Privilege>) =
        privileges.iter().partition(|&privilege| word(privilege).is_some());
    (known.into_iter().filter_map(word).collect(), unknown)
}
