//! The rows of the wanted tables with their types, and what is wrong with those that have others.

use std::sync::Arc;

use guardbee_exchange::dump::{Cell, Row};
use guardbee_exchange::{Place, Report, ReportLine};
use guardbee_policy::{GrantOption, Principal, Timestamp};

use crate::tables::{Level, WANTED, grant};

/// A row of `ROLES`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RoleRow {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) owner: Option<String>,
    pub(crate) created_at: Timestamp,
    pub(crate) line: u64,
}

/// What rows that give something have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) id: i64,
    pub(crate) at: Timestamp,
    pub(crate) option: GrantOption,
    pub(crate) grantor: Option<Principal>,
    pub(crate) principal: Principal,
    pub(crate) line: u64,
}

/// A row of `ROLE_MAP`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemberRow {
    pub(crate) given: Given,
    pub(crate) role: i64,
}

/// A row of one of the tables of grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GrantRow {
    pub(crate) given: Given,
    pub(crate) level: Level,
    pub(crate) privilege: String,
    pub(crate) authorizer: Option<String>,
    pub(crate) object: Option<i64>,
    pub(crate) column: Option<String>,
}

/// Reads the cells of a row.
pub(crate) struct CellReader<'r> {
    pub(crate) row: Row<'r>,
    pub(crate) file: &'r Arc<str>,
    pub(crate) report: &'r mut Report,
}

impl CellReader<'_> {
    fn table(&self) -> &'static str {
        WANTED.get(self.row.table).map_or("", |table| table.name)
    }

    fn column(&self, at: usize) -> &'static str {
        WANTED.get(self.row.table).and_then(|table| table.columns.get(at)).copied().unwrap_or("")
    }

    fn wrong(&mut self, at: usize, what: &str) {
        let message = format!("`{}` in a row of `{}` {what}", self.column(at), self.table());
        let place = Place { file: self.file.clone(), line: self.row.line, column: None };
        self.report.push(ReportLine::error("bad-value", message).at(place));
    }

    /// The text of a cell: `Some(None)` where it is absent or NULL, none where it is of no use.
    pub(crate) fn optional(&mut self, at: usize) -> Option<Option<String>> {
        match self.row.cells.get(at) {
            None | Some(Cell::Absent | Cell::Null) => Some(None),
            Some(Cell::Text(text)) => Some(Some(text.clone())),
            Some(Cell::Unusable(why)) => {
                self.wrong(at, why.message());
                None
            }
        }
    }

    pub(crate) fn text(&mut self, at: usize) -> Option<String> {
        let text = self.optional(at)?;
        if text.as_ref().is_none_or(String::is_empty) {
            self.wrong(at, "is empty or missing");
            return None;
        }
        text
    }

    pub(crate) fn integer(&mut self, at: usize) -> Option<i64> {
        let text = self.text(at)?;
        let number = text.parse().ok();
        if number.is_none() {
            self.wrong(at, &format!("is no number: `{}`", shortened(&text)));
        }
        number
    }

    /// Seconds in the table, milliseconds here.
    pub(crate) fn time(&mut self, at: usize) -> Option<Timestamp> {
        let milliseconds = self.integer(at)?.checked_mul(1000);
        if milliseconds.is_none() {
            self.wrong(at, "is no moment");
        }
        milliseconds.map(Timestamp)
    }

    /// A principal by its name and its kind; without a name none, without a kind a user.
    pub(crate) fn principal(&mut self, name: usize, kind: usize) -> Option<Option<Principal>> {
        let (name, kind_text) = (self.optional(name)?, self.optional(kind)?);
        let Some(name) = name.filter(|name| !name.is_empty()) else { return Some(None) };
        let kind_text = kind_text.unwrap_or_default();
        Some(Some(if kind_text.is_empty() || kind_text.eq_ignore_ascii_case("USER") {
            Principal::user(name)
        } else if kind_text.eq_ignore_ascii_case("GROUP") {
            Principal::group(name)
        } else if kind_text.eq_ignore_ascii_case("ROLE") {
            Principal::role(name)
        } else {
            self.wrong(kind, &format!("is no kind of principal: `{}`", shortened(&kind_text)));
            return None;
        }))
    }

    fn given(&mut self) -> Option<Given> {
        let id = self.integer(grant::ID);
        let at = self.time(grant::TIME);
        let option = self.integer(grant::OPTION);
        let grantor = self.principal(grant::GRANTOR, grant::GRANTOR_TYPE);
        let principal = self.principal(grant::PRINCIPAL, grant::PRINCIPAL_TYPE);
        if principal == Some(None) {
            self.wrong(grant::PRINCIPAL, "is empty or missing");
        }
        let option = if option? == 0 { GrantOption::Without } else { GrantOption::With };
        let line = self.row.line;
        Some(Given { id: id?, at: at?, option, grantor: grantor?, principal: principal??, line })
    }

    pub(crate) fn role(&mut self) -> Option<RoleRow> {
        let (id, created_at) = (self.integer(0), self.time(1));
        let (owner, name) = (self.optional(2), self.text(3));
        Some(RoleRow { id: id?, name: name?, owner: owner?, created_at: created_at?, line: self.row.line })
    }

    pub(crate) fn member(&mut self) -> Option<MemberRow> {
        const ROLE: usize = 7;
        let (given, role) = (self.given(), self.integer(ROLE));
        Some(MemberRow { given: given?, role: role? })
    }

    pub(crate) fn grant(&mut self, level: Level) -> Option<GrantRow> {
        let (given, privilege) = (self.given(), self.text(grant::PRIVILEGE));
        let authorizer = self.optional(grant::AUTHORIZER);
        let object = if level == Level::Global { Some(None) } else { self.integer(grant::OBJECT).map(Some) };
        let column = if level.has_column() { self.text(grant::COLUMN).map(Some) } else { Some(None) };
        Some(GrantRow {
            given: given?,
            level,
            privilege: privilege?,
            authorizer: authorizer?,
            object: object?,
            column: column?,
        })
    }
}

/// As much of a text as a message takes.
fn shortened(text: &str) -> String {
    text.chars().take(64).collect()
}
