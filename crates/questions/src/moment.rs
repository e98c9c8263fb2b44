//! Moments as questions have them: as text.

use std::fmt;

use guardbee_lineage::{AsOf, utc};
use guardbee_policy::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A moment such as `2026-11-29`, `2026-11-29T02:14:05Z` or milliseconds since 1970; in UTC unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct Moment(pub Timestamp);

impl Moment {
    /// What a text says, if it is a moment.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        utc::parse(text).map(Self)
    }
}

/// As of a moment, or as of now.
pub(crate) fn as_of(moment: Option<Moment>) -> AsOf {
    moment.map_or(AsOf::Now, |Moment(moment)| AsOf::At(moment))
}

/// Is a moment the first one or later, and before the last?
pub(crate) fn is_between(at: Timestamp, from: Option<Moment>, until: Option<Moment>) -> bool {
    from.is_none_or(|Moment(from)| at >= from) && until.is_none_or(|Moment(until)| at < until)
}

impl TryFrom<String> for Moment {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or(EXPECTED)
    }
}

/// What is said to whoever writes none.
pub const EXPECTED: &str =
    "expected a moment such as 2026-11-29, 2026-11-29T02:14:05Z or milliseconds since 1970";

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.to_string()
    }
}

/// So that it reads back as what it is: years that dates have no digits for are milliseconds.
impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = utc::text(self.0);
        match utc::parse(&text) == Some(self.0) {
            true => f.write_str(&text),
            false => write!(f, "{}", self.0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_writes() {
        for milliseconds in [0, 1, -1, 1_796_000_000_123, i64::MIN, i64::MAX, -99_999_999_999_999] {
            let moment = Moment(Timestamp(milliseconds));
            assert_eq!(Moment::parse(&moment.to_string()), Some(moment), "{moment}");
        }
        assert_eq!(Moment::try_from("yesterday".to_owned()), Err(EXPECTED));
    }
}
