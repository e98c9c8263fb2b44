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
    fn a_star_stands_for_any_characters() {
        let matches = |pattern: &str, name: &str| NamePattern::fold(pattern).matches(name);
        assert!(matches("*", "") && matches("*", "x") && matches("a*", "a") && matches("a*b*c", "aXbYc"));
        assert!(matches("*b", "ab") && matches("a**", "ab") && matches("fin_*", "fin_2024"));
        assert!(!matches("a*a", "a") && !matches("a*b*b", "ab") && !matches("a", "ab") && !matches("", "a"));
    }
}
