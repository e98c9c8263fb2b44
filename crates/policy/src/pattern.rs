//! Names with `*` in them.

use std::fmt;

use guardbee_model::Name;

/// A name in which `*` stands for any characters, none included.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NamePattern(Name);

impl NamePattern {
    /// Folds case as Hive does.
    #[must_use]
    pub fn fold(text: &str) -> Self {
        Self(Name::fold(text))
    }

    /// `*`: every name.
    #[must_use]
    pub const fn any() -> Self {
        Self(Name::from_static("*"))
    }

    /// Does it stand for one name only?
    #[must_use]
    pub fn is_literal(&self) -> bool {
        !self.0.contains('*')
    }

    #[must_use]
    pub fn is_any(&self) -> bool {
        !self.0.is_empty() && self.0.bytes().all(|byte| byte == b'*')
    }

    /// The name it stands for, where it is only one.
    #[must_use]
    pub fn literal(&self) -> Option<&Name> {
        self.is_literal().then_some(&self.0)
    }

    /// A name that it stands for, and that no other pattern stands for unless it does for all of these.
    pub(crate) fn instance(&self) -> Name {
        self.literal().cloned().unwrap_or_else(|| Name::fold(&self.0.replace('*', "\u{1}")))
    }

    /// A pattern that stands only for names for which both do; none where there is no such name.
    pub(crate) fn meet(&self, other: &Self) -> Option<Self> {
        match (self.is_literal(), other.is_literal()) {
            (true, _) => other.matches(&self.0).then(|| self.clone()),
            (_, true) => self.matches(&other.0).then(|| other.clone()),
            _ => {
                let (one_start, one_rest) = self.0.split_once('*')?;
                let (other_start, other_rest) = other.0.split_once('*')?;
                let (one_middle, one_end) = one_rest.rsplit_once('*').unwrap_or(("", one_rest));
                let (other_middle, other_end) = other_rest.rsplit_once('*').unwrap_or(("", other_rest));
                let start = longer(one_start, other_start, |long, short| long.starts_with(short))?;
                let end = longer(one_end, other_end, |long, short| long.ends_with(short))?;
                Some(Self::fold(&format!("{start}*{one_middle}*{other_middle}*{end}")))
            }
        }
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Takes time linear in the name for each `*`.
    #[must_use]
    pub fn matches(&self, name: &str) -> bool {
        let mut pieces = self.0.split('*');
        let first = pieces.next().unwrap_or("");
        let Some(last) = pieces.next_back() else { return name == first };
        let Some(rest) = name.strip_prefix(first) else { return false };
        let Some(mut rest) = rest.strip_suffix(last) else { return false };
        for piece in pieces {
            let Some((_, behind)) = rest.split_once(piece) else { return false };
            rest = behind;
        }
        true
    }
}

/// The longer of two texts, if it fits the shorter.
fn longer<'t>(one: &'t str, other: &'t str, fits: impl Fn(&str, &str) -> bool) -> Option<&'t str> {
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    fits(long, short).then_some(long)
}

impl From<Name> for NamePattern {
    fn from(name: Name) -> Self {
        Self(name)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_patterns_meet_in_both_stand_for() {
        let patterns = ["*", "a*", "*b", "a*b*c", "ab*", "*_*", "fin", "ab", "x*bc"].map(NamePattern::fold);
        for one in &patterns {
            for other in &patterns {
                let Some(met) = one.meet(other) else { continue };
                let name = met.instance();
                assert!(one.matches(&name) && other.matches(&name), "{one} and {other} in {met}");
            }
        }
        assert_eq!(NamePattern::fold("a*").meet(&NamePattern::fold("b*")), None);
        assert_eq!(NamePattern::fold("a*").meet(&NamePattern::fold("fin")), None);
    }

    #[test]
    fn a_star_stands_for_any_characters() {
        let matches = |pattern: &str, name: &str| NamePattern::fold(pattern).matches(name);
        assert!(matches("*", "") && matches("*", "x") && matches("a*", "a") && matches("a*b*c", "aXbYc"));
        assert!(matches("*b", "ab") && matches("a**", "ab") && matches("fin_*", "fin_2024"));
        assert!(!matches("a*a", "a") && !matches("a*b*b", "ab") && !matches("a", "ab") && !matches("", "a"));
    }
}
