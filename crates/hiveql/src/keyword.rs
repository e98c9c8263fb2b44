//! Hive's keywords: looking a word up, and whether it may stand as a plain name at some place.
//!
//! Knows words only, no grammar: which keyword may follow which is the parser's business.

mod lookup;
mod words;

use guardbee_model::HiveVersion;
pub use words::Keyword;

use words::{NAMING, SPELLINGS};

/// A place of the grammar where a name stands. Hive reserves a keyword at some places only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    Table,
    Database,
    Column,
    QualifiedTable,
    FromTable,
    SelectColumn,
    QualifiedColumn,
    AsAlias,
    BareAlias,
    TableAsAlias,
    TableAlias,
    SubqueryAlias,
    Function,
    Cte,
    PartitionColumn,
    StructField,
    WhereColumn,
    GroupByColumn,
    OrderByColumn,
    SetColumn,
    InsertColumn,
    TypeField,
    LateralAlias,
    Role,
    User,
    Window,
}

impl Keyword {
    /// The keyword that `word` is in any version, in whatever case it is written.
    ///
    /// Hive writes some keywords in two ways (`YEAR` and `YEARS`, `INT` and `INTEGER`); both are the
    /// same keyword.
    #[must_use]
    pub fn lookup(word: &str) -> Option<Self> {
        lookup::find(word.as_bytes()).map(|slot| slot.keyword)
    }

    /// The keyword that `word` is in `version`, apart from words that later versions added.
    ///
    /// Differs from [`Keyword::lookup`] only in the second spellings that came later than the keyword
    /// itself (`DEC`, `NUMERIC`, `ENABLED`, `DISABLED`).
    #[must_use]
    pub fn lookup_in(version: HiveVersion, word: &str) -> Option<Self> {
        Self::lookup_bytes(version, word.as_bytes())
    }

    /// The keyword as one writes it, in upper case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        SPELLINGS.get(self as usize).copied().unwrap_or_default()
    }

    /// Whether `version` knows the keyword. Where it does not, the word is a name like any other.
    #[must_use]
    pub fn is_known_in(self, version: HiveVersion) -> bool {
        self.naming(version) != Naming::Absent
    }

    /// Whether no version of Hive knows the keyword: a word of the statements that Guardbee adds.
    #[must_use]
    pub fn is_known_in_none(self) -> bool {
        HiveVersion::ALL.into_iter().all(|version| !self.is_known_in(version))
    }

    /// Whether the keyword may stand unquoted as a name at `place`.
    #[must_use]
    pub fn may_name(self, version: HiveVersion, place: Place) -> bool {
        match self.naming(version) {
            Naming::Absent | Naming::Free => true,
            Naming::Reserved => false,
            Naming::Function => place == Place::Function,
            Naming::Value => place.is_value(),
            Naming::ValueOrFunction => place.is_value() || place == Place::Function,
        }
    }

    /// Every keyword, in alphabetical order of its name.
    pub fn all() -> impl Iterator<Item = Self> {
        words::ALL.into_iter()
    }

    fn naming(self, version: HiveVersion) -> Naming {
        const FREE: Naming = Naming::Free;
        NAMING.get(self as usize).and_then(|row| row.get(version as usize)).copied().unwrap_or(FREE)
    }

    pub(crate) fn lookup_bytes(version: HiveVersion, word: &[u8]) -> Option<Self> {
        lookup::find(word).filter(|slot| version >= slot.since).map(|slot| slot.keyword)
    }
}

impl Place {
    /// Whether a value stands here, so that keywords which are values (`TRUE`, `NULL`) may, too.
    const fn is_value(self) -> bool {
        matches!(self, Self::SelectColumn | Self::WhereColumn | Self::GroupByColumn | Self::OrderByColumn)
    }
}

/// What a keyword may name in one version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// Not a keyword in this version.
    Absent,
    /// Anything.
    Free,
    /// Nothing.
    Reserved,
    /// A function only.
    Function,
    /// Nothing, but it is a value by itself.
    Value,
    /// A function, or it is a value by itself.
    ValueOrFunction,
}

macro_rules! keywords {
    ($($variant:ident $spelling:literal [$($naming:ident)*];)*) => {
        /// A word that means something in some version of Hive.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Keyword {
            $($variant,)*
        }

        pub(super) const COUNT: usize = [$(Keyword::$variant),*].len();
        pub(super) static ALL: [Keyword; COUNT] = [$(Keyword::$variant),*];
        pub(super) static SPELLINGS: [&str; COUNT] = [$($spelling),*];
        pub(super) static NAMING: [[super::Naming; 5]; COUNT] = [$([$(super::Naming::$naming),*]),*];
    };
}
use keywords;

#[cfg(test)]
mod tests;
