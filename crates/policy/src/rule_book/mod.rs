//! Rule books: which rights a statement needs.
//!
//! A book is a text that people can read and compare (`books/*.book`), one operation a line, kept after the
//! original whose answers it gives. This module reads the books and applies them to a [`Request`]. It does
//! not know who holds what; that is the policy's business.
//!
//! What a request has to name, so that a book finds what it asks for:
//! - every database, table and address that the statement names, though Hive hands some of them to no
//!   hook: the table of `SHOW TBLPROPERTIES` or `ALTER TABLE ... COMPACT`, the database of `USE` and
//!   `SHOW TABLE EXTENDED`;
//! - what a DROP finds, as read and as written with [`WriteAction::Drop`] (Hive lists it so), and what it
//!   does not find, as written only;
//! - what is created, as written with [`WriteAction::Create`]; where it is there already, its database
//!   alone, as written with [`WriteAction::CreateInside`];
//! - of a rename, the database it goes to, as written with [`WriteAction::CreateInside`];
//! - nothing that is only reached through a view, and no table of the session among the reads.
//!
//! [`WriteAction::Create`]: crate::request::WriteAction::Create
//! [`WriteAction::CreateInside`]: crate::request::WriteAction::CreateInside
//! [`WriteAction::Drop`]: crate::request::WriteAction::Drop

mod apply;
mod command;
mod operation;
mod parse;
mod rule;
mod touched;

use std::fmt;
use std::sync::LazyLock;

use guardbee_model::Operation;
use smol_str::SmolStr;

use crate::request::Request;
use crate::requirement::Requirement;
use crate::{BookName, Privilege, Privileges, Settings};

pub use operation::{operation_named, rule_name};
pub use parse::RuleBookError;
pub use rule::{Action, Clause, Condition, Kind, Presence, Rule};

static SENTRY: LazyLock<RuleBook> =
    LazyLock::new(|| built_in(BookName::Sentry, include_str!("books/sentry.book")));
static HIVE_LEGACY: LazyLock<RuleBook> =
    LazyLock::new(|| built_in(BookName::HiveLegacy, include_str!("books/hive-legacy.book")));
static SQL_STANDARD: LazyLock<RuleBook> =
    LazyLock::new(|| built_in(BookName::SqlStandard, include_str!("books/sql-standard.book")));
static RANGER: LazyLock<RuleBook> =
    LazyLock::new(|| built_in(BookName::Ranger, include_str!("books/ranger.book")));

/// A book that cannot be read refuses everything; a test sees to it that the built-in ones can.
fn built_in(name: BookName, text: &str) -> RuleBook {
    RuleBook::parse(name, text).unwrap_or_else(|_| RuleBook::empty(name))
}

/// The rights that a statement needs: all of them. A statement that needs none may run.
#[must_use]
pub fn requirements(settings: &Settings, request: &Request) -> Vec<Requirement> {
    RuleBook::built_in(settings.rule_book).requirements(settings, request)
}

/// A rule book: what each operation needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleBook {
    name: BookName,
    /// What `ANY` stands for.
    any: Privileges,
    absence: Absence,
    /// Clauses of every operation, whatever its own entry says.
    every: Vec<Clause>,
    rules: Vec<NamedRule>,
    /// The place in `rules` of each operation.
    places: Vec<Option<usize>>,
    /// What the script of a TRANSFORM needs.
    script: Rule,
    /// In lower case.
    forbidden_functions: Vec<SmolStr>,
    settings: Vec<SettingRule>,
}

/// What a book says of settings whose names fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingRule {
    /// In lower case; `*` at the end stands for the rest of a name.
    pub name: SmolStr,
    pub verdict: SettingVerdict,
}

/// May a setting be changed?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettingVerdict {
    /// Everybody may, unless another line refuses it. A book that allows some settings refuses all others.
    Allowed,
    Refused,
}

impl SettingVerdict {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::Refused => "refused",
        }
    }
}

impl SettingRule {
    fn fits(&self, key: &str) -> bool {
        match self.name.strip_suffix('*') {
            Some(start) => key.starts_with(start),
            None => self.name == key,
        }
    }
}

/// What becomes of a statement that touches no object of a kind that its rule names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Absence {
    /// Refused, unless the clause is optional.
    Refused,
    /// The clause asks for nothing.
    Ignored,
}

impl Absence {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Ignored => "ignored",
        }
    }
}

/// The rule of one operation, by the name that the book calls it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedRule {
    pub operation: SmolStr,
    pub rule: Rule,
}

impl RuleBook {
    /// One of the books that Guardbee brings.
    #[must_use]
    pub fn built_in(name: BookName) -> &'static Self {
        match name {
            BookName::Sentry => &SENTRY,
            BookName::HiveLegacy => &HIVE_LEGACY,
            BookName::SqlStandard => &SQL_STANDARD,
            BookName::Ranger => &RANGER,
        }
    }

    /// Reads a book from its text.
    ///
    /// # Errors
    /// Every line that says nothing.
    pub fn parse(name: BookName, text: &str) -> Result<Self, Vec<RuleBookError>> {
        parse::parse(name, text)
    }

    /// A book that knows no operation and so refuses each.
    fn empty(name: BookName) -> Self {
        Self {
            name,
            any: Privileges::NONE,
            absence: Absence::Ignored,
            every: Vec::new(),
            rules: Vec::new(),
            places: vec![None; Operation::ALL.len()],
            script: Rule::NotChecked,
            forbidden_functions: Vec::new(),
            settings: Vec::new(),
        }
    }

    #[must_use]
    pub const fn name(&self) -> BookName {
        self.name
    }

    /// What `ANY` stands for in the book.
    #[must_use]
    pub const fn any(&self) -> Privileges {
        self.any
    }

    /// The rules in the order of the book.
    #[must_use]
    pub fn rules(&self) -> &[NamedRule] {
        &self.rules
    }

    /// The rule of an operation; none where the book forgets it, and then it is refused.
    #[must_use]
    pub fn rule(&self, operation: Operation) -> Option<&Rule> {
        let place = (*self.places.get(operation as usize)?)?;
        self.rules.get(place).map(|named| &named.rule)
    }

    /// The clauses that count in every operation.
    #[must_use]
    pub fn every(&self) -> &[Clause] {
        &self.every
    }

    /// What the script of a TRANSFORM needs.
    #[must_use]
    pub const fn script(&self) -> &Rule {
        &self.script
    }

    /// Built-in functions that nobody may call, in lower case.
    #[must_use]
    pub fn forbidden_functions(&self) -> &[SmolStr] {
        &self.forbidden_functions
    }

    /// What the book says of settings, in its order.
    #[must_use]
    pub fn settings(&self) -> &[SettingRule] {
        &self.settings
    }

    /// May a setting be changed? Its name is in lower case.
    #[must_use]
    pub fn setting(&self, key: &str) -> SettingVerdict {
        let of = |verdict| self.settings.iter().filter(move |rule| rule.verdict == verdict);
        let mut allowed = of(SettingVerdict::Allowed).peekable();
        let is_refused = of(SettingVerdict::Refused).any(|rule| rule.fits(key))
            || allowed.peek().is_some() && !allowed.any(|rule| rule.fits(key));
        if is_refused { SettingVerdict::Refused } else { SettingVerdict::Allowed }
    }

    /// The rights that a statement needs by this book.
    #[must_use]
    pub fn requirements(&self, settings: &Settings, request: &Request) -> Vec<Requirement> {
        apply::requirements(self, settings, request)
    }
}

/// The whole book, as its text could be written: it reads the same again.
impl fmt::Display for RuleBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const WIDTH: usize = 32;
        if !self.any.is_empty() {
            let any: Vec<&str> = self.any.iter().map(Privilege::as_str).collect();
            writeln!(f, "{:<WIDTH$}{}", "any", any.join("|"))?;
        }
        writeln!(f, "{:<WIDTH$}{}", "absent", self.absence.as_str())?;
        if !self.every.is_empty() {
            writeln!(f, "{:<WIDTH$}{}", "every", Rule::Needs(self.every.clone()))?;
        }
        for NamedRule { operation, rule } in &self.rules {
            writeln!(f, "{operation:<WIDTH$}{rule}")?;
        }
        writeln!(f, "{:<WIDTH$}{}", "script", self.script)?;
        for function in &self.forbidden_functions {
            writeln!(f, "function {function} refused")?;
        }
        self.settings
            .iter()
            .try_for_each(|rule| writeln!(f, "setting {} {}", rule.name, rule.verdict.as_str()))
    }
}
