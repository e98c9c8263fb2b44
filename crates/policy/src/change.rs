//! What can happen to a policy, one step at a time.

use guardbee_model::Name;
use smol_str::SmolStr;

use crate::entry::{DataPolicy, DataRule, Entry, EntryId, Membership, Ownership, Role, Tag, TagAssignment};
use crate::{Principal, Resource};

/// One step. Steps are complete in themselves and applying one twice is as good as once: a store keeps
/// them, a second process follows them. A `Put` takes the place of what has the same key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    PutRole(Role),
    /// Everything that names the role must be removed before, by steps of its own.
    RemoveRole(Name),
    /// Key: role and member.
    PutMembership(Membership),
    RemoveMembership {
        role: Name,
        member: Principal,
    },
    /// Key: the id.
    PutEntry(Entry),
    RemoveEntry(EntryId),
    /// Key: kind and name.
    PutDataPolicy(DataPolicy),
    RemoveDataPolicy {
        rule: DataRule,
        name: Name,
    },
    PutTag(Tag),
    RemoveTag(Name),
    /// Key: tag and resource.
    PutTagAssignment(TagAssignment),
    RemoveTagAssignment {
        tag: Name,
        resource: Resource,
    },
    /// Key: the resource.
    PutOwner(Ownership),
    RemoveOwner(Resource),
    /// The rule book, the server's name and the other settings that decide with the entries; see
    /// [`Settings`](crate::Settings) for the keys.
    PutSetting {
        key: SmolStr,
        value: SmolStr,
    },
    RemoveSetting(SmolStr),
}
