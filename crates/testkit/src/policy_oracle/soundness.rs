//! Which changes a policy has to refuse.

use guardbee_model::Name;
use guardbee_policy::{Change, DataRule, Effect, GrantOption, Principal, Scope};

use super::World;

impl World {
    /// Must the change be refused in this state?
    #[must_use]
    pub fn refuses(&self, change: &Change) -> bool {
        match change {
            Change::RemoveRole(name) => is_built_in(name) || self.uses_role(name),
            Change::PutMembership(new) => {
                let role = Principal::Role(new.role.clone());
                role == Principal::public()
                    || self.lacks(&role)
                    || self.lacks(&new.member)
                    || self.would_close_a_circle(&new.role, &new.member)
            }
            Change::PutEntry(entry) => {
                entry.privileges.is_empty()
                    || (entry.effect == Effect::Deny && entry.grant_option == GrantOption::With)
                    || self.lacks(&entry.principal)
                    || entry.except.iter().any(|principal| self.lacks(principal))
                    || self.lacks_tag_of(&entry.scope)
            }
            Change::PutDataPolicy(policy) => {
                let fits = match policy.rule {
                    DataRule::RowFilter => matches!(policy.scope, Scope::Table { .. } | Scope::Tag { .. }),
                    DataRule::ColumnMask => {
                        matches!(policy.scope, Scope::Table { .. } | Scope::Column { .. } | Scope::Tag { .. })
                    }
                };
                !fits
                    || policy.principals.iter().chain(&*policy.except).any(|principal| self.lacks(principal))
                    || self.lacks_tag_of(&policy.scope)
            }
            Change::RemoveTag(name) => {
                let is_of = |scope: &Scope| matches!(scope, Scope::Tag { tag, .. } if tag == name);
                self.assignments.iter().any(|assignment| assignment.tag == *name)
                    || self.entries.iter().any(|entry| is_of(&entry.scope))
                    || self.data_policies.iter().any(|policy| is_of(&policy.scope))
            }
            Change::PutTagAssignment(assignment) => {
                match self.tags.iter().find(|tag| tag.name == assignment.tag) {
                    None => true,
                    Some(tag) => {
                        let value_is_known = |value| tag.allowed_values.contains(value);
                        !tag.allowed_values.is_empty()
                            && !assignment.value.as_ref().is_none_or(value_is_known)
                    }
                }
            }
            Change::PutOwner(ownership) => self.lacks(&ownership.owner),
            _ => false,
        }
    }

    /// Is it a role that there is not?
    fn lacks(&self, principal: &Principal) -> bool {
        match principal {
            Principal::Role(name) => !self.roles.iter().any(|role| role.name == *name),
            Principal::User(_) | Principal::Group(_) => false,
        }
    }

    fn lacks_tag_of(&self, scope: &Scope) -> bool {
        match scope {
            Scope::Tag { tag: name, .. } => !self.tags.iter().any(|tag| tag.name == *name),
            _ => false,
        }
    }

    fn uses_role(&self, name: &Name) -> bool {
        let role = Principal::Role(name.clone());
        self.memberships.iter().any(|old| old.role == *name || old.member == role)
            || self.entries.iter().any(|entry| entry.principal == role || entry.except.contains(&role))
            || self
                .data_policies
                .iter()
                .any(|policy| policy.principals.contains(&role) || policy.except.contains(&role))
            || self.owners.iter().any(|ownership| ownership.owner == role)
    }

    /// Is the role in the member already, by however many steps?
    fn would_close_a_circle(&self, role: &Name, member: &Principal) -> bool {
        let Principal::Role(member) = member else { return false };
        role == member
            || self.memberships.iter().any(|old| {
                old.member == Principal::Role(role.clone())
                    && self.would_close_a_circle(&old.role, &Principal::Role(member.clone()))
            })
    }
}

fn is_built_in(name: &Name) -> bool {
    matches!(name.as_str(), "public" | "admin")
}
