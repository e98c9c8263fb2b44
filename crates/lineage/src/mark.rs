//! What the graph keeps about an edge besides its ends and its write: one byte.

use crate::run::EdgeKind;

/// How one node of a trace goes into another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FlowKind {
    /// A column into a column, or by an indirect kind into all columns of a dataset.
    Column(EdgeKind),
    /// A dataset into a dataset, where no column can be named.
    Whole,
    /// Between datasets: values of the one go into the other.
    Direct,
    /// Between datasets: the one only decides about the rows of the other.
    Indirect,
}

impl FlowKind {
    #[must_use]
    pub const fn is_direct(self) -> bool {
        match self {
            Self::Column(kind) => kind.is_direct(),
            Self::Whole | Self::Direct => true,
            Self::Indirect => false,
        }
    }

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Column(kind) => kind.as_str(),
            Self::Whole => "WHOLE",
            Self::Direct => "DIRECT",
            Self::Indirect => "INDIRECT",
        }
    }
}

/// The kind and the two doubts of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Mark(pub u8);

const KIND: u8 = 0b0000_1111;
const MASKED: u8 = 0b0001_0000;
const UNRESOLVED: u8 = 0b0010_0000;

const WHOLE: u8 = 9;
const DIRECT: u8 = 10;
const INDIRECT: u8 = 11;

impl Mark {
    pub const WHOLE: Self = Self(WHOLE);

    pub const fn column(kind: EdgeKind, masked: bool, unresolved: bool) -> Self {
        Self(kind as u8).doubting(masked, unresolved)
    }

    pub const fn dataset(direct: bool, masked: bool, unresolved: bool) -> Self {
        Self(if direct { DIRECT } else { INDIRECT }).doubting(masked, unresolved)
    }

    const fn doubting(self, masked: bool, unresolved: bool) -> Self {
        Self(self.0 | if masked { MASKED } else { 0 } | if unresolved { UNRESOLVED } else { 0 })
    }

    pub fn kind(self) -> FlowKind {
        match self.0 & KIND {
            WHOLE => FlowKind::Whole,
            DIRECT => FlowKind::Direct,
            INDIRECT => FlowKind::Indirect,
            column => FlowKind::Column(
                EdgeKind::ALL.get(column as usize).copied().unwrap_or(EdgeKind::Transformation),
            ),
        }
    }

    pub const fn is_direct(self) -> bool {
        matches!(self.0 & KIND, 0..=2 | WHOLE | DIRECT)
    }

    pub const fn is_masked(self) -> bool {
        self.0 & MASKED != 0
    }

    pub const fn is_unresolved(self) -> bool {
        self.0 & UNRESOLVED != 0
    }

    /// What two edges in a row are as one: the indirect one decides, the later one if both are; of direct kinds the
    /// one that keeps less of the value. Hidden anywhere is hidden, in doubt anywhere is in doubt.
    pub fn then(self, later: Self) -> Self {
        let (one, other) = (self.0 & KIND, later.0 & KIND);
        let kind = match (self.is_direct(), later.is_direct()) {
            (_, false) => other,
            (false, true) => one,
            (true, true) => one.max(other),
        };
        Self(kind | ((self.0 | later.0) & (MASKED | UNRESOLVED)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_says_what_it_was_made_of() {
        for kind in EdgeKind::ALL {
            for (masked, unresolved) in [(false, false), (true, false), (false, true), (true, true)] {
                let mark = Mark::column(kind, masked, unresolved);
                assert_eq!(mark.kind(), FlowKind::Column(kind));
                assert_eq!(mark.is_direct(), kind.is_direct());
                assert_eq!((mark.is_masked(), mark.is_unresolved()), (masked, unresolved));
            }
        }
        assert_eq!(Mark::WHOLE.kind(), FlowKind::Whole);
        assert_eq!(Mark::dataset(true, false, false).kind(), FlowKind::Direct);
        assert_eq!(Mark::dataset(false, false, false).kind(), FlowKind::Indirect);
    }

    #[test]
    fn edges_in_a_row_are_as_weak_as_the_weakest() {
        let mark = |kind| Mark::column(kind, false, false);
        let (identity, sum, filter, join) = (
            mark(EdgeKind::Identity),
            mark(EdgeKind::Aggregation),
            mark(EdgeKind::Filter),
            mark(EdgeKind::Join),
        );
        assert_eq!(identity.then(sum), sum);
        assert_eq!(sum.then(identity), sum);
        assert_eq!(identity.then(filter), filter);
        assert_eq!(filter.then(identity), filter);
        assert_eq!(filter.then(join), join);
        assert_eq!(identity.then(Mark::WHOLE), Mark::WHOLE);
        assert!(Mark::column(EdgeKind::Identity, true, false).then(sum).is_masked());
    }
}
