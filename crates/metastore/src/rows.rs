//! The rows of the wanted tables with their types, and what is wrong with those that have others.

use guardbee_exchange::dump::{CellReader, shortened};
use guardbee_policy::{GrantOption, Principal, Timestamp};

use crate::tables::{Level, grant};

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

/// Reads what Hive keeps in cells.
pub(crate) trait HiveCells {
    fn time(&mut self, at: usize) -> Option<Timestamp>;
    fn principal(&mut self, name: usize, kind: usize) -> Option<Option<Principal>>;
    fn given(&mut self) -> Option<Given>;
    fn role(&mut self) -> Option<RoleRow>;
    fn member(&mut self) -> Option<MemberRow>;
    fn grant(&mut self, level: Level) -> Option<GrantRow>;
}

impl HiveCells for CellReader<'_> {
    /// Seconds in the table, milliseconds here.
    fn time(&mut self, at: usize) -> Option<Timestamp> {
        let milliseconds = self.integer(at)?.checked_mul(1000);
        if milliseconds.is_none() {
            self.wrong(at, "is no moment");
        }
        milliseconds.map(Timestamp)
    }

    /// A principal by its name and its kind; without a name none, without a kind a user.
    fn principal(&mut self, name: usize, kind: usize) -> Option<Option<Principal>> {
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

    fn role(&mut self) -> Option<RoleRow> {
        let (id, created_at) = (self.integer(0), self.time(1));
        let (owner, name) = (self.optional(2), self.text(3));
        Some(RoleRow { id: id?, name: name?, owner: owner?, created_at: created_at?, line: self.row.line })
    }

    fn member(&mut self) -> Option<MemberRow> {
        const ROLE: usize = 7;
        let (given, role) = (self.given(), self.integer(ROLE));
        Some(MemberRow { given: given?, role: role? })
    }

    fn grant(&mut self, level: Level) -> Option<GrantRow> {
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
