//! What a store should hold, kept the obvious way.

use std::collections::BTreeMap;

use guardbee_policy::Change;

/// The steps that are in force, by what they are about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model(BTreeMap<String, Change>);

impl Model {
    pub const EMPTY: Self = Self(BTreeMap::new());

    pub fn of(changes: impl IntoIterator<Item = Change>) -> Self {
        let mut model = Self::default();
        for change in changes {
            model.apply(change);
        }
        model
    }

    pub fn apply(&mut self, change: Change) {
        use Change as C;
        match &change {
            C::PutRole(role) => self.put(format!("role {:?}", role.name), change),
            C::RemoveRole(name) => self.remove(&format!("role {name:?}")),
            C::PutMembership(m) => self.put(format!("member {:?} {:?}", m.role, m.member), change),
            C::RemoveMembership { role, member } => self.remove(&format!("member {role:?} {member:?}")),
            C::PutEntry(entry) => self.put(format!("entry {:?}", entry.id), change),
            C::RemoveEntry(id) => self.remove(&format!("entry {id:?}")),
            C::PutDataPolicy(p) => self.put(format!("policy {:?} {:?}", p.rule, p.name), change),
            C::RemoveDataPolicy { rule, name } => self.remove(&format!("policy {rule:?} {name:?}")),
            C::PutTag(tag) => self.put(format!("tag {:?}", tag.name), change),
            C::RemoveTag(name) => self.remove(&format!("tag {name:?}")),
            C::PutTagAssignment(t) => self.put(format!("tagged {:?} {:?}", t.tag, t.resource), change),
            C::RemoveTagAssignment { tag, resource } => self.remove(&format!("tagged {tag:?} {resource:?}")),
            C::PutOwner(owner) => self.put(format!("owner {:?}", owner.resource), change),
            C::RemoveOwner(resource) => self.remove(&format!("owner {resource:?}")),
            C::PutSetting { key, .. } => self.put(format!("setting {key}"), change),
            C::RemoveSetting(key) => self.remove(&format!("setting {key}")),
        }
    }

    fn put(&mut self, key: String, change: Change) {
        self.0.insert(key, change);
    }

    fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}
