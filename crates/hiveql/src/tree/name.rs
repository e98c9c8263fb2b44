//! Names and literals, as they stand in the text.

use std::borrow::Cow;

use guardbee_model::{Name, Span};

use super::Location;

/// A name as written: plain, or in backticks (in double quotes where those quote names).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identifier<'a> {
    /// The text with its quotes.
    pub raw: &'a str,
    pub location: Location,
}

impl<'a> Identifier<'a> {
    #[must_use]
    pub fn is_quoted(&self) -> bool {
        self.raw.starts_with(['`', '"'])
    }

    /// The name without its quotes, in the case it was written in.
    #[must_use]
    pub fn value(&self) -> Cow<'a, str> {
        crate::literal::unquote_name(self.raw)
    }

    /// The name as Hive compares it.
    #[must_use]
    pub fn name(&self) -> Name {
        Name::fold(&self.value())
    }

    #[must_use]
    pub const fn span(&self) -> Span {
        self.location.0
    }
}

/// `[[catalog.]database.]name[.meta]`, the name of a table, view or function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QualifiedName<'a> {
    pub database: Option<Identifier<'a>>,
    pub name: Identifier<'a>,
    /// The third part that Hive 4 takes for metadata tables and references: `db.t.snapshots`.
    pub meta: Option<Identifier<'a>>,
}

impl QualifiedName<'_> {
    #[must_use]
    pub fn span(&self) -> Span {
        let first = self.database.unwrap_or(self.name).span();
        first.to(self.meta.unwrap_or(self.name).span())
    }
}

/// A string literal; `raw` holds the quotes, and several literals with blanks between them where the
/// text had them side by side (Hive glues those together).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StringLiteral<'a> {
    pub raw: &'a str,
    pub location: Location,
}

impl<'a> StringLiteral<'a> {
    /// The text that the literal stands for, escapes resolved as Hive does.
    #[must_use]
    pub fn value(&self) -> Cow<'a, str> {
        crate::literal::unescape_string(self.raw)
    }
}

/// A literal; what it is worth is read from `raw` when somebody needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Literal<'a> {
    pub kind: LiteralKind,
    pub raw: &'a str,
}

/// The kinds of literal that are one token (a string: one or more).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LiteralKind {
    Null,
    True,
    False,
    String,
    /// `_utf8 0x41`.
    CharacterSet,
    /// Digits without a suffix.
    Integer,
    /// `1Y`, `1S`, `1L`.
    TinyInt,
    SmallInt,
    BigInt,
    /// `1.5`, `1e3`: double in Hive 2.3, decimal from 3.1 on.
    Number,
    /// `1.5BD`.
    Decimal,
    /// `1.5D`.
    Double,
}

/// `key = value` of properties lists; a key alone in lists that remove properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Property<'a> {
    pub key: StringLiteral<'a>,
    pub value: Option<StringLiteral<'a>>,
}

/// A user, group or role, as `USER u`, `GROUP 'g'`, `ROLE r`; AuthDev lets the kind out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PrincipalName<'a> {
    pub kind: Option<PrincipalKind>,
    pub name: Identifier<'a>,
}

/// What a principal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrincipalKind {
    User,
    Group,
    Role,
}
