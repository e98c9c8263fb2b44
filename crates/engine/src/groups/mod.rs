//! The port to whatever knows which groups a user is in.

mod cached;
mod command;
mod fixed;
mod system;

use smol_str::SmolStr;

pub use cached::CachedGroups;
pub use command::CommandGroups;
pub use fixed::{FixedGroups, GroupFileError};
pub use system::SystemGroups;

/// Knows the groups of users. Names of users and groups keep their case.
pub trait GroupMapping: Send + Sync {
    /// The groups of a user, in no order; none where the user is not known.
    ///
    /// # Errors
    /// [`GroupError`] where it cannot be told. Whoever asks must not take that for "none": a denial may
    /// stand on a group.
    fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError>;

    /// Are the groups of a user told without anybody being waited for? Whoever must not wait asks elsewhere otherwise.
    fn answers_at_once(&self, _user: &str) -> bool {
        false
    }

    /// Is a name that of a group and of no user? AuthDev's statements name principals without their kind;
    /// whoever cannot tell says no.
    fn is_only_group(&self, _name: &str) -> bool {
        false
    }
}

/// An error of the system in words, without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Why the groups of a user are not known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GroupError {
    #[error("`{0}` cannot be the name of a user")]
    MalformedUser(String),
    #[error("the groups of `{user}` cannot be read: {reason}")]
    Unavailable { user: String, reason: String },
    #[error("the groups of `{user}` did not come within {seconds} s")]
    Late { user: String, seconds: u64 },
    #[error("the answer about the groups of `{user}` is longer than {limit} bytes")]
    TooLong { user: String, limit: usize },
}

impl GroupError {
    /// The stable name of the kind of error.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::MalformedUser(_) => "malformed-user",
            Self::Unavailable { .. } => "groups-unavailable",
            Self::Late { .. } => "groups-late",
            Self::TooLong { .. } => "groups-too-long",
        }
    }
}
