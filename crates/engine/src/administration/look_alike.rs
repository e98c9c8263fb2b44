//! Names that look like others: whoever reads a policy takes one for the other.

use guardbee_model::Name;

/// The first of some names that looks like this one and is another. A name in plain letters looks like itself, and
/// costs no look at the others.
pub(super) fn first<'n>(name: &Name, others: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.as_str().is_ascii() {
        return None;
    }
    others.into_iter().find(|other| *other != name.as_str() && is_seen_as(name.as_str(), other))
}

fn is_seen_as(one: &str, other: &str) -> bool {
    one.chars().map(seen).eq(other.chars().map(seen))
}

/// The letter that a letter is taken for: of those that look alike in Latin, Greek and Cyrillic the Latin one.
const fn seen(letter: char) -> char {
    match letter {
        '\u{430}' | '\u{3b1}' | '\u{251}' => 'a',
        '\u{441}' | '\u{3f2}' => 'c',
        '\u{501}' => 'd',
        '\u{435}' => 'e',
        '\u{261}' => 'g',
        '\u{4bb}' => 'h',
        '\u{456}' | '\u{3b9}' | '\u{131}' => 'i',
        '\u{458}' | '\u{3f3}' => 'j',
        '\u{43a}' | '\u{3ba}' => 'k',
        '\u{4cf}' => 'l',
        '\u{43e}' | '\u{3bf}' => 'o',
        '\u{440}' | '\u{3c1}' => 'p',
        '\u{51b}' => 'q',
        '\u{433}' => 'r',
        '\u{455}' => 's',
        '\u{3c5}' => 'u',
        '\u{475}' | '\u{3bd}' => 'v',
        '\u{51d}' => 'w',
        '\u{445}' | '\u{3c7}' => 'x',
        '\u{443}' | '\u{3b3}' => 'y',
        '\u{451}' => '\u{eb}',
        '\u{457}' | '\u{3ca}' => '\u{ef}',
        // Of the width of a Chinese character.
        '\u{ff01}'..='\u{ff5e}' => plain(letter as u32 - 0xff01 + 0x21),
        // The letters of formulas: alphabets one after the other.
        '\u{1d400}'..='\u{1d6a3}' => plain((letter as u32 - 0x1d400) % 26 + 0x61),
        letter => letter,
    }
}

const fn plain(code: u32) -> char {
    match char::from_u32(code) {
        Some(letter) => letter,
        None => char::REPLACEMENT_CHARACTER,
    }
}

/// What is to be said of a name that may pass for another's.
pub(super) fn warning(name: &Name) -> Option<String> {
    let scripts = scripts_alike(name);
    let [one, other, ..] = scripts.as_slice() else { return None };
    Some(format!(
        "`{name}` has {one} and {other} letters, which look alike: it is another role than it may seem"
    ))
}

/// The scripts of a name whose letters can be taken for one another's: with a letter of another one it may pass for
/// the name of another role.
fn scripts_alike(name: &str) -> Vec<&'static str> {
    let script = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Some("Latin"),
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some("Greek"),
        '\u{400}'..='\u{52f}' => Some("Cyrillic"),
        _ => None,
    };
    let mut scripts = Vec::new();
    for script in name.chars().filter(|letter| letter.is_alphabetic()).filter_map(script) {
        if !scripts.contains(&script) {
            scripts.push(script);
        }
    }
    scripts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_scripts_are_taken_for_latin_ones() {
        for look_alike in ["\u{430}dmin", "adm\u{456}n", "\u{ff41}dmin", "\u{1d41a}dmin", "adm\u{131}n"] {
            assert_eq!(first(&Name::fold(look_alike), ["admin"]), Some("admin"), "{look_alike}");
        }
        for other in ["admin", "admin2", "\u{e4}dmin", "\u{430}\u{434}\u{43c}\u{438}\u{43d}", "adm1n"] {
            assert_eq!(first(&Name::fold(other), ["admin"]), None, "{other}");
        }
    }
}
