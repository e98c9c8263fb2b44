//! Groups that are written down.

use std::collections::HashMap;
use std::path::Path;

use smol_str::SmolStr;

use super::{GroupError, GroupMapping};

/// The groups of each user, from a map or a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FixedGroups {
    users: HashMap<SmolStr, Vec<SmolStr>>,
}

/// Why a file of groups cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum GroupFileError {
    #[error("the file of groups cannot be read")]
    Unreadable(#[from] std::io::Error),
    /// Lines count from 1.
    #[error("line {line}: expected `user = group, group`")]
    Malformed { line: usize },
}

impl FixedGroups {
    #[must_use]
    pub fn new(users: impl IntoIterator<Item = (SmolStr, Vec<SmolStr>)>) -> Self {
        Self { users: users.into_iter().collect() }
    }

    /// Reads `user = group, group` from each line, as the `[users]` section of Sentry's policy file has it.
    /// Empty lines, sections and lines that start with `#` are passed over.
    ///
    /// # Errors
    /// [`GroupFileError::Malformed`] for the first line that is something else.
    pub fn parse(text: &str) -> Result<Self, GroupFileError> {
        let mut users = HashMap::new();
        for (place, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', '[']) {
                continue;
            }
            let malformed = || GroupFileError::Malformed { line: place + 1 };
            let (user, groups) = line.split_once('=').ok_or_else(malformed)?;
            let user = user.trim();
            if user.is_empty() {
                return Err(malformed());
            }
            let groups = groups.split(',').map(str::trim).filter(|group| !group.is_empty());
            users.insert(SmolStr::new(user), groups.map(SmolStr::new).collect());
        }
        Ok(Self { users })
    }

    /// Reads a file as [`parse`](Self::parse) does.
    ///
    /// # Errors
    /// [`GroupFileError`] where it cannot be read or holds something else.
    pub fn read(path: &Path) -> Result<Self, GroupFileError> {
        Self::parse(&std::fs::read_to_string(path)?)
    }
}

impl GroupMapping for FixedGroups {
    fn answers_at_once(&self, _user: &str) -> bool {
        true
    }

    fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError> {
        Ok(self.users.get(user).cloned().unwrap_or_default())
    }

    fn is_only_group(&self, name: &str) -> bool {
        !self.users.contains_key(name) && self.users.values().flatten().any(|group| group == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_and_groups_keep_their_case() {
        let groups = FixedGroups::parse("[users]\n# who\nana = analysts , Staff\nbob =\n").unwrap();
        assert_eq!(groups.groups_of("ana").unwrap(), ["analysts", "Staff"]);
        assert_eq!(groups.groups_of("ANA").unwrap(), [] as [&str; 0]);
        assert_eq!(groups.groups_of("bob").unwrap(), [] as [&str; 0]);
    }

    #[test]
    fn a_line_without_a_user_is_told() {
        let error = FixedGroups::parse("ana = a\n\n= b\n").unwrap_err();
        assert_eq!(error.to_string(), "line 3: expected `user = group, group`");
    }
}
