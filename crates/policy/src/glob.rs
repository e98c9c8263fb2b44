//! Patterns of file names as Hadoop reads them in the paths of statements, to tell what one may stand for.
//!
//! Where the answer would take long it is "perhaps", which is yes: it is asked of denials. A class of characters
//! (`[a-c]`) stands for any one of them here.

/// Up to this many ways of writing braces out are looked at.
const MOST_WAYS: usize = 64;

/// Does Hadoop take a component of a path for a pattern?
pub(crate) fn is_pattern(component: &str) -> bool {
    component.contains(['*', '?', '[', '{', '\\'])
}

/// Can a component of a path that is a pattern stand for a name?
pub(crate) fn may_match(pattern: &str, name: &str) -> bool {
    let mut open = vec![pattern.to_owned()];
    let mut seen = 0;
    while let Some(pattern) = open.pop() {
        match braces(&pattern) {
            Braces::None if matches(&pattern, name) => return true,
            Braces::None => {}
            Braces::Unclear => return true,
            Braces::Alternatives(written_out) => open.extend(written_out),
        }
        seen += 1;
        if seen > MOST_WAYS {
            return true;
        }
    }
    false
}

enum Braces {
    None,
    /// They do not belong together.
    Unclear,
    /// The pattern with each of what its first braces hold.
    Alternatives(Vec<String>),
}

fn braces(pattern: &str) -> Braces {
    let mut open = None;
    let mut depth = 0;
    let mut cuts: Vec<usize> = Vec::new();
    let mut characters = pattern.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            '{' => {
                open.get_or_insert(at);
                depth += 1;
            }
            ',' if depth == 1 => cuts.push(at),
            '}' if depth == 1 => {
                cuts.push(at);
                return open.map_or(Braces::Unclear, |open| written_out(pattern, open, &cuts));
            }
            '}' if depth > 0 => depth -= 1,
            _ => {}
        }
    }
    if open.is_some() { Braces::Unclear } else { Braces::None }
}

/// The alternatives between an opening brace and the cuts behind it, the last of which is its end.
fn written_out(pattern: &str, open: usize, cuts: &[usize]) -> Braces {
    let before = pattern.get(..open).unwrap_or_default();
    let after = cuts.last().and_then(|end| pattern.get(end + 1..)).unwrap_or_default();
    let starts = std::iter::once(open).chain(cuts.iter().copied());
    let parts = starts.zip(cuts).filter_map(|(start, &end)| pattern.get(start + 1..end));
    Braces::Alternatives(parts.map(|part| format!("{before}{part}{after}")).collect())
}

/// What a pattern without braces is made of.
#[derive(Clone, Copy, PartialEq)]
enum Piece {
    Anything,
    OneCharacter,
    Character(char),
}

fn pieces(pattern: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        pieces.push(match character {
            '*' => Piece::Anything,
            '?' => Piece::OneCharacter,
            '[' => {
                // The first character of a class belongs to it, whatever it is.
                let mut rest = characters.clone();
                rest.next();
                if rest.any(|end| end == ']') {
                    characters = rest;
                }
                Piece::OneCharacter
            }
            '\\' => characters.next().map_or(Piece::Character('\\'), Piece::Character),
            other => Piece::Character(other),
        });
    }
    pieces
}

fn matches(pattern: &str, name: &str) -> bool {
    let pieces = pieces(pattern);
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut seen) = (0, 0);
    // Where the last `*` is, and how far it has been taken to reach.
    let mut retry: Option<(usize, usize)> = None;
    while let Some(&character) = name.get(seen) {
        match pieces.get(at) {
            Some(Piece::Anything) => {
                retry = Some((at, seen));
                at += 1;
            }
            Some(Piece::OneCharacter) => (at, seen) = (at + 1, seen + 1),
            Some(Piece::Character(wanted)) if *wanted == character => (at, seen) = (at + 1, seen + 1),
            _ => {
                let Some((star, reached)) = retry else { return false };
                retry = Some((star, reached + 1));
                (at, seen) = (star + 1, reached + 1);
            }
        }
    }
    pieces.get(at..).unwrap_or_default().iter().all(|piece| *piece == Piece::Anything)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_stands_for_what_hadoop_takes_it_for() {
        let fits = [
            ("*", "secret"),
            ("s*t", "secret"),
            ("?ecret", "secret"),
            ("[a-z]ecret", "secret"),
            ("{x,secret}", "secret"),
            ("{x,s{a,e}c*}", "secret"),
            ("secre\\t", "secret"),
            ("\\{a\\}", "{a}"),
            ("[]]x", "]x"),
        ];
        for (pattern, name) in fits {
            assert!(may_match(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("*.csv", "secret"),
            ("{a,b}", "secret"),
            ("s?t", "secret"),
            ("\\*", "secret"),
            ("secret?", "secret"),
            ("*x*y*", "secret"),
        ] {
            assert!(!may_match(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn what_would_take_long_is_perhaps() {
        assert!(may_match(&"{a,b}".repeat(40), "secret"));
        assert!(may_match("}a{", "secret"));
        assert!(!may_match(&"*a".repeat(2_000), &"b".repeat(2_000)));
    }
}
