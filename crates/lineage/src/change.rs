//! What a run does to the identity of datasets and columns, by the numbers of their names.

use std::sync::Arc;

use crate::moment::Moment;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub moment: Moment,
    pub act: ChangeAct,
}

/// Datasets are numbers of dataset names, columns numbers of column names.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ChangeAct {
    Create { dataset: u32, columns: Arc<[u32]> },
    Ensure { dataset: u32, columns: Arc<[u32]> },
    Drop { dataset: u32 },
    Rename { from: u32, to: u32 },
    RenameColumn { dataset: u32, from: u32, to: u32 },
    DropColumn { dataset: u32, column: u32 },
}

impl ChangeAct {
    /// The names of datasets that it is about.
    pub fn datasets(&self) -> impl Iterator<Item = u32> + use<> {
        let (one, other) = match *self {
            Self::Create { dataset, .. }
            | Self::Ensure { dataset, .. }
            | Self::Drop { dataset }
            | Self::RenameColumn { dataset, .. }
            | Self::DropColumn { dataset, .. } => (dataset, None),
            Self::Rename { from, to } => (from, (to != from).then_some(to)),
        };
        std::iter::once(one).chain(other)
    }

    /// The same where datasets have other numbers.
    pub fn renumbered(&self, datasets: &[u32]) -> Self {
        let new = |dataset: u32| datasets.get(dataset as usize).copied().unwrap_or(dataset);
        match self {
            Self::Create { dataset, columns } => {
                Self::Create { dataset: new(*dataset), columns: Arc::clone(columns) }
            }
            Self::Ensure { dataset, columns } => {
                Self::Ensure { dataset: new(*dataset), columns: Arc::clone(columns) }
            }
            Self::Drop { dataset } => Self::Drop { dataset: new(*dataset) },
            Self::Rename { from, to } => Self::Rename { from: new(*from), to: new(*to) },
            Self::RenameColumn { dataset, from, to } => {
                Self::RenameColumn { dataset: new(*dataset), from: *from, to: *to }
            }
            Self::DropColumn { dataset, column } => {
                Self::DropColumn { dataset: new(*dataset), column: *column }
            }
        }
    }
}
