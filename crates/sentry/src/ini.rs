//! The text of a policy file, cut into sections of keys and values as Shiro cuts it, with the place of each.
//!
//! Shiro's rules: a line ends a key at the first blank, `:` or `=` that no backslash precedes; an odd number of
//! backslashes at the end of a line joins the next; `#` and `;` begin comments at the start of a line only; of
//! two equal keys, and of two sections of one name, the last counts. Backslashes stay in the text.

use std::collections::HashMap;

/// A file, cut up.
#[derive(Debug, Default)]
pub(crate) struct Ini {
    sections: Vec<Section>,
    pub(crate) problems: Vec<Problem>,
}

/// One `[name]` and what follows it.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) name: String,
    pub(crate) line: u64,
    pub(crate) pairs: Vec<Pair>,
}

/// A key and its value.
#[derive(Debug)]
pub(crate) struct Pair {
    pub(crate) key: String,
    pub(crate) value: String,
    logical: Logical,
    key_start: usize,
    value_start: usize,
}

/// What is wrong with the text itself.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) kind: ProblemKind,
    pub(crate) line: u64,
    pub(crate) column: u32,
    pub(crate) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ProblemKind {
    /// A key without a value.
    NoValue,
    /// Before the first section, where nobody looks.
    OutsideSection,
    /// A control character other than a tab.
    ControlCharacter,
    /// A line that ends in a backslash at the end of its section.
    Unfinished,
    /// A section whose name was there before: the earlier one does not count.
    RepeatedSection,
    /// A key that was there before: the earlier one does not count.
    RepeatedKey,
}

/// A line as the reader sees it: joined from lines of the file.
#[derive(Debug, Default)]
struct Logical {
    text: String,
    /// Where each piece begins: in the text, and in the file.
    pieces: Vec<Piece>,
}

#[derive(Debug)]
struct Piece {
    start: usize,
    line: u64,
    column: u32,
}

impl Logical {
    /// Line and column of a byte of the text.
    fn place(&self, offset: usize) -> (u64, u32) {
        let behind = self.pieces.partition_point(|piece| piece.start <= offset);
        let Some(piece) = behind.checked_sub(1).and_then(|at| self.pieces.get(at)) else { return (1, 1) };
        let behind = self.text.get(piece.start..offset).map_or(0, |text| text.chars().count());
        (piece.line, piece.column.saturating_add(u32::try_from(behind).unwrap_or(u32::MAX)))
    }
}

impl Pair {
    pub(crate) fn key_place(&self) -> (u64, u32) {
        self.logical.place(self.key_start)
    }

    /// The place of a byte of the value.
    pub(crate) fn value_place(&self, offset: usize) -> (u64, u32) {
        self.logical.place(self.value_start.saturating_add(offset))
    }

    /// The parts of the value between commas, trimmed, with the byte each begins at; empty ones left out.
    pub(crate) fn items(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut start = 0;
        self.value.split(',').filter_map(move |item| {
            let here = start;
            start += item.len() + 1;
            let trimmed = trim(item);
            (!trimmed.is_empty()).then(|| (here + leading(item), trimmed))
        })
    }
}

impl Ini {
    pub(crate) fn parse(text: &str) -> Self {
        let mut ini = Self::default();
        // What stands before the first heading is read, and then nobody asks for it.
        let mut section = Section { name: String::new(), line: 1, pairs: Vec::new() };
        let mut pending = Logical::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (number, raw) in (1..).zip(lines(text)) {
            let line = trim(raw);
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let column = column_of(raw, leading(raw));
            ini.look_for_control_characters(line, number, column);
            if let Some(name) = section_name(line) {
                ini.drop_unfinished(&mut pending);
                let next = Section { name: name.to_owned(), line: number, pairs: Vec::new() };
                ini.end_section(std::mem::replace(&mut section, next));
                continue;
            }
            let continued = is_continued(line);
            let content = if continued { line.strip_suffix('\\').unwrap_or(line) } else { line };
            pending.pieces.push(Piece { start: pending.text.len(), line: number, column });
            pending.text.push_str(content);
            if !continued {
                ini.end_line(&mut section, &mut pending);
            }
        }
        ini.drop_unfinished(&mut pending);
        ini.end_section(section);
        ini
    }

    /// The section that counts under a name. One without keys is as good as none.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    pub(crate) fn sections(&self) -> &[Section] {
        &self.sections
    }

    fn problem(&mut self, kind: ProblemKind, (line, column): (u64, u32), text: &str) {
        self.problems.push(Problem { kind, line, column, text: text.to_owned() });
    }

    fn look_for_control_characters(&mut self, line: &str, number: u64, column: u32) {
        if let Some(at) = line.find(|c: char| c.is_control() && c != '\t') {
            let place = (number, column.saturating_add(column_of(line, at) - 1));
            self.problem(ProblemKind::ControlCharacter, place, "");
        }
    }

    /// A line that says it goes on and does not is lost to Shiro.
    fn drop_unfinished(&mut self, pending: &mut Logical) {
        let logical = std::mem::take(pending);
        if !logical.pieces.is_empty() {
            self.problem(ProblemKind::Unfinished, logical.place(0), &logical.text);
        }
    }

    fn end_line(&mut self, section: &mut Section, pending: &mut Logical) {
        let logical = std::mem::take(pending);
        match split(logical) {
            Ok(pair) => section.pairs.push(pair),
            Err(logical) => self.problem(ProblemKind::NoValue, logical.place(0), &logical.text),
        }
    }

    fn keep_last_of_equal_keys(&mut self, section: &mut Section) {
        let mut last: HashMap<String, usize> = HashMap::new();
        for (at, pair) in section.pairs.iter().enumerate() {
            if last.insert(pair.key.clone(), at).is_some() {
                self.problem(ProblemKind::RepeatedKey, pair.key_place(), &pair.key);
            }
        }
        let mut at = 0..section.pairs.len();
        section.pairs.retain(|pair| last.get(&pair.key).copied() == at.next());
    }

    fn end_section(&mut self, mut section: Section) {
        if section.name.is_empty() {
            for pair in section.pairs.drain(..) {
                self.problem(ProblemKind::OutsideSection, pair.key_place(), &pair.key);
            }
        }
        if section.pairs.is_empty() {
            return;
        }
        self.keep_last_of_equal_keys(&mut section);
        if let Some(earlier) = self.sections.iter().position(|earlier| earlier.name == section.name) {
            self.problem(ProblemKind::RepeatedSection, (section.line, 1), &section.name);
            self.sections.remove(earlier);
        }
        self.sections.push(section);
    }
}

/// As Java trims: everything up to and with the blank.
pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c <= ' ')
}

/// How many bytes [`trim`] takes off the front.
fn leading(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c <= ' ').len()
}

fn column_of(text: &str, offset: usize) -> u32 {
    let before = text.get(..offset).map_or(0, |text| text.chars().count());
    u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
}

fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']').map(trim)
}

fn is_continued(line: &str) -> bool {
    let backslashes = line.bytes().rev().take_while(|&byte| byte == b'\\').count();
    // A line of nothing but one backslash continues nothing.
    backslashes.min(line.len() - 1) % 2 != 0
}

/// Blanks are those of Java: without the ones that do not break, with four control characters.
const fn is_separator(c: char) -> bool {
    match c {
        ':' | '=' | '\u{1c}'..='\u{1f}' => true,
        '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}' => false,
        _ => c.is_whitespace(),
    }
}

/// Lines as Java's scanner ends them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .map(|line| line.strip_suffix('\r').unwrap_or(line))
        .flat_map(|line| line.split(['\r', '\u{85}', '\u{2028}', '\u{2029}']))
}

fn split(logical: Logical) -> Result<Pair, Logical> {
    let text = &logical.text;
    let mut before = None;
    let mut key_end = text.len();
    for (at, c) in text.char_indices() {
        if is_separator(c) && before != Some('\\') {
            key_end = at;
            break;
        }
        before = Some(c);
    }
    // The separators before the value, as long as no backslash precedes one.
    let value_start = text
        .get(key_end..)
        .and_then(|rest| rest.find(|c: char| !is_separator(c)))
        .map_or(text.len(), |skipped| key_end + skipped);
    let (key, value) = (text.get(..key_end).unwrap_or(""), text.get(value_start..).unwrap_or(""));
    let (key_start, value_start) = (leading(key), value_start + leading(value));
    let (key, value) = (trim(key).to_owned(), trim(value).to_owned());
    if key.is_empty() || value.is_empty() {
        return Err(logical);
    }
    Ok(Pair { key, value, logical, key_start, value_start })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Vec<(String, String)> {
        let ini = Ini::parse(&format!("[s]\n{text}"));
        let section = ini.section("s");
        section
            .into_iter()
            .flat_map(|section| &section.pairs)
            .map(|pair| (pair.key.clone(), pair.value.clone()))
            .collect()
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    #[test]
    fn keys_end_at_the_first_separator() {
        assert_eq!(pairs("a = b"), [pair("a", "b")]);
        assert_eq!(pairs("a b = c"), [pair("a", "b = c")]);
        assert_eq!(pairs("a : = b=c:d"), [pair("a", "b=c:d")]);
        assert_eq!(pairs("a\\ b = c"), [pair("a\\ b", "c")]);
    }

    /// Each of these was asked of Shiro 1.2.3.
    #[test]
    fn blanks_and_lines_are_javas() {
        assert_eq!(pairs("a\u{a0}b = c"), [pair("a\u{a0}b", "c")]);
        assert_eq!(pairs("a\u{1c}b = c"), [pair("a", "b = c")]);
        assert_eq!(pairs("a = b\u{2028}c = d\re = f"), [pair("a", "b"), pair("c", "d"), pair("e", "f")]);
    }

    #[test]
    fn a_backslash_joins_lines_and_comments_between_do_not_count() {
        assert_eq!(pairs("a = b, \\\n  # not\n  c"), [pair("a", "b, c")]);
        assert_eq!(pairs("a = b, \\\n[t]\nc = d"), []);
        assert_eq!(Ini::parse("[s]\na = b \\").problems.first().unwrap().kind, ProblemKind::Unfinished);
        assert_eq!(pairs("a = b\\\\\nc = d"), [pair("a", "b\\\\"), pair("c", "d")]);
    }

    #[test]
    fn the_last_of_two_counts() {
        let ini = Ini::parse("[s]\na=1\na=2\n[t]\nx=1\n[s]\nb=3\n[t]\n");
        let keys: Vec<&str> = ini.section("s").unwrap().pairs.iter().map(|pair| &*pair.key).collect();
        assert_eq!(keys, ["b"]);
        assert!(ini.section("t").is_some(), "an empty section does not take the place of one");
        let kinds: Vec<_> = ini.problems.iter().map(|problem| (problem.kind, problem.line)).collect();
        assert_eq!(kinds, [(ProblemKind::RepeatedKey, 3), (ProblemKind::RepeatedSection, 6)]);
    }

    #[test]
    fn places_reach_through_joined_lines() {
        let ini = Ini::parse("[s]\n  röle = first, \\\n    second");
        let pair = ini.section("s").unwrap().pairs.first().unwrap();
        assert_eq!(pair.key_place(), (2, 3));
        let items: Vec<_> = pair.items().map(|(at, item)| (item, pair.value_place(at))).collect();
        assert_eq!(items, [("first", (2, 10)), ("second", (3, 5))]);
    }

    #[test]
    fn what_is_no_pair_is_a_problem() {
        let ini = Ini::parse("lost = x\nalone\n[s]\nalone\n= x\n\u{1}a = b");
        let problems: Vec<_> = ini.problems.iter().map(|problem| (problem.kind, problem.line)).collect();
        assert_eq!(
            problems,
            [
                (ProblemKind::NoValue, 2),
                (ProblemKind::OutsideSection, 1),
                (ProblemKind::NoValue, 4),
                (ProblemKind::NoValue, 5)
            ]
        );
        assert_eq!(Ini::parse("[s]\na = \u{7}b").problems.len(), 1);
    }
}
