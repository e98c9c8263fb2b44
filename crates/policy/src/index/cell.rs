//! One entry as the index keeps it: forty bytes, its names as numbers.

use std::sync::Arc;

use crate::index::sorted::Keyed;
use crate::{Effect, EntryId, GrantOption, Privileges, Timestamp, Validity};

/// The number of a principal in the policy.
pub(crate) type PrincipalNumber = u32;

/// An entry less its scope, which is where it is kept.
#[derive(Debug, Clone)]
pub(crate) struct Cell {
    pub(crate) id: EntryId,
    pub(crate) created_at: Timestamp,
    /// What most entries have not.
    pub(crate) details: Option<Arc<Details>>,
    pub(crate) principal: PrincipalNumber,
    pub(crate) privileges: Privileges,
    pub(crate) grantor: Option<GrantorNumber>,
    column: [u8; 3],
    flags: u8,
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

impl Cell {
    pub(crate) fn new(
        id: EntryId,
        effect: Effect,
        grant_option: GrantOption,
        privileges: Privileges,
    ) -> Self {
        let mut flags = 0;
        if effect == Effect::Deny {
            flags |= DENIAL;
        }
        if grant_option.is_with() {
            flags |= GRANT_OPTION;
        }
        if privileges.counts_as_all() {
            flags |= COUNTS_AS_ALL;
        }
        Self {
            id,
            created_at: Timestamp::default(),
            details: None,
            principal: 0,
            privileges,
            grantor: None,
            column: [0; 3],
            flags,
        }
    }

    pub(crate) fn with_details(mut self, details: Details) -> Self {
        if !details.validity.is_always() || !details.except.is_empty() {
            self.flags |= CONDITIONAL;
        }
        if self.flags & CONDITIONAL != 0 || details.purpose.is_some() {
            self.details = Some(Arc::new(details));
        }
        self
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
