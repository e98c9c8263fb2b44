//! What entries give and take of the privileges that are asked for.

use smallvec::SmallVec;

use crate::decision::Basis;
use crate::index::cell::Cell;
use crate::{EntryId, GrantOption, Privilege, Privileges};

/// The privileges that can be held at single columns.
const OF_COLUMNS: Privileges =
    Privileges::of(Privilege::Select).with(Privilege::Insert).with(Privilege::Update);

/// What meets a requirement unless entries deny it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Grants,
    /// The subject administers, and in this rule book that is enough.
    Administrator,
    Owner,
    /// Ownership is asked for, and the subject is not the owner.
    Nothing,
}

impl Ground {
    pub(super) const fn basis(self) -> Basis {
        match self {
            Self::Grants => Basis::Granted,
            Self::Administrator => Basis::Administrator,
            Self::Owner => Basis::Owner,
            Self::Nothing => Basis::NotGranted,
        }
    }
}

/// Counts entries, those that reach furthest first.
#[derive(Clone)]
pub(super) struct Tally {
    wanted: Privileges,
    grant_option: GrantOption,
    ground: Ground,
    granted: Privileges,
    /// What was granted before this level: there is nothing to be added to it.
    settled: Privileges,
    denied: Privileges,
    /// For each privilege that is granted the entry that says so: of the level that reaches furthest, the
    /// first that was made.
    grants: [EntryId; 32],
    denials: SmallVec<[EntryId; 16]>,
}

impl Tally {
    pub(super) fn new(wanted: Privileges, grant_option: GrantOption, ground: Ground) -> Self {
        let granted = match ground {
            Ground::Grants | Ground::Nothing => Privileges::NONE,
            Ground::Administrator | Ground::Owner => wanted,
        };
        Self {
            wanted,
            grant_option,
            ground,
            granted,
            settled: Privileges::NONE,
            denied: Privileges::NONE,
            grants: [EntryId(u64::MAX); 32],
            denials: SmallVec::new(),
        }
    }

    #[inline]
    pub(super) const fn wanted(&self) -> Privileges {
        self.wanted
    }

    pub(super) const fn granted(&self) -> Privileges {
        self.granted
    }

    pub(super) const fn denied(&self) -> Privileges {
        self.denied
    }

    #[inline]
    pub(super) fn next_level(&mut self) {
        self.settled = self.granted;
    }

    #[inline]
    pub(super) fn count(&mut self, cell: &Cell) {
        if cell.is_denial() {
            self.deny(cell);
        } else {
            self.grant(cell.id, cell.effective(), cell.has_grant_option());
        }
    }

    fn deny(&mut self, cell: &Cell) {
        self.denied = self.denied.union(cell.effective().intersection(self.wanted));
        self.denials.push(cell.id);
    }

    /// Counts a denial at a column against the table as a whole: privileges that columns have not stay.
    pub(super) fn deny_at_column(&mut self, cell: &Cell) {
        let taken = cell.effective().intersection(self.wanted).intersection(OF_COLUMNS);
        if !taken.is_empty() {
            self.denied = self.denied.union(taken);
            self.denials.push(cell.id);
        }
    }

    #[inline]
    pub(super) fn grant(&mut self, id: EntryId, privileges: Privileges, has_grant_option: bool) {
        let given = privileges.intersection(self.wanted);
        let mut new = given.without(self.settled).bits();
        if new == 0 || !self.takes_grants(has_grant_option) {
            return;
        }
        self.granted = self.granted.union(given);
        while new != 0 {
            if let Some(known) = self.grants.get_mut(new.trailing_zeros() as usize) {
                *known = id.min(*known);
            }
            new &= new - 1;
        }
    }

    pub(super) fn is_met(&self) -> bool {
        is_met(self.wanted, self.granted, self.denied)
    }

    /// Of what is not met: do denials leave no way to it, or would it be met without them?
    pub(super) fn is_lost_to_denials(&self) -> bool {
        is_lost_to_denials(self.wanted, self.granted, self.denied)
    }

    pub(super) fn takes(&self, cell: &Cell) -> bool {
        self.takes_grants(cell.has_grant_option())
    }

    fn takes_grants(&self, with_option: bool) -> bool {
        self.ground == Ground::Grants && (with_option || !self.grant_option.is_with())
    }

    pub(super) const fn basis(&self) -> Basis {
        self.ground.basis()
    }

    /// The entries that grant what is asked for.
    pub(super) fn grants(&self) -> SmallVec<[EntryId; 4]> {
        if self.ground != Ground::Grants {
            return SmallVec::new();
        }
        let given = self.granted.without(self.denied).bits();
        if self.wanted.is_all() {
            let mut all: SmallVec<[EntryId; 4]> = SmallVec::new();
            for id in &self.grants {
                if !all.contains(id) {
                    all.push(*id);
                }
            }
            all.sort_unstable();
            return all;
        }
        self.grants.get(given.trailing_zeros() as usize).into_iter().copied().collect()
    }

    /// The entries that deny some of it.
    pub(super) fn denials(&self) -> SmallVec<[EntryId; 4]> {
        let mut denials: SmallVec<[EntryId; 4]> = self.denials.iter().copied().collect();
        denials.sort_unstable();
        denials.dedup();
        denials
    }
}

/// Any one of the privileges is enough, unless all are asked for.
pub(super) fn is_met(wanted: Privileges, granted: Privileges, denied: Privileges) -> bool {
    if wanted.is_all() {
        denied.is_empty() && granted.is_all()
    } else {
        wanted.intersection(granted).without(denied) != Privileges::NONE
    }
}

/// Of what is not met: do denials leave no way to it, or would it be met without them?
pub(super) fn is_lost_to_denials(wanted: Privileges, granted: Privileges, denied: Privileges) -> bool {
    !denied.is_empty()
        && (wanted.is_all() || wanted.without(denied).is_empty() || is_met(wanted, granted, Privileges::NONE))
}
