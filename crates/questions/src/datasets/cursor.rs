//! Where a page of found datasets ended.

use std::fmt;

use super::term::Rank;
use crate::ground::Unanswered;

/// What was found last: how well it fits, and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub rank: Rank,
    pub text: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.rank.0, self.text)
    }
}

impl Place {
    /// # Errors
    /// [`Unanswered::WrongUse`] where a text is no such place.
    pub fn read(text: &str) -> Result<Self, Unanswered> {
        let read = text
            .split_once(':')
            .and_then(|(rank, text)| Some(Self { rank: Rank(rank.parse().ok()?), text: text.to_owned() }));
        read.ok_or_else(|| Unanswered::wrong_cursor(text))
    }
}
