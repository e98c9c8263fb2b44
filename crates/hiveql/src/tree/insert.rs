//! Where a query writes: `INSERT`, and partitions as statements name them.

use super::{
    BinaryOperator, Expression, Identifier, Location, PartitionTransform, QualifiedName, RowFormatting,
    Storage, StringLiteral,
};

/// `INSERT INTO|OVERWRITE ...`, without the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Insert<'a> {
    pub mode: InsertMode,
    pub target: InsertTarget<'a>,
    pub location: Location,
}

/// `INTO`, `OVERWRITE`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InsertMode {
    Into,
    Overwrite,
}

/// What rows are put into.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InsertTarget<'a> {
    Table(&'a InsertTable<'a>),
    Directory(&'a InsertDirectory<'a>),
}

/// `[TABLE] name [PARTITION (...)] [(columns)]`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InsertTable<'a> {
    /// `INSERT INTO [TABLE] t`.
    pub table_word: TableWord,
    pub name: QualifiedName<'a>,
    /// `PARTITION (ds='1', hr)`.
    pub partition: Option<PartitionSpecification<'a>>,
    pub if_not_exists: Existence,
    pub columns: &'a [Identifier<'a>],
}

/// Is the word `TABLE` there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableWord {
    Present,
    Absent,
}

/// `IF [NOT] EXISTS` of all statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Existence {
    Required,
    Tolerated,
}

/// `[LOCAL] DIRECTORY 'path' ...`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InsertDirectory<'a> {
    pub local: Locality,
    pub path: StringLiteral<'a>,
    pub row_format: RowFormatting<'a>,
    pub storage: Option<Storage<'a>>,
}

/// Is the word `LOCAL` there?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Locality {
    Cluster,
    Local,
}

/// `PARTITION (a='1', b, c > 3)`; comparisons other than `=` only where partitions are dropped or repaired.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionSpecification<'a> {
    pub items: &'a [PartitionItem<'a>],
    pub location: Location,
}

/// `column [= value]` of a partition.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartitionItem<'a> {
    pub key: PartitionTransform<'a>,
    /// Absent where the value comes with the rows.
    pub value: Option<(PartitionOperator, Expression<'a>)>,
}

/// How the partitions meant compare with a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartitionOperator {
    /// One of `=`, `<>`, `<`, `<=`, `>`, `>=` in one of their spellings.
    Comparison(BinaryOperator),
    Like,
}
