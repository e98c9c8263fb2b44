//! One step of change: what is checked before it, and what it does.

use std::sync::Arc;

use guardbee_model::Name;
use rustc_hash::FxHashSet;

use crate::index::cell::{Cell, Details, GrantorNumber, Record};
use crate::index::data::DataRecord;
use crate::index::node::{hash_of_home, home};
use crate::index::principals::PrincipalNode;
use crate::index::tags::hash_of_resource;
use crate::policy::{Stamp, is_built_in, is_public};
use crate::{
    BookName, Change, ChangeError, DataPolicy, DataRule, Effect, Entry, EntryId, Membership, NamePattern,
    Ownership, Policy, Principal, PrincipalKind, Resource, Role, Scope, SettingError, Settings, Tag,
    TagAssignment,
};

impl Policy {
    /// Takes one step. On a policy with clones only what the step touches is copied.
    ///
    /// # Errors
    /// [`ChangeError`] where the step cannot be taken. Nothing has changed then.
    pub fn apply(&mut self, change: Change) -> Result<(), ChangeError> {
        // Subjects that were looked up before must not be taken for ones of what comes now.
        if Arc::get_mut(&mut self.stamp).is_none() {
            self.stamp = Stamp::new();
        }
        match change {
            Change::PutRole(role) => self.put_role(role),
            Change::RemoveRole(name) => self.remove_role(&name),
            Change::PutMembership(membership) => self.put_membership(membership),
            Change::RemoveMembership { role, member } => self.remove_membership(&role, &member),
            Change::PutEntry(entry) => self.put_entry(entry),
            Change::RemoveEntry(id) => {
                self.remove_entry(id);
                Ok(())
            }
            Change::PutDataPolicy(policy) => self.put_data_policy(policy),
            Change::RemoveDataPolicy { rule, name } => {
                self.remove_data_policy(rule, &name);
                Ok(())
            }
            Change::PutTag(tag) => self.put_tag(tag),
            Change::RemoveTag(name) => self.remove_tag(&name),
            Change::PutTagAssignment(assignment) => self.put_tag_assignment(assignment),
            Change::RemoveTagAssignment { tag, resource } => {
                self.tags.remove(&tag, &resource);
                Ok(())
            }
            Change::PutOwner(ownership) => self.put_owner(ownership),
            Change::RemoveOwner(resource) => {
                self.remove_owner(&resource);
                Ok(())
            }
            Change::PutSetting { key, value } => self.put_setting(&key, &value),
            Change::RemoveSetting(key) => {
                let mut settings = Settings::clone(&self.settings);
                settings.reset(&key).map_err(|_| ChangeError::UnknownSetting(key))?;
                self.settings = Arc::new(settings);
                Ok(())
            }
        }
    }

    fn put_role(&mut self, role: Role) -> Result<(), ChangeError> {
        check_text(&role.name)?;
        let book = self.settings.rule_book;
        if is_reserved(&role.name, book) {
            return Err(ChangeError::ReservedRoleName { name: role.name, book });
        }
        self.add_role(role);
        Ok(())
    }

    fn remove_role(&mut self, name: &Name) -> Result<(), ChangeError> {
        if is_built_in(name) {
            return Err(ChangeError::BuiltInRole(name.clone()));
        }
        let in_use = |node: &PrincipalNode| {
            !(node.members.is_empty() && node.memberships.is_empty() && node.entries.is_empty())
                || node.mentions > 0
        };
        let Some(number) = self.principals.number_of(PrincipalKind::Role, name) else { return Ok(()) };
        if self.principals.get(number).is_some_and(in_use) {
            return Err(ChangeError::RoleInUse(name.clone()));
        }
        if let Some(node) = self.principals.get_mut(number) {
            node.is_role = false;
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
        self.principals.put_membership(membership);
        Ok(())
    }

    fn remove_membership(&mut self, role: &Name, member: &Principal) -> Result<(), ChangeError> {
        if is_public(role) {
            return Err(ChangeError::PublicMembers);
        }
        self.principals.remove_membership(role, member);
        Ok(())
    }

    /// Is `role` the role `other`, or in it over any number of roles?
    fn belongs_to(&self, role: &Name, other: &Name) -> bool {
        let number = |role: &Name| self.principals.number_of(PrincipalKind::Role, role);
        let (Some(role), Some(other)) = (number(role), number(other)) else { return false };
        let mut found = FxHashSet::default();
        let mut open = vec![role];
        while let Some(role) = open.pop() {
            if role == other {
                return true;
            }
            if found.insert(role) {
                open.extend(self.principals.get(role).into_iter().flat_map(|node| &node.roles));
            }
        }
        false
    }

    fn put_entry(&mut self, entry: Entry) -> Result<(), ChangeError> {
        self.check_entry(&entry)?;
        // An id that has never been used is not looked for. The last one is never past.
        if entry.id < self.next_entry_id || entry.id.0 == u64::MAX {
            self.remove_entry(entry.id);
        }
        let (scope, cell) = self.register(entry);
        self.nodes.insert(&scope, cell);
        self.principals.add_entries(cell.principal, [cell.id]);
        Ok(())
    }

    pub(crate) fn check_entry(&self, entry: &Entry) -> Result<(), ChangeError> {
        if entry.privileges.is_empty() {
            return Err(ChangeError::EmptyPrivileges(entry.id));
        }
        if entry.effect == Effect::Deny && entry.grant_option.is_with() {
            return Err(ChangeError::GrantOptionOnDenial(entry.id));
        }
        self.check_scope(&entry.scope)?;
        self.check_principal(&entry.principal)?;
        entry.except.iter().try_for_each(|principal| self.check_principal(principal))?;
        if !self.nodes.has_room(&entry.scope) {
            return Err(ChangeError::TooManyColumns(entry.id));
        }
        Ok(())
    }

    /// Makes a new entry known everywhere but at the place where it stands and with the principal that it names.
    pub(crate) fn register(&mut self, entry: Entry) -> (Scope, Cell) {
        self.reserve_entry_ids(EntryId(entry.id.0.saturating_add(1)));
        let details = Details {
            except: entry.except.iter().map(|named| self.principals.number_or_add(named)).collect(),
            validity: entry.validity,
            purpose: entry.purpose.clone(),
        };
        details.except.iter().for_each(|&number| self.principals.count_mention(number, 1));
        let cell = Cell::new(&entry, self.principals.number_or_add(&entry.principal), &details);
        let grantor = entry.grantor.and_then(|grantor| {
            GrantorNumber::new(self.principals.number_or_add(&grantor).saturating_add(1))
        });
        self.records.insert(Record {
            id: entry.id,
            node: hash_of_home(&entry.scope),
            created_at: entry.created_at,
            details: details.kept(),
            principal: cell.principal,
            grantor,
        });
        if home(&entry.scope).has_pattern()
            && let Some(principal) = self.principals.get_mut(cell.principal)
        {
            let patterns = principal.patterns.get_or_insert_default();
            Arc::make_mut(patterns).insert(entry.scope.clone(), cell);
        }
        if let Scope::Tag { tag, .. } = &entry.scope {
            self.tags.count_use(tag, 1);
        }
        (entry.scope, cell)
    }

    fn remove_entry(&mut self, id: EntryId) {
        let Some(record) = self.records.remove(&id) else { return };
        let Some((scope, _)) = self.nodes.remove(&record) else { return };
        for number in record.details.iter().flat_map(|details| &details.except) {
            self.principals.count_mention(*number, -1);
        }
        if let Some(principal) = self.principals.get_mut(record.principal) {
            principal.entries.remove(&id);
            if let Some(patterns) = &mut principal.patterns {
                let known = Arc::make_mut(patterns);
                known.remove(&scope, id);
                if known.is_empty() {
                    principal.patterns = None;
                }
            }
        }
        if let Scope::Tag { tag, .. } = &scope {
            self.tags.count_use(tag, -1);
        }
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
        self.remove_data_policy(policy.rule, &policy.name);
        if let Scope::Tag { tag, .. } = &policy.scope {
            self.tags.count_use(tag, 1);
        }
        let principals = policy.principals.iter().map(|named| self.principals.number_or_add(named)).collect();
        let except = policy.except.iter().map(|named| self.principals.number_or_add(named)).collect();
        let record = DataRecord { policy, principals, except };
        self.count_mentions(&record, 1);
        self.data.put(record);
        Ok(())
    }

    fn remove_data_policy(&mut self, rule: DataRule, name: &Name) {
        let Some(old) = self.data.remove(rule, name) else { return };
        self.count_mentions(&old, -1);
        if let Scope::Tag { tag, .. } = &old.policy.scope {
            self.tags.count_use(tag, -1);
        }
    }

    fn count_mentions(&mut self, record: &DataRecord, step: isize) {
        for number in record.principals.iter().chain(&record.except) {
            self.principals.count_mention(*number, step);
        }
    }

    fn put_tag(&mut self, tag: Tag) -> Result<(), ChangeError> {
        check_text(&tag.name)?;
        self.tags.definitions.insert(Arc::new(tag));
        Ok(())
    }

    fn remove_tag(&mut self, name: &Name) -> Result<(), ChangeError> {
        if self.tags.is_used(name) {
            return Err(ChangeError::TagInUse(name.clone()));
        }
        self.tags.definitions.remove(name);
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
        self.tags.put(assignment);
        Ok(())
    }

    fn put_owner(&mut self, ownership: Ownership) -> Result<(), ChangeError> {
        check_resource(&ownership.resource)?;
        self.check_principal(&ownership.owner)?;
        self.remove_owner(&ownership.resource);
        let owner = self.principals.number_or_add(&ownership.owner);
        self.principals.count_mention(owner, 1);
        self.owners.insert(Arc::new(ownership));
        Ok(())
    }

    fn remove_owner(&mut self, resource: &Resource) {
        let old = self.owners.remove(hash_of_resource(resource), |known| known.resource == *resource);
        if let Some(owner) = old.and_then(|old| self.principals.number(&old.owner)) {
            self.principals.count_mention(owner, -1);
        }
    }

    fn put_setting(&mut self, key: &str, value: &str) -> Result<(), ChangeError> {
        let mut settings = Settings::clone(&self.settings);
        settings.set(key, value).map_err(|error| match error {
            SettingError::UnknownKey => ChangeError::UnknownSetting(key.into()),
            SettingError::UnknownValue { allowed } => {
                ChangeError::SettingValue { key: key.into(), value: value.into(), allowed }
            }
        })?;
        self.settings = Arc::new(settings);
        Ok(())
    }

    fn check_role(&self, name: &Name) -> Result<(), ChangeError> {
        check_text(name)?;
        let number = self.principals.number_of(PrincipalKind::Role, name);
        let is_role = number.and_then(|number| self.principals.get(number)).is_some_and(|node| node.is_role);
        if is_role { Ok(()) } else { Err(ChangeError::UnknownRole(name.clone())) }
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

/// `SET ROLE ALL` and its kin mean something else; Sentry keeps two more names.
fn is_reserved(name: &Name, book: BookName) -> bool {
    match name.as_str() {
        "all" | "default" | "none" => true,
        "superuser" | "public" => book == BookName::Sentry,
        _ => false,
    }
}
