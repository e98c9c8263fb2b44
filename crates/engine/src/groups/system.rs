//! Groups as the machine knows them.

use std::ffi::CString;

use nix::unistd::{Group, User, getgrouplist};
use smol_str::SmolStr;

use super::{GroupError, GroupMapping};

/// Asks the machine (`getgrouplist`), and through it whatever it is set up to ask.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemGroups;

impl GroupMapping for SystemGroups {
    fn groups_of(&self, user: &str) -> Result<Vec<SmolStr>, GroupError> {
        let unavailable =
            |error: nix::Error| GroupError::Unavailable { user: user.to_owned(), reason: error.to_string() };
        let name = CString::new(user).map_err(|_| GroupError::MalformedUser(user.to_owned()))?;
        let Some(account) = User::from_name(user).map_err(unavailable)? else { return Ok(Vec::new()) };
        let mut groups = Vec::new();
        for id in getgrouplist(&name, account.gid).map_err(unavailable)? {
            // A group without a name has nothing that an entry could stand on.
            groups.extend(Group::from_gid(id).map_err(unavailable)?.map(|group| SmolStr::new(group.name)));
        }
        Ok(groups)
    }

    fn is_only_group(&self, name: &str) -> bool {
        matches!(User::from_name(name), Ok(None)) && matches!(Group::from_name(name), Ok(Some(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_in_a_group_and_a_stranger_in_none() {
        assert!(!SystemGroups.groups_of("root").unwrap().is_empty());
        assert!(SystemGroups.groups_of("no such user here").unwrap().is_empty());
        assert!(SystemGroups.groups_of("a\0b").is_err());
    }
}
