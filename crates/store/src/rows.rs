//! The tables of a policy: their names and columns.

/// A column's value. Policies are kept as whole numbers and text; bytes are what only this crate reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Value<'v> {
    /// Nothing, in a column of that kind.
    Null(Kind),
    Integer(i64),
    Text(&'v str),
    Bytes(&'v [u8]),
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Integer,
    Text,
    Bytes,
}

/// A table of the policy. The order is that in which a policy is built: what others refer to comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Table {
    Settings,
    Roles,
    Tags,
    Memberships,
    Entries,
    DataPolicies,
    TagAssignments,
    Owners,
}

/// A column: its name and what it holds.
pub type Column = (&'static str, Kind);

use Kind::{Integer, Text};

impl Table {
    pub const ALL: [Self; 8] = [
        Self::Settings,
        Self::Roles,
        Self::Tags,
        Self::Memberships,
        Self::Entries,
        Self::DataPolicies,
        Self::TagAssignments,
        Self::Owners,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Roles => "roles",
            Self::Tags => "tags",
            Self::Memberships => "memberships",
            Self::Entries => "entries",
            Self::DataPolicies => "data_policies",
            Self::TagAssignments => "tag_assignments",
            Self::Owners => "owners",
        }
    }

    /// The columns that name a row; there is one row for a key at a time.
    pub const fn key(self) -> &'static [Column] {
        match self {
            Self::Settings | Self::Roles | Self::Tags => &[("name", Text)],
            Self::Memberships => &[("role", Text), ("member", Text)],
            Self::Entries => &[("id", Integer)],
            Self::DataPolicies => &[("rule", Text), ("name", Text)],
            Self::TagAssignments => {
                &[("tag", Text), ("resource", Text), ("part_1", Text), ("part_2", Text), ("part_3", Text)]
            }
            Self::Owners => &[("resource", Text), ("part_1", Text), ("part_2", Text), ("part_3", Text)],
        }
    }

    /// The columns behind the key.
    pub const fn values(self) -> &'static [Column] {
        match self {
            Self::Settings => &[("value", Text)],
            Self::Roles => &[("created_by", Text), ("created_at", Integer)],
            Self::Tags => {
                &[("allowed_values", Text), ("comment", Text), ("created_by", Text), ("created_at", Integer)]
            }
            Self::Memberships => &[("admin_option", Integer), ("grantor", Text), ("created_at", Integer)],
            Self::Entries => &[
                ("effect", Text),
                ("principal", Text),
                ("exempt", Text),
                ("privileges", Integer),
                ("scope", Text),
                ("part_1", Text),
                ("part_2", Text),
                ("part_3", Text),
                ("grant_option", Integer),
                ("grantor", Text),
                ("created_at", Integer),
                ("valid_from", Integer),
                ("valid_until", Integer),
                ("purpose", Text),
            ],
            Self::DataPolicies => &[
                ("scope", Text),
                ("part_1", Text),
                ("part_2", Text),
                ("part_3", Text),
                ("expression", Text),
                ("principals", Text),
                ("exempt", Text),
                ("enabled", Integer),
                ("created_by", Text),
                ("created_at", Integer),
            ],
            Self::TagAssignments => &[("value", Text)],
            Self::Owners => &[("owner", Text)],
        }
    }

    /// Key and values.
    pub fn columns(self) -> impl Iterator<Item = Column> {
        self.key().iter().chain(self.values()).copied()
    }

    /// The table's bit in a set of tables.
    pub const fn bit(self) -> i64 {
        1 << self as u8
    }
}
