//! One step of change: what is checked before it, and what it does.

use guardbee_model::Name;

use crate::policy::{ADMIN, is_built_in};
use crate::{
    BookName, Change, ChangeError, DataPolicy, DataRule, Effect, Entry, EntryId, Membership, NamePattern,
    Policy, Principal, Resource, Role, Scope, SettingError, Settings, Tag, TagAssignment,
};

impl Policy {
    /// Takes one step. On a policy with clones only what the step touches is copied.
    ///
    /// # Errors
    /// [`ChangeError`] where the step cannot be taken. Nothing has changed then.
    pub fn apply(&mut self, change: Change) -> Result<(), ChangeError> {
        match change {
            Change::PutRole(role) => self.put_role(role),
            Change::RemoveRole(name) => self.remove_role(&name),
            Change::PutMembership(membership) => self.put_membership(membership),
            Change::RemoveMembership { role, member } => self.remove_membership(role, member),
            Change::PutEntry(entry) => self.put_entry(entry),
            Change::RemoveEntry(id) => {
                self.entries.remove(&id);
                Ok(())
            }
            Change::PutDataPolicy(policy) => self.put_data_policy(policy),
            Change::RemoveDataPolicy { rule, name } => {
                self.data_policies.remove(&(rule, name));
                Ok(())
            }
            Change::PutTag(tag) => self.put_tag(tag),
            Change::RemoveTag(name) => self.remove_tag(&name),
            Change::PutTagAssignment(assignment) => self.put_tag_assignment(assignment),
            Change::RemoveTagAssignment { tag, resource } => {
                self.tag_assignments.remove(&(resource, tag));
                Ok(())
            }
            Change::PutOwner(ownership) => {
                check_resource(&ownership.resource)?;
                check_principal_name(&ownership.owner)?;
                self.owners.insert(ownership.resource, ownership.owner);
                Ok(())
            }
            Change::RemoveOwner(resource) => {
                self.owners.remove(&resource);
                Ok(())
            }
            Change::PutSetting { key, value } => self.put_setting(&key, &value),
            Change::RemoveSetting(key) => {
                let value =
                    Settings::default().get(&key).ok_or_else(|| ChangeError::UnknownSetting(key.clone()))?;
                self.put_setting(&key, &value)
            }
        }
    }

    fn put_role(&mut self, role: Role) -> Result<(), ChangeError> {
        check_text(&role.name)?;
        let book = self.settings.rule_book;
        if is_reserved(&role.name, book) {
            return Err(ChangeError::ReservedRoleName { name: role.name, book });
        }
        self.roles.insert(role.name.clone(), role);
        Ok(())
    }

    fn remove_role(&mut self, name: &Name) -> Result<(), ChangeError> {
        if is_built_in(name) {
            return Err(ChangeError::BuiltInRole(name.clone()));
        }
        let principal = Principal::Role(name.clone());
        let in_use = self.members_of(name).next().is_some()
            || self.memberships_of(&principal).next().is_some()
            || self.entries_of(&principal).next().is_some();
        if in_use {
            return Err(ChangeError::RoleInUse(name.clone()));
        }
        self.roles.remove(name);
        Ok(())
    }

    fn put_membership(&mut self, membership: Membership) -> Result<(), ChangeError> {
        self.check_role(&membership.role)?;
        self.check_principal(&membership.member)?;
        if is_public(&membership.role) {
            return Err(ChangeError::PublicMembers);
        }
        if let Principal::Role(member) = &membership.member
            && self.belongs_to(&membership.role, member)
        {
            return Err(ChangeError::Cycle { role: membership.role, member: member.clone() });
        }
        self.memberships.insert((membership.role.clone(), membership.member.clone()), membership);
        Ok(())
    }

    fn remove_membership(&mut self, role: Name, member: Principal) -> Result<(), ChangeError> {
        if is_public(&role) {
            return Err(ChangeError::PublicMembers);
        }
        self.memberships.remove(&(role, member));
        Ok(())
    }

    /// Is `role` the role `other`, or in it over any number of roles?
    fn belongs_to(&self, role: &Name, other: &Name) -> bool {
        let mut found = vec![role.clone()];
        let mut next = 0;
        while let Some(role) = found.get(next).cloned() {
            if role == *other {
                return true;
            }
            for membership in self.memberships_of(&Principal::Role(role)) {
                if !found.contains(&membership.role) {
                    found.push(membership.role.clone());
                }
            }
            next += 1;
        }
        false
    }

    fn put_entry(&mut self, entry: Entry) -> Result<(), ChangeError> {
        if entry.privileges.is_empty() {
            return Err(ChangeError::EmptyPrivileges(entry.id));
        }
        if entry.effect == Effect::Deny && entry.grant_option.is_with() {
            return Err(ChangeError::GrantOptionOnDenial(entry.id));
        }
        self.check_scope(&entry.scope)?;
        self.check_principal(&entry.principal)?;
        entry.except.iter().try_for_each(|principal| self.check_principal(principal))?;
        self.reserve_entry_ids(EntryId(entry.id.0.saturating_add(1)));
        self.entries.insert(entry.id, entry);
        Ok(())
    }

    fn put_data_policy(&mut self, policy: DataPolicy) -> Result<(), ChangeError> {
        check_text(&policy.name)?;
        let fits = match policy.scope {
            Scope::Table { .. } | Scope::Tag { .. } => true,
            Scope::Column { .. } => policy.rule == DataRule::ColumnMask,
            _ => false,
        };
        if !fits {
            return Err(ChangeError::DataPolicyScope { policy: policy.name, scope: policy.scope });
        }
        self.check_scope(&policy.scope)?;
        policy.principals.iter().chain(&*policy.except).try_for_each(|named| self.check_principal(named))?;
        self.data_policies.insert((policy.rule, policy.name.clone()), policy);
        Ok(())
    }

    fn put_tag(&mut self, tag: Tag) -> Result<(), ChangeError> {
        check_text(&tag.name)?;
        self.tags.insert(tag.name.clone(), tag);
        Ok(())
    }

    fn remove_tag(&mut self, name: &Name) -> Result<(), ChangeError> {
        let names_it = |scope: &Scope| matches!(scope, Scope::Tag { tag, .. } if tag == name);
        let in_use = self.tag_assignments().any(|assignment| assignment.tag == *name)
            || self.entries().any(|entry| names_it(&entry.scope))
            || self.data_policies().any(|policy| names_it(&policy.scope));
        if in_use {
            return Err(ChangeError::TagInUse(name.clone()));
        }
        self.tags.remove(name);
        Ok(())
    }

    fn put_tag_assignment(&mut self, assignment: TagAssignment) -> Result<(), ChangeError> {
        check_resource(&assignment.resource)?;
        let tag = self.tag(&assignment.tag).ok_or_else(|| ChangeError::UnknownTag(assignment.tag.clone()))?;
        if let Some(value) = &assignment.value
            && !(tag.allowed_values.is_empty() || tag.allowed_values.contains(value))
        {
            return Err(ChangeError::TagValueNotAllowed { tag: tag.name.clone(), value: value.clone() });
        }
        self.tag_assignments.insert((assignment.resource.clone(), assignment.tag.clone()), assignment);
        Ok(())
    }

    fn put_setting(&mut self, key: &str, value: &str) -> Result<(), ChangeError> {
        self.settings.set(key, value).map_err(|error| match error {
            SettingError::UnknownKey => ChangeError::UnknownSetting(key.into()),
            SettingError::UnknownValue { allowed } => {
                ChangeError::SettingValue { key: key.into(), value: value.into(), allowed }
            }
        })
    }

    fn check_role(&self, name: &Name) -> Result<(), ChangeError> {
        check_text(name)?;
        self.role(name).map(|_| ()).ok_or_else(|| ChangeError::UnknownRole(name.clone()))
    }

    fn check_principal(&self, principal: &Principal) -> Result<(), ChangeError> {
        match principal {
            Principal::Role(name) => self.check_role(name),
            Principal::User(_) | Principal::Group(_) => check_principal_name(principal),
        }
    }

    fn check_scope(&self, scope: &Scope) -> Result<(), ChangeError> {
        let check = |pattern: &NamePattern| check_text(pattern.as_str());
        match scope {
            Scope::Server | Scope::Uri(_) => Ok(()),
            Scope::Database(name) | Scope::Connector(name) => check(name),
            Scope::Table { database, table: name } | Scope::Function { database, function: name } => {
                check(database).and_then(|()| check(name))
            }
            Scope::Column { database, table, column } => {
                check(database).and_then(|()| check(table)).and_then(|()| check(column))
            }
            Scope::Tag { tag, .. } => {
                self.tag(tag).map(|_| ()).ok_or_else(|| ChangeError::UnknownTag(tag.clone()))
            }
        }
    }
}

fn check_text(name: &str) -> Result<(), ChangeError> {
    if name.trim().is_empty() { Err(ChangeError::EmptyName) } else { Ok(()) }
}

fn check_principal_name(principal: &Principal) -> Result<(), ChangeError> {
    check_text(principal.name())
}

fn check_resource(resource: &Resource) -> Result<(), ChangeError> {
    match resource {
        Resource::Server | Resource::Uri(_) => Ok(()),
        Resource::Database(name) | Resource::Connector(name) | Resource::Service(name) => check_text(name),
        Resource::Table(name) => check_text(&name.database).and_then(|()| check_text(&name.table)),
        Resource::Column(name) => check_text(&name.table.database)
            .and_then(|()| check_text(&name.table.table))
            .and_then(|()| check_text(&name.column)),
        Resource::Function { function, .. } => check_text(function),
    }
}

fn is_public(role: &Name) -> bool {
    is_built_in(role) && *role != ADMIN
}

/// `SET ROLE ALL` and its kin mean something else; Sentry keeps two more names.
fn is_reserved(name: &Name, book: BookName) -> bool {
    match name.as_str() {
        "all" | "default" | "none" => true,
        "superuser" | "public" => book == BookName::Sentry,
        _ => false,
    }
}
