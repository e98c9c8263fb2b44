//! What a run does to the content of one dataset: a target, or a partition that goes.

use crate::moment::Moment;
use crate::run::WriteKind;

/// No partition: the whole dataset.
pub(crate) const WHOLE_DATASET: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Write {
    pub moment: Moment,
    /// The number of the dataset's name.
    pub dataset: u32,
    /// The number of the partition's text, or [`WHOLE_DATASET`].
    pub scope: u32,
    pub act: WriteAct,
}

/// How content changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum WriteAct {
    Append,
    Overwrite,
    Define,
    Modify,
    Truncate,
    PartitionDropped,
    PartitionMovedOut,
    PartitionMovedIn,
    Locate,
}

impl WriteAct {
    pub const ALL: [Self; 9] = [
        Self::Append,
        Self::Overwrite,
        Self::Define,
        Self::Modify,
        Self::Truncate,
        Self::PartitionDropped,
        Self::PartitionMovedOut,
        Self::PartitionMovedIn,
        Self::Locate,
    ];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Append => "append",
            Self::Overwrite => "overwrite",
            Self::Define => "define",
            Self::Modify => "modify",
            Self::Truncate => "truncate",
            Self::PartitionDropped => "partition dropped",
            Self::PartitionMovedOut => "partition moved out",
            Self::PartitionMovedIn => "partition moved in",
            Self::Locate => "located",
        }
    }

    pub(crate) const fn of(kind: WriteKind) -> Self {
        match kind {
            WriteKind::Append => Self::Append,
            WriteKind::Overwrite => Self::Overwrite,
            WriteKind::Define => Self::Define,
            WriteKind::Modify => Self::Modify,
            WriteKind::Truncate => Self::Truncate,
            WriteKind::Locate => Self::Locate,
        }
    }

    /// Does older content of its scope go?
    pub(crate) const fn removes(self) -> bool {
        matches!(
            self,
            Self::Overwrite
                | Self::Define
                | Self::Truncate
                | Self::PartitionDropped
                | Self::PartitionMovedOut
        )
    }

    /// Does something come in?
    pub(crate) const fn brings(self) -> bool {
        matches!(
            self,
            Self::Append
                | Self::Overwrite
                | Self::Define
                | Self::Modify
                | Self::PartitionMovedIn
                | Self::Locate
        )
    }

    /// Does what it writes to show at each moment what there is, without data of its own?
    pub(crate) const fn shows(self) -> bool {
        matches!(self, Self::Define | Self::Locate)
    }

    /// Does it stay whatever is removed later, as long as the dataset is there?
    pub(crate) const fn is_lasting(self) -> bool {
        matches!(self, Self::Locate)
    }

    /// Does it make a version?
    pub(crate) const fn is_version(self) -> bool {
        !matches!(self, Self::PartitionDropped)
    }
}
