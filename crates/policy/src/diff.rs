//! The steps from one policy to another.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::index::hashed::HashedSet;
use crate::{Change, EntryId, Ownership, Policy, Principal};

impl Policy {
    /// The steps that make this policy the other one, in an order in which each can be taken. Takes time for
    /// what differs where one came of the other by steps, else for all that there is.
    #[must_use]
    pub fn diff(&self, other: &Self) -> Vec<Change> {
        let mut steps = self.settings.changes_to(&other.settings);
        let (mut removals, mut additions) = (Vec::new(), Vec::new());
        self.diff_entries(other, &mut removals, &mut additions);
        self.diff_data_policies(other, &mut removals, &mut additions);
        self.diff_tag_assignments(other, &mut removals, &mut additions);
        self.diff_memberships(other, &mut removals, &mut additions);
        self.diff_owners(other, &mut removals, &mut additions);
        steps.extend(removals);
        // What the additions name must be there before them, and what the removals named goes last.
        let new_roles = other.roles().filter(|role| self.role(&role.name) != Some(role));
        steps.extend(new_roles.cloned().map(Change::PutRole));
        let new_tags = other.tags().filter(|tag| self.tag(&tag.name) != Some(tag));
        steps.extend(new_tags.cloned().map(Change::PutTag));
        steps.extend(additions);
        let old_tags = self.tags().filter(|tag| other.tag(&tag.name).is_none());
        steps.extend(old_tags.map(|tag| Change::RemoveTag(tag.name.clone())));
        let old_roles = self.roles().filter(|role| other.role(&role.name).is_none());
        steps.extend(old_roles.map(|role| Change::RemoveRole(role.name.clone())));
        steps
    }

    fn diff_entries(&self, other: &Self, removals: &mut Vec<Change>, additions: &mut Vec<Change>) {
        let (ours, theirs) = self.nodes.unshared(&other.nodes);
        let ids: BTreeSet<EntryId> =
            ours.into_iter().chain(theirs).flat_map(|node| node.entries().map(|(_, cell)| cell.id)).collect();
        for id in ids {
            match (self.entry(id), other.entry(id)) {
                (Some(_), None) => removals.push(Change::RemoveEntry(id)),
                (before, Some(after)) if before.as_ref() != Some(&after) => {
                    additions.push(Change::PutEntry(after));
                }
                _ => {}
            }
        }
    }

    fn diff_data_policies(&self, other: &Self, removals: &mut Vec<Change>, additions: &mut Vec<Change>) {
        let old =
            self.data_policies().filter(|policy| other.data_policy(policy.rule, &policy.name).is_none());
        removals.extend(
            old.map(|policy| Change::RemoveDataPolicy { rule: policy.rule, name: policy.name.clone() }),
        );
        let new = other
            .data_policies()
            .filter(|policy| self.data_policy(policy.rule, &policy.name) != Some(policy));
        additions.extend(new.cloned().map(Change::PutDataPolicy));
    }

    fn diff_tag_assignments(&self, other: &Self, removals: &mut Vec<Change>, additions: &mut Vec<Change>) {
        fn keyed(policy: &Policy) -> BTreeMap<(&crate::Resource, &str), &crate::TagAssignment> {
            policy
                .tag_assignments()
                .map(|assignment| ((&assignment.resource, assignment.tag.as_str()), assignment))
                .collect()
        }
        let (before, after) = (keyed(self), keyed(other));
        let old = before.iter().filter(|(key, _)| !after.contains_key(*key));
        removals.extend(old.map(|(_, assignment)| Change::RemoveTagAssignment {
            tag: assignment.tag.clone(),
            resource: assignment.resource.clone(),
        }));
        let new = after.iter().filter(|(key, assignment)| before.get(*key) != Some(assignment));
        additions.extend(new.map(|(_, assignment)| Change::PutTagAssignment((*assignment).clone())));
    }

    fn diff_memberships(&self, other: &Self, removals: &mut Vec<Change>, additions: &mut Vec<Change>) {
        fn keyed(policy: &Policy) -> BTreeMap<(&str, &Principal), &crate::Membership> {
            policy
                .memberships()
                .map(|membership| ((membership.role.as_str(), &membership.member), membership))
                .collect()
        }
        let (before, after) = (keyed(self), keyed(other));
        let old = before.iter().filter(|(key, _)| !after.contains_key(*key));
        removals.extend(old.map(|(_, membership)| Change::RemoveMembership {
            role: membership.role.clone(),
            member: membership.member.clone(),
        }));
        let new = after.iter().filter(|(key, membership)| before.get(*key) != Some(membership));
        additions.extend(new.map(|(_, membership)| Change::PutMembership((*membership).clone())));
    }

    fn diff_owners(&self, other: &Self, removals: &mut Vec<Change>, additions: &mut Vec<Change>) {
        let (ours, theirs) = unshared(&self.owners, &other.owners);
        let old = ours.into_iter().filter(|ownership| other.owner(&ownership.resource).is_none());
        removals.extend(old.map(|ownership| Change::RemoveOwner(ownership.resource.clone())));
        let is_new =
            |ownership: &&Arc<Ownership>| self.owner(&ownership.resource) != other.owner(&ownership.resource);
        let new = theirs.into_iter().filter(is_new);
        additions.extend(new.map(|ownership| Change::PutOwner(Ownership::clone(ownership))));
    }
}

type Both<'o> = (Vec<&'o Arc<Ownership>>, Vec<&'o Arc<Ownership>>);

/// The owners of either side that are not in the parts that both share, by resource.
fn unshared<'o>(ours: &'o HashedSet<Arc<Ownership>>, theirs: &'o HashedSet<Arc<Ownership>>) -> Both<'o> {
    let (mut ours, mut theirs) = ours.unshared(theirs);
    ours.sort_by(|one, other| one.resource.cmp(&other.resource));
    theirs.sort_by(|one, other| one.resource.cmp(&other.resource));
    (ours, theirs)
}
