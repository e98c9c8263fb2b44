//! The principals of a policy: their numbers, what they are in, and which entries name them.

use std::sync::Arc;

use guardbee_model::Name;
use smallvec::SmallVec;

use crate::index::cell::{Cell, PrincipalNumber};
use crate::index::hashed::{Hashed, HashedSet, hash_of};
use crate::index::node::database_of;
use crate::index::slots::Slots;
use crate::index::sorted::{Keyed, Sorted};
use crate::{EntryId, Membership, NamePattern, Principal, PrincipalKind, Resource, Scope};

/// Every principal that the policy has ever named. A number stays with its principal for ever.
#[derive(Debug, Clone, Default)]
pub(crate) struct Principals {
    numbers: HashedSet<Numbered>,
    nodes: Slots<Arc<PrincipalNode>>,
}

#[derive(Debug, Clone, Copy)]
struct Numbered {
    hash: u64,
    number: PrincipalNumber,
}

impl Hashed for Numbered {
    fn hash(&self) -> u64 {
        self.hash
    }
}

/// What is known of one principal.
#[derive(Debug, Clone)]
pub(crate) struct PrincipalNode {
    pub(crate) principal: Principal,
    /// Is it a role that there is?
    pub(crate) is_role: bool,
    /// How many exceptions, data policies and owners name it.
    pub(crate) mentions: usize,
    /// The roles it is in directly; `memberships` says the same at more length, in the same order.
    pub(crate) roles: SmallVec<[PrincipalNumber; 4]>,
    pub(crate) memberships: Vec<Arc<Membership>>,
    /// Of a role: who is in it directly.
    pub(crate) members: Sorted<Member>,
    /// The entries that name it.
    pub(crate) entries: Sorted<EntryId>,
    pub(crate) patterns: Option<Arc<Patterns>>,
}

/// A member of a role.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    number: PrincipalNumber,
    pub(crate) membership: Arc<Membership>,
}

impl Keyed for Member {
    type Key = PrincipalNumber;

    fn key(&self) -> PrincipalNumber {
        self.number
    }
}

impl Keyed for EntryId {
    type Key = Self;

    fn key(&self) -> Self {
        *self
    }
}

/// The entries of a principal at names with `*`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patterns {
    /// Those of one database, by its name.
    in_database: Sorted<PatternCell>,
    across: Sorted<PatternCell>,
}

/// An entry with the names that it stands on.
#[derive(Debug, Clone)]
pub(crate) struct PatternCell {
    database: Name,
    pub(crate) scope: Scope,
    pub(crate) cell: Cell,
}

impl Keyed for PatternCell {
    type Key = (Name, EntryId);

    fn key(&self) -> Self::Key {
        (self.database.clone(), self.cell.id)
    }
}

impl Patterns {
    pub(crate) fn insert(&mut self, scope: Scope, cell: Cell) {
        let (database, is_one) = database_text(&scope);
        let side = if is_one { &mut self.in_database } else { &mut self.across };
        side.insert(PatternCell { database, scope, cell });
    }

    pub(crate) fn remove(&mut self, scope: &Scope, id: EntryId) {
        let (database, is_one) = database_text(scope);
        let side = if is_one { &mut self.in_database } else { &mut self.across };
        side.remove(&(database, id));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.in_database.is_empty() && self.across.is_empty()
    }

    /// The entries that may have to do with a resource.
    pub(crate) fn near<'p>(&'p self, resource: &Resource) -> impl Iterator<Item = &'p PatternCell> + use<'p> {
        let database = resource.database().cloned();
        let near = database.into_iter().flat_map(|database| {
            let start = (database.clone(), EntryId(0));
            self.in_database.from(&start).take_while(move |pattern| pattern.database == database)
        });
        near.chain(self.across.iter())
    }
}

/// The database that a scope is in as text, and whether that is the name of one.
fn database_text(scope: &Scope) -> (Name, bool) {
    database_of(scope).map_or((Name::default(), false), |database: &NamePattern| {
        (Name::fold(database.as_str()), database.is_literal())
    })
}

fn hash_of_principal(kind: PrincipalKind, name: &str) -> u64 {
    hash_of(kind as u8, &[name])
}

impl Principals {
    pub(crate) fn number(&self, principal: &Principal) -> Option<PrincipalNumber> {
        self.number_of(principal.kind(), principal.name())
    }

    pub(crate) fn number_of(&self, kind: PrincipalKind, name: &str) -> Option<PrincipalNumber> {
        let is_it = |numbered: &Numbered| {
            self.get(numbered.number)
                .is_some_and(|node| node.principal.kind() == kind && node.principal.name() == name)
        };
        self.numbers.find(hash_of_principal(kind, name), is_it).map(|numbered| numbered.number)
    }

    /// The number of a principal, which gets one where it has none.
    pub(crate) fn number_or_add(&mut self, principal: &Principal) -> PrincipalNumber {
        if let Some(number) = self.number(principal) {
            return number;
        }
        // There are no four billion principals: the names alone would not fit.
        let number = PrincipalNumber::try_from(self.nodes.len()).unwrap_or(PrincipalNumber::MAX);
        self.nodes.push(Arc::new(PrincipalNode {
            principal: principal.clone(),
            is_role: false,
            mentions: 0,
            roles: SmallVec::new(),
            memberships: Vec::new(),
            members: Sorted::default(),
            entries: Sorted::default(),
            patterns: None,
        }));
        self.numbers.insert(Numbered { hash: hash_of_principal(principal.kind(), principal.name()), number });
        number
    }

    pub(crate) fn get(&self, number: PrincipalNumber) -> Option<&PrincipalNode> {
        self.nodes.get(number as usize).map(|node| &**node)
    }

    pub(crate) fn get_mut(&mut self, number: PrincipalNumber) -> Option<&mut PrincipalNode> {
        self.nodes.get_mut(number as usize).map(Arc::make_mut)
    }

    /// Notes entries that name a principal.
    pub(crate) fn add_entries(&mut self, number: PrincipalNumber, ids: impl IntoIterator<Item = EntryId>) {
        if let Some(node) = self.get_mut(number) {
            for id in ids {
                node.entries.insert(id);
            }
        }
    }

    /// Counts that something names a principal, or does no longer.
    pub(crate) fn count_mention(&mut self, number: PrincipalNumber, step: isize) {
        if let Some(node) = self.get_mut(number) {
            node.mentions = node.mentions.saturating_add_signed(step);
        }
    }

    pub(crate) fn find(&self, principal: &Principal) -> Option<&PrincipalNode> {
        self.get(self.number(principal)?)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &PrincipalNode> {
        self.nodes.iter().map(|node| &**node)
    }

    pub(crate) fn put_membership(&mut self, membership: Membership) {
        let role = self.number_or_add(&Principal::Role(membership.role.clone()));
        let member = self.number_or_add(&membership.member);
        let membership = Arc::new(membership);
        if let Some(node) = self.get_mut(member) {
            match node.roles.iter().position(|&known| known == role) {
                Some(place) => {
                    if let Some(known) = node.memberships.get_mut(place) {
                        *known = Arc::clone(&membership);
                    }
                }
                None => {
                    node.roles.push(role);
                    node.memberships.push(Arc::clone(&membership));
                }
            }
        }
        if let Some(node) = self.get_mut(role) {
            node.members.insert(Member { number: member, membership });
        }
    }

    pub(crate) fn remove_membership(&mut self, role: &Name, member: &Principal) {
        let role = self.number_of(PrincipalKind::Role, role);
        let (Some(role), Some(member)) = (role, self.number(member)) else { return };
        let place = self.get(member).and_then(|node| node.roles.iter().position(|&known| known == role));
        let Some(place) = place else { return };
        if let Some(node) = self.get_mut(member) {
            node.roles.remove(place);
            node.memberships.remove(place);
        }
        if let Some(node) = self.get_mut(role) {
            node.members.remove(&member);
        }
    }
}
