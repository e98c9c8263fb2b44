//! One entry as the index keeps it: twenty-four bytes where decisions look, the rest where they rarely do.

use std::sync::Arc;

use crate::index::sorted::Keyed;
use crate::{Effect, Entry, EntryId, Privileges, Timestamp, Validity};

/// The number of a principal in the policy.
pub(crate) type PrincipalNumber = u32;

/// What of an entry decides. Its scope is where it is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) id: EntryId,
    pub(crate) principal: PrincipalNumber,
    pub(crate) privileges: Privileges,
    column: [u8; 3],
    flags: u8,
}

/// Where an entry is kept, and what of it does not decide.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) id: EntryId,
    /// The hash of the node where its cell is.
    pub(crate) node: u64,
    pub(crate) created_at: Timestamp,
    /// What most entries have not.
    pub(crate) details: Option<Arc<Details>>,
    pub(crate) principal: PrincipalNumber,
    pub(crate) grantor: Option<GrantorNumber>,
}

impl Keyed for Record {
    type Key = EntryId;

    fn key(&self) -> EntryId {
        self.id
    }
}

/// A principal's number plus one, so that there is room to say that there is none.
pub(crate) type GrantorNumber = std::num::NonZeroU32;

/// What few entries have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Details {
    pub(crate) except: Vec<PrincipalNumber>,
    pub(crate) validity: Validity,
    pub(crate) purpose: Option<Arc<str>>,
}

/// The place of a column in its table's list of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ColumnPlace(u32);

impl ColumnPlace {
    /// Beyond sixteen million different names in one table's entries there is none.
    pub(crate) fn new(place: usize) -> Option<Self> {
        u32::try_from(place).ok().filter(|place| place >> 24 == 0).map(Self)
    }

    pub(crate) const fn get(self) -> usize {
        self.0 as usize
    }
}

const DENIAL: u8 = 1;
const GRANT_OPTION: u8 = 2;
const CONDITIONAL: u8 = 4;
const COUNTS_AS_ALL: u8 = 8;

impl Details {
    /// Has it a time in which it holds, or principals that it does not hold for?
    fn is_condition(&self) -> bool {
        !self.validity.is_always() || !self.except.is_empty()
    }

    /// Itself, if it says anything.
    pub(crate) fn kept(self) -> Option<Arc<Self>> {
        (self.is_condition() || self.purpose.is_some()).then(|| Arc::new(self))
    }
}

impl Cell {
    pub(crate) fn new(entry: &Entry, principal: PrincipalNumber, details: &Details) -> Self {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        Self {
            id: entry.id,
            principal,
            privileges: entry.privileges,
            column: [0; 3],
            flags: flag(entry.effect == Effect::Deny, DENIAL)
                | flag(entry.grant_option.is_with(), GRANT_OPTION)
                | flag(details.is_condition(), CONDITIONAL)
                | flag(entry.privileges.counts_as_all(), COUNTS_AS_ALL),
        }
    }

    pub(crate) fn at_column(mut self, place: ColumnPlace) -> Self {
        let [low, middle, high, _] = place.0.to_le_bytes();
        self.column = [low, middle, high];
        self
    }

    #[inline]
    pub(crate) const fn column(&self) -> ColumnPlace {
        let [low, middle, high] = self.column;
        ColumnPlace(u32::from_le_bytes([low, middle, high, 0]))
    }

    #[inline]
    pub(crate) const fn is_denial(&self) -> bool {
        self.flags & DENIAL != 0
    }

    #[inline]
    pub(crate) const fn has_grant_option(&self) -> bool {
        self.flags & GRANT_OPTION != 0
    }

    /// Has it a time in which it holds, or principals that it does not hold for?
    #[inline]
    pub(crate) const fn is_conditional(&self) -> bool {
        self.flags & CONDITIONAL != 0
    }

    /// The privileges that it gives or takes: the owner's right is as good as all.
    #[inline]
    pub(crate) const fn effective(&self) -> Privileges {
        if self.flags & COUNTS_AS_ALL != 0 { Privileges::ALL } else { self.privileges }
    }
}

impl Keyed for Cell {
    type Key = (PrincipalNumber, EntryId);

    #[inline]
    fn key(&self) -> Self::Key {
        (self.principal, self.id)
    }
}
