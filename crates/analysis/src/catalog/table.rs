//! The things in a catalog.

use std::fmt;
use std::sync::Arc;

use guardbee_model::{Name, TableName};

use crate::effects::FunctionName;
use crate::lookup::Lookup;
use crate::types::Type;

/// Key and value of `TBLPROPERTIES` and kin, as written.
pub type Properties = Vec<(Arc<str>, Arc<str>)>;

/// A database.
#[derive(Debug, Clone, PartialEq)]
pub struct Database {
    pub name: Name,
    pub comment: Option<Arc<str>>,
    pub location: Option<Arc<str>>,
    pub owner: Option<Arc<str>>,
    pub properties: Properties,
}

impl Database {
    #[must_use]
    pub const fn new(name: Name) -> Self {
        Self { name, comment: None, location: None, owner: None, properties: Vec::new() }
    }
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: Name,
    pub data_type: Type,
    pub comment: Option<Arc<str>>,
}

impl Column {
    #[must_use]
    pub const fn new(name: Name, data_type: Type) -> Self {
        Self { name, data_type, comment: None }
    }
}

/// A table, view or materialized view.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub name: TableName,
    pub kind: TableKind,
    /// The columns in the data, in order.
    pub columns: Arc<[Column]>,
    /// The columns in the directory names, in order; they follow the others in `SELECT *`.
    pub partition_columns: Arc<[Column]>,
    /// The columns that rows are spread over files by; none where the table has no buckets.
    pub bucket_columns: Arc<[Name]>,
    pub comment: Option<Arc<str>>,
    pub location: Option<Arc<str>>,
    pub owner: Option<Arc<str>>,
    pub properties: Properties,
}

impl Table {
    /// All columns in the order of `SELECT *`.
    pub fn all_columns(&self) -> impl Iterator<Item = &Column> + Clone {
        self.columns.iter().chain(self.partition_columns.iter())
    }

    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.all_columns().find(|column| column.name.as_str() == name)
    }

    /// The column at a place in the order of `SELECT *`.
    #[must_use]
    pub fn column_at(&self, place: usize) -> Option<&Column> {
        match place.checked_sub(self.columns.len()) {
            None => self.columns.get(place),
            Some(place) => self.partition_columns.get(place),
        }
    }

    /// The names of all columns, to look many of them up.
    pub(crate) fn lookup(&self) -> Lookup<'_> {
        self.all_columns().map(|column| column.name.as_str()).collect()
    }

    #[must_use]
    pub fn is_partitioned(&self) -> bool {
        !self.partition_columns.is_empty()
    }

    /// The value of a table property; keys compare without regard to case.
    #[must_use]
    pub fn property(&self, key: &str) -> Option<&str> {
        self.properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(key)).map(|(_, value)| &**value)
    }
}

/// What a table is.
#[derive(Debug, Clone, PartialEq)]
pub enum TableKind {
    Managed,
    External,
    /// Seen by its session only; hides a permanent table of the same name.
    Temporary,
    View(ViewDefinition),
    MaterializedView(ViewDefinition),
}

/// What a view stands for.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewDefinition {
    /// The query's text, variables resolved.
    pub text: Arc<str>,
    /// The database that names without one belong to in the text.
    pub database: Name,
}

/// A function that somebody created.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub name: FunctionName,
    pub class: Arc<str>,
    pub resources: Vec<Arc<str>>,
}

/// An expression under a name, of one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Macro {
    pub name: Name,
    pub parameters: Vec<Column>,
    pub body: Arc<str>,
    pub bound: BoundMacros,
}

/// The macros that a macro's body calls, as they were when it was made: what becomes of their names later
/// is nothing to it.
#[derive(Clone, Default)]
pub struct BoundMacros {
    macros: Vec<Arc<Macro>>,
    levels: u32,
}

impl BoundMacros {
    /// How deep macros may hold others.
    pub const MAXIMUM_LEVELS: u32 = 100;

    /// Binds macros; nothing where they hold each other too deep.
    #[must_use]
    pub fn new(macros: Vec<Arc<Macro>>) -> Option<Self> {
        let levels = macros.iter().map(|known| known.bound.levels + 1).max().unwrap_or_default();
        (levels <= Self::MAXIMUM_LEVELS).then_some(Self { macros, levels })
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Macro>> {
        self.macros.iter().find(|known| known.name.as_str() == name)
    }
}

/// The same macros, not only equal ones: telling more would cost a walk over all that they hold.
impl PartialEq for BoundMacros {
    fn eq(&self, other: &Self) -> bool {
        self.macros.len() == other.macros.len()
            && self.macros.iter().zip(&other.macros).all(|(left, right)| Arc::ptr_eq(left, right))
    }
}

impl fmt::Debug for BoundMacros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.macros.iter().map(|known| &known.name)).finish()
    }
}
