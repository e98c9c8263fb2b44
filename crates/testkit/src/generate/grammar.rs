//! Random text out of a grammar file. Knows nothing of SQL: the files under `data/` say what is written.
//!
//! A file holds rules. A rule starts at the left edge with its name and a colon, its alternatives follow, one a line and
//! indented. Where an expansion has become too deep, the first alternative is taken unless all are plain text: it must not lead
//! back to the rule.
//!
//! ```text
//! # a comment
//! sum:
//!     {number}
//!     *3 {sum} {: + | - } {sum}       three times as likely
//!     @4 abs({sum}{?, {sum}})         only from Hive 4.0 on
//!     @-3.1 {sum} sum                 only up to Hive 3.1
//! ```
//!
//! In an alternative, `{name}` stands for a rule, `{name!}` for a rule whose text is put in parentheses if it is more than one
//! word, `{name,}` for one to three with commas between, `{name+}` for one to three with blanks between, `{? ...}` for text that
//! is left out half the time, `{: a | b }` for one of several texts, `{ }` for a blank that would else be trimmed, `{}` for nothing.

use std::collections::HashMap;

use guardbee_model::HiveVersion;

use super::Random;

/// Text for the names that a grammar mentions without a rule, such as columns that happen to be visible.
pub trait Names {
    fn name(&mut self, name: &str, random: &mut Random) -> String;
}

#[derive(Debug)]
pub struct Grammar {
    rules: HashMap<String, Vec<Alternative>>,
}

#[derive(Debug)]
struct Alternative {
    weight: usize,
    since: HiveVersion,
    until: HiveVersion,
    parts: Vec<Part>,
}

#[derive(Debug, PartialEq)]
enum Part {
    Text(String),
    Rule(String),
    /// In parentheses where it is more than one word.
    Operand(String),
    Several(String, &'static str),
    Perhaps(Vec<Part>),
    OneOf(Vec<Vec<Part>>),
}

impl Grammar {
    /// # Errors
    /// A line that is neither a rule nor an alternative, or braces that do not close.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut rules: HashMap<String, Vec<Alternative>> = HashMap::new();
        let mut current = String::new();
        for (number, line) in text.lines().enumerate() {
            let content = line.trim();
            if content.is_empty() || content.starts_with("# ") || content == "#" {
                continue;
            }
            if !line.starts_with(' ') {
                current = content
                    .strip_suffix(':')
                    .ok_or_else(|| format!("line {}: a rule name without colon", number + 1))?
                    .to_owned();
                continue;
            }
            let alternative =
                Alternative::parse(content).map_err(|problem| format!("line {}: {problem}", number + 1))?;
            rules.entry(current.clone()).or_default().push(alternative);
        }
        Ok(Self { rules })
    }

    /// Names that are mentioned and have no rule.
    #[cfg(test)]
    pub fn open_names(&self) -> Vec<&str> {
        let mut open = Vec::new();
        for alternative in self.rules.values().flatten() {
            collect_names(&alternative.parts, &mut open);
        }
        open.retain(|name| !self.rules.contains_key(*name));
        open.sort_unstable();
        open.dedup();
        open
    }

    /// Text for a rule, at most `depth` rules deep where the rules' first alternatives allow it.
    pub fn expand(
        &self,
        rule: &str,
        version: HiveVersion,
        depth: usize,
        random: &mut Random,
        names: &mut dyn Names,
    ) -> String {
        let mut expansion = Expansion { grammar: self, version, random, names, out: String::new() };
        expansion.rule(rule, depth);
        expansion.out
    }
}

impl Alternative {
    fn parse(content: &str) -> Result<Self, String> {
        let mut rest = content;
        let mut weight = 1;
        let (mut since, mut until) = (HiveVersion::V2_3, HiveVersion::V4_2);
        while let Some((mark, after)) = rest.split_once(' ') {
            if let Some(number) = mark.strip_prefix('*').and_then(|digits| digits.parse().ok()) {
                weight = number;
            } else if let Some(version) = mark.strip_prefix("@-").and_then(|version| version.parse().ok()) {
                until = version;
            } else if let Some(version) = mark.strip_prefix('@').and_then(|version| version.parse().ok()) {
                since = version;
            } else {
                break;
            }
            rest = after.trim_start();
        }
        Ok(Self { weight, since, until, parts: parts(rest)? })
    }

    fn is_plain_text(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text(_)))
    }
}

/// Splits an alternative at its braces.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let close = closing(&rest[open..]).ok_or("a brace does not close")? + open;
        if open > 0 {
            parts.push(Part::Text(rest[..open].to_owned()));
        }
        parts.push(braced(&rest[open + 1..close])?);
        rest = &rest[close + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest.to_owned()));
    }
    Ok(parts)
}

fn braced(inner: &str) -> Result<Part, String> {
    if inner.trim().is_empty() {
        return Ok(Part::Text(inner.to_owned()));
    }
    if let Some(text) = inner.strip_prefix('?') {
        return Ok(Part::Perhaps(parts(text)?));
    }
    if let Some(text) = inner.strip_prefix(": ") {
        let choices = alternatives(text).into_iter().map(parts).collect::<Result<_, _>>()?;
        return Ok(Part::OneOf(choices));
    }
    let part = match inner.char_indices().last() {
        Some((end, '!')) => Part::Operand(inner[..end].to_owned()),
        Some((end, ',')) => Part::Several(inner[..end].to_owned(), ", "),
        Some((end, '+')) => Part::Several(inner[..end].to_owned(), " "),
        _ => Part::Rule(inner.to_owned()),
    };
    Ok(part)
}

/// Where the brace that opens `text` closes.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return Some(place),
            b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The texts between bars that stand in no inner braces.
fn alternatives(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    let padded = text.as_bytes();
    for (place, byte) in padded.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 && text[..place].ends_with(' ') && text[place + 1..].starts_with(' ') => {
                found.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

#[cfg(test)]
fn collect_names<'a>(parts: &'a [Part], into: &mut Vec<&'a str>) {
    for part in parts {
        match part {
            Part::Text(_) => {}
            Part::Rule(name) | Part::Operand(name) | Part::Several(name, _) => into.push(name),
            Part::Perhaps(inner) => collect_names(inner, into),
            Part::OneOf(choices) => choices.iter().for_each(|choice| collect_names(choice, into)),
        }
    }
}

struct Expansion<'a> {
    grammar: &'a Grammar,
    version: HiveVersion,
    random: &'a mut Random,
    names: &'a mut dyn Names,
    out: String,
}

impl Expansion<'_> {
    fn rule(&mut self, name: &str, depth: usize) {
        let grammar = self.grammar;
        let Some(alternatives) = grammar.rules.get(name) else {
            let text = self.names.name(name, self.random);
            self.out.push_str(&text);
            return;
        };
        let ends_here = depth == 0 && !alternatives.iter().all(Alternative::is_plain_text);
        let chosen = if ends_here { alternatives.first() } else { self.choose(alternatives) };
        if let Some(alternative) = chosen {
            self.parts(&alternative.parts, depth.saturating_sub(1));
        }
    }

    fn choose<'a>(&mut self, alternatives: &'a [Alternative]) -> Option<&'a Alternative> {
        let known = |one: &Alternative| (one.since..=one.until).contains(&self.version);
        let weights: Vec<usize> =
            alternatives.iter().map(|one| if known(one) { one.weight } else { 0 }).collect();
        alternatives.get(self.random.weighted(&weights))
    }

    fn parts(&mut self, parts: &[Part], depth: usize) {
        for part in parts {
            match part {
                Part::Text(text) => self.out.push_str(text),
                Part::Rule(name) => self.rule(name, depth),
                Part::Operand(name) => self.operand(name, depth),
                Part::Several(name, separator) => {
                    for place in 0..self.random.between(1, 3) {
                        if place > 0 {
                            self.out.push_str(separator);
                        }
                        self.rule(name, depth);
                    }
                }
                Part::Perhaps(inner) => {
                    if self.random.percent(50) {
                        self.parts(inner, depth);
                    }
                }
                Part::OneOf(choices) => {
                    let choice = self.random.below(choices.len());
                    self.parts(&choices[choice], depth);
                }
            }
        }
    }

    fn operand(&mut self, name: &str, depth: usize) {
        let start = self.out.len();
        self.rule(name, depth);
        if !is_one_word(&self.out[start..]) {
            self.out.insert(start, '(');
            self.out.push(')');
        }
    }
}

/// No blank outside quotes and parentheses: a name, a literal, a call.
fn is_one_word(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut escaped = false;
    for character in text.chars() {
        if let Some(open) = quote {
            if !escaped && character == open {
                quote = None;
            }
            escaped = !escaped && character == '\\';
            continue;
        }
        match character {
            '\'' | '"' | '`' => quote = Some(character),
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ' ' | '-' if depth == 0 => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Letters;

    impl Names for Letters {
        fn name(&mut self, name: &str, _: &mut Random) -> String {
            name.to_uppercase()
        }
    }

    fn draw(grammar: &str, version: HiveVersion, depth: usize) -> Vec<String> {
        let grammar = Grammar::parse(grammar).expect("the grammar is well formed");
        let mut random = Random::new(3);
        let mut drawn: Vec<String> =
            (0..200).map(|_| grammar.expand("start", version, depth, &mut random, &mut Letters)).collect();
        drawn.sort();
        drawn.dedup();
        drawn
    }

    #[test]
    fn alternatives_options_and_lists() {
        let drawn = draw("start:\n    a{? b}\n    *2 {: x | y{? z} }\n", HiveVersion::V4_0, 5);
        assert_eq!(drawn, ["a", "a b", "x", "y", "y z"]);
        let drawn = draw("start:\n    f({item,})\nitem:\n    1\n", HiveVersion::V4_0, 5);
        assert_eq!(draw("start:\n    {}\n    { }x\n", HiveVersion::V4_0, 5), ["", " x"]);
        assert_eq!(drawn, ["f(1)", "f(1, 1)", "f(1, 1, 1)"]);
    }

    #[test]
    fn versions_and_depth_bound_the_choice() {
        let grammar = "start:\n    1\n    @4 {start!} + 1\n";
        assert_eq!(draw(grammar, HiveVersion::V3_1, 5), ["1"]);
        assert_eq!(draw(grammar, HiveVersion::V4_0, 2), ["(1 + 1) + 1", "1", "1 + 1"]);
    }

    #[test]
    fn names_without_a_rule_are_asked_for() {
        assert_eq!(draw("start:\n    {place}\n", HiveVersion::V4_0, 2), ["PLACE"]);
        let grammar = Grammar::parse("start:\n    {place}{? {start}}\n").expect("the grammar is well formed");
        assert_eq!(grammar.open_names(), ["place"]);
    }

    #[test]
    fn bad_files_are_told() {
        assert!(Grammar::parse("start\n    a\n").is_err());
        assert!(Grammar::parse("start:\n    {a\n").is_err());
    }

    #[test]
    fn one_word_needs_no_parentheses() {
        for text in ["a", "f(a, b)", "'it\\'s a'", "`a b`", "a.b[0]"] {
            assert!(is_one_word(text), "{text}");
        }
        for text in ["a + b", "case when a then b end", "date '2024-01-01'", "-1"] {
            assert!(!is_one_word(text), "{text}");
        }
    }
}
