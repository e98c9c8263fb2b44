//! Names of things in a warehouse.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;

use smol_str::SmolStr;

/// The name of a database, table, column, function or role, in lower case as Hive keeps it.
///
/// Cloning costs no allocation; names of up to 23 bytes need none at all.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Name(SmolStr);

impl Name {
    /// Folds case as Hive does.
    #[must_use]
    pub fn fold(text: &str) -> Self {
        if text.bytes().any(|b| b.is_ascii_uppercase() || !b.is_ascii()) {
            Self(SmolStr::new(text.to_lowercase()))
        } else {
            Self(SmolStr::new(text))
        }
    }

    /// Takes a name that is known to be in lower case already.
    #[must_use]
    pub const fn from_static(folded: &'static str) -> Self {
        Self(SmolStr::new_static(folded))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self::fold(text)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

/// A table, view or materialized view by the database it lives in.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableName {
    pub database: Name,
    pub table: Name,
}

impl TableName {
    #[must_use]
    pub const fn new(database: Name, table: Name) -> Self {
        Self { database, table }
    }
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.database)?;
        f.write_str(".")?;
        f.write_str(&self.table)
    }
}

/// A column by the table it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ColumnName {
    pub table: TableName,
    pub column: Name,
}

impl ColumnName {
    #[must_use]
    pub const fn new(table: TableName, column: Name) -> Self {
        Self { table, column }
    }
}

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.table, f)?;
        f.write_str(".")?;
        f.write_str(&self.column)
    }
}
