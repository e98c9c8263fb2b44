//! Moments of answers, as people read them.

/// A moment of an answer to the minute, as people read it.
#[must_use]
pub fn minute(moment: &str) -> String {
    moment.chars().take(16).collect::<String>().replacen('T', " ", 1)
}

/// The same to the second.
#[must_use]
pub fn second(moment: &str) -> String {
    moment.chars().take(19).collect::<String>().replacen('T', " ", 1)
}
