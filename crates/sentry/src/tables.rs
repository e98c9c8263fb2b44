//! Sentry's own database, out of a dump: the tables `SENTRY_ROLE`, `SENTRY_GROUP`, `SENTRY_USER`,
//! `SENTRY_DB_PRIVILEGE` and those that tie them together.
//!
//! The order of columns differs between databases, and two of them hold the same kinds of numbers: a dump that names
//! neither columns nor creates its tables is refused rather than guessed at.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use guardbee_exchange::dump::{CellReader, DumpError, Flavour, WantedTable, read_rows, shortened};
use guardbee_exchange::{EntryIds, Imported, Place, Report, ReportLine};
use guardbee_model::Name;
use guardbee_policy::{
    Change, Effect, Entry, GrantOption, Membership, Policy, Principal, Role, Timestamp, Validity,
};
use smol_str::SmolStr;

use crate::import::ImportSettings;
use crate::privilege::{Fault, Meaning, Part, Parts, SentryPrivilege};
use crate::role_names::{WrittenRole, names};

const ROLES: usize = 0;
const GROUPS: usize = 1;
const USERS: usize = 2;
const PRIVILEGES: usize = 3;
const ROLE_GROUPS: usize = 4;
const ROLE_USERS: usize = 5;
const ROLE_PRIVILEGES: usize = 6;
const USER_PRIVILEGES: usize = 7;

const WANTED: [WantedTable; 9] = [
    wanted("SENTRY_ROLE", &["ROLE_ID", "ROLE_NAME", "CREATE_TIME"]),
    wanted("SENTRY_GROUP", &["GROUP_ID", "GROUP_NAME"]),
    wanted("SENTRY_USER", &["USER_ID", "USER_NAME"]),
    wanted(
        "SENTRY_DB_PRIVILEGE",
        &[
            "DB_PRIVILEGE_ID",
            "SERVER_NAME",
            "DB_NAME",
            "TABLE_NAME",
            "COLUMN_NAME",
            "URI",
            "ACTION",
            "CREATE_TIME",
            "WITH_GRANT_OPTION",
        ],
    ),
    wanted("SENTRY_ROLE_GROUP_MAP", &["ROLE_ID", "GROUP_ID", "GRANTOR_PRINCIPAL"]),
    wanted("SENTRY_ROLE_USER_MAP", &["ROLE_ID", "USER_ID", "GRANTOR_PRINCIPAL"]),
    wanted("SENTRY_ROLE_DB_PRIVILEGE_MAP", &["ROLE_ID", "DB_PRIVILEGE_ID", "GRANTOR_PRINCIPAL"]),
    wanted("SENTRY_USER_DB_PRIVILEGE_MAP", &["USER_ID", "DB_PRIVILEGE_ID", "GRANTOR_PRINCIPAL"]),
    // Of other services: named in the report.
    wanted("SENTRY_GM_PRIVILEGE", &["GM_PRIVILEGE_ID", "COMPONENT_NAME", "RESOURCE_NAME_0", "ACTION"]),
];

const fn wanted(name: &'static str, columns: &'static [&'static str]) -> WantedTable {
    WantedTable { name, columns, orders: &[] }
}

/// Reads a dump of Sentry's database. `settings` name the dump and, where it holds privileges of several servers,
/// the one that is meant.
///
/// # Errors
/// [`DumpError`], with a line for everything that is wrong in the dump.
pub fn import_tables(
    input: impl Read,
    flavour: Option<Flavour>,
    settings: &ImportSettings<'_>,
) -> Result<Imported, DumpError> {
    let file: Arc<str> = Arc::from(settings.file);
    let mut report = Report::default();
    let mut row_report = Report::default();
    let mut tables = Tables::default();
    let summary = read_rows(input, flavour, &WANTED, &file, &mut report, |row| {
        tables.take(CellReader { row, tables: &WANTED, file: &file, report: &mut row_report });
    })
    .map_err(DumpError::Input)?;
    report.append(row_report);
    if !summary.rows.iter().any(Option::is_some) {
        let message = format!("`{file}` holds no table of sentry");
        report.push(ReportLine::error("no-rows", message).with_hint("a dump of sentry's database is needed"));
    }
    let mut import =
        Import { file, settings, tables: &tables, report, policy: Policy::new(), changes: Vec::new() };
    import.run();
    import.report.sort_by_place();
    if import.report.has_errors() {
        return Err(DumpError::Wrong(import.report));
    }
    Ok(Imported { changes: import.changes, groups: BTreeMap::new(), report: import.report })
}

#[derive(Default)]
struct Tables {
    roles: BTreeMap<i64, RoleRow>,
    groups: BTreeMap<i64, String>,
    users: BTreeMap<i64, String>,
    privileges: BTreeMap<i64, PrivilegeRow>,
    role_groups: Vec<Tie>,
    role_users: Vec<Tie>,
    role_privileges: Vec<Tie>,
    user_privileges: Vec<Tie>,
    /// Privileges of other services, with their lines.
    others: Vec<(u64, String)>,
}

struct RoleRow {
    name: String,
    created_at: Timestamp,
    line: u64,
}

struct PrivilegeRow {
    server: String,
    database: Option<String>,
    table: Option<String>,
    column: Option<String>,
    uri: Option<String>,
    action: String,
    created_at: Timestamp,
    grant_option: GrantOption,
    line: u64,
}

/// Who holds what, by number, and by whom.
struct Tie {
    holder: i64,
    held: i64,
    grantor: Option<Principal>,
    line: u64,
}

impl Tables {
    fn take(&mut self, mut cells: CellReader<'_>) {
        let line = cells.row.line;
        let first = cells.integer(0);
        match cells.row.table {
            ROLES => {
                let (name, time) = (cells.text(1), cells.integer(2));
                if let (Some(id), Some(name), Some(time)) = (first, name, time) {
                    once(&mut self.roles, id, RoleRow { name, created_at: Timestamp(time), line }, cells);
                }
            }
            GROUPS | USERS => {
                let of_groups = cells.row.table == GROUPS;
                let name = cells.text(1);
                if let (Some(id), Some(name)) = (first, name) {
                    once(if of_groups { &mut self.groups } else { &mut self.users }, id, name, cells);
                }
            }
            PRIVILEGES => {
                if let (Some(id), Some(row)) = (first, privilege(&mut cells)) {
                    once(&mut self.privileges, id, row, cells);
                }
            }
            table @ ROLE_GROUPS..=USER_PRIVILEGES => {
                let (second, grantor) = (cells.integer(1), cells.optional(2));
                let (Some(first), Some(second), Some(grantor)) = (first, second, grantor) else { return };
                let grantor = grantor.filter(|name| is_given(name) && name != "--").map(Principal::user);
                let tie = |holder, held| Tie { holder, held, grantor, line };
                match table {
                    ROLE_GROUPS => self.role_groups.push(tie(second, first)),
                    ROLE_USERS => self.role_users.push(tie(second, first)),
                    ROLE_PRIVILEGES => self.role_privileges.push(tie(first, second)),
                    _ => self.user_privileges.push(tie(first, second)),
                }
            }
            _ => {
                let (component, resource, action) = (cells.text(1), cells.optional(2), cells.text(3));
                if let (Some(component), Some(resource), Some(action)) = (component, resource, action) {
                    let resource = resource.filter(|name| is_given(name)).unwrap_or_else(|| "all".to_owned());
                    self.others.push((line, format!("{action} on `{resource}` of {component}")));
                }
            }
        }
    }
}

/// Sentry writes `__NULL__` where nothing is given.
fn is_given(text: &str) -> bool {
    !text.is_empty() && text != "__NULL__"
}

fn privilege(cells: &mut CellReader<'_>) -> Option<PrivilegeRow> {
    let server = cells.text(1);
    let mut part = |at| Some(cells.optional(at)?.filter(|text| is_given(text)));
    let (database, table, column, uri) = (part(2), part(3), part(4), part(5));
    let (action, time, option) = (cells.text(6), cells.integer(7), cells.text(8));
    let option = option.and_then(|text| match text.trim() {
        "Y" | "y" => Some(GrantOption::With),
        "N" | "n" => Some(GrantOption::Without),
        other => {
            cells.wrong(8, &format!("is neither `Y` nor `N`: `{}`", shortened(other)));
            None
        }
    });
    Some(PrivilegeRow {
        server: server?,
        database: database?,
        table: table?,
        column: column?,
        uri: uri?,
        action: action?,
        created_at: Timestamp(time?),
        grant_option: option?,
        line: cells.row.line,
    })
}

fn once<T>(rows: &mut BTreeMap<i64, T>, id: i64, row: T, mut cells: CellReader<'_>) {
    if rows.insert(id, row).is_some() {
        cells.wrong(0, &format!("is there twice: `{id}`"));
    }
}

struct Import<'t, 's> {
    file: Arc<str>,
    settings: &'t ImportSettings<'s>,
    tables: &'t Tables,
    report: Report,
    /// What the steps so far make: it says what a policy cannot take.
    policy: Policy,
    changes: Vec<Change>,
}

impl Import<'_, '_> {
    fn place(&self, line: u64) -> Place {
        Place { file: self.file.clone(), line, column: None }
    }

    fn leave_out(&mut self, line: u64, code: &'static str, message: String) {
        let place = self.place(line);
        self.report.push(ReportLine::not_carried(code, message).at(place));
    }

    fn make(&mut self, line: u64, change: Change) {
        match self.policy.apply(change.clone()) {
            Ok(()) => self.changes.push(change),
            Err(error) => self.leave_out(line, error.code(), error.to_string()),
        }
    }

    fn run(&mut self) {
        let server = self.server();
        if let Some(server) = &server {
            self.make(1, Change::PutSetting { key: "server".into(), value: server.clone() });
        }
        let holders = self.holders();
        let roles = self.roles(&holders);
        self.members(&roles);
        self.entries(&roles, server.as_deref());
        for (line, other) in &self.tables.others {
            self.leave_out(
                *line,
                "other-service",
                format!("{other}: privileges of other services are not carried over"),
            );
        }
    }

    /// The server that is meant: the one that the settings name, or the only one.
    fn server(&mut self) -> Option<SmolStr> {
        if let Some(server) = self.settings.server {
            return Some(SmolStr::new(server));
        }
        let servers: BTreeSet<&str> = self.tables.privileges.values().map(|row| &*row.server).collect();
        if servers.len() > 1 {
            let list: Vec<&str> = servers.iter().copied().take(10).collect();
            let message = format!("there are privileges of several servers: {}", list.join(", "));
            self.report
                .push(ReportLine::error("several-servers", message).with_hint("say which one is meant"));
        }
        servers.first().map(SmolStr::new)
    }

    /// Who holds the roles, by number.
    fn holders(&self) -> BTreeMap<i64, BTreeSet<Principal>> {
        let mut holders: BTreeMap<i64, BTreeSet<Principal>> =
            self.tables.roles.keys().map(|&id| (id, BTreeSet::new())).collect();
        for (tie, member) in self.ties() {
            if let (Some(holders), Some(member)) = (holders.get_mut(&tie.held), member) {
                holders.insert(member);
            }
        }
        holders
    }

    /// Roles with those who hold them.
    fn ties(&self) -> impl Iterator<Item = (&Tie, Option<Principal>)> {
        let groups = self.tables.role_groups.iter();
        let users = self.tables.role_users.iter();
        groups
            .map(|tie| (tie, self.tables.groups.get(&tie.holder).map(Principal::group)))
            .chain(users.map(|tie| (tie, self.tables.users.get(&tie.holder).map(Principal::user))))
    }

    fn roles(&mut self, holders: &BTreeMap<i64, BTreeSet<Principal>>) -> BTreeMap<i64, Name> {
        let tables = self.tables;
        let written: Vec<WrittenRole<'_>> = tables
            .roles
            .values()
            .zip(holders.values())
            .map(|(row, holders)| WrittenRole { name: &row.name, database: None, holders })
            .collect();
        let mut roles = BTreeMap::new();
        for ((&id, row), name) in tables.roles.iter().zip(names(&written)) {
            if name != Name::fold(&row.name) {
                let message = format!("the role `{}` is called `{name}` here", row.name);
                let line = ReportLine::note("role-renamed", message).at(self.place(row.line));
                self.report
                    .push(line.with_hint("the name is taken, or other principals hold a role of that name"));
            }
            roles.insert(id, name.clone());
            let created_by = self.settings.stamp.author.clone();
            self.make(row.line, Change::PutRole(Role { name, created_by, created_at: row.created_at }));
        }
        roles
    }

    fn members(&mut self, roles: &BTreeMap<i64, Name>) {
        let ties: Vec<(&Tie, Option<Principal>)> = self.ties().collect();
        let mut memberships = Vec::new();
        for (tie, member) in ties {
            let (Some(role), Some(member)) = (roles.get(&tie.held), member) else {
                memberships.push((tie.line, None));
                continue;
            };
            let membership = Membership {
                role: role.clone(),
                member,
                admin_option: GrantOption::Without,
                grantor: tie.grantor.clone(),
                created_at: self.settings.stamp.at,
            };
            memberships.push((tie.line, Some(membership)));
        }
        for (line, membership) in memberships {
            match membership {
                Some(membership) => self.make(line, Change::PutMembership(membership)),
                None => self.leave_out(line, "no-object", "the role or its holder is not there".to_owned()),
            }
        }
    }

    fn entries(&mut self, roles: &BTreeMap<i64, Name>, server: Option<&str>) {
        let tables = self.tables;
        let mut meanings: BTreeMap<i64, SentryPrivilege> = BTreeMap::new();
        for (&id, row) in &tables.privileges {
            if let Some(meaning) = self.meaning(row, server) {
                meanings.insert(id, meaning);
            }
        }
        let of_roles = tables.role_privileges.iter();
        let of_users = tables.user_privileges.iter();
        let holders = of_roles
            .map(|tie| (tie, roles.get(&tie.holder).cloned().map(Principal::Role)))
            .chain(of_users.map(|tie| (tie, tables.users.get(&tie.holder).map(Principal::user))));
        let mut ids = EntryIds::from(self.settings.stamp.first_entry);
        let mut made = BTreeSet::new();
        for (tie, holder) in holders {
            let (Some(row), Some(principal)) = (tables.privileges.get(&tie.held), holder) else {
                self.leave_out(tie.line, "no-object", "the privilege or its holder is not there".to_owned());
                continue;
            };
            // What is wrong with the privilege itself was said before.
            let Some(meaning) = meanings.get(&tie.held) else { continue };
            if !made.insert((principal.clone(), meaning.clone())) {
                continue;
            }
            let entry = Entry {
                id: ids.next_id(),
                effect: Effect::Grant,
                principal,
                except: Arc::from([]),
                privileges: meaning.privileges,
                scope: meaning.scope.clone(),
                grant_option: meaning.grant_option,
                grantor: tie.grantor.clone(),
                created_at: row.created_at,
                validity: Validity::ALWAYS,
                purpose: None,
            };
            self.make(tie.line, Change::PutEntry(entry));
        }
    }

    fn meaning(&mut self, row: &PrivilegeRow, server: Option<&str>) -> Option<SentryPrivilege> {
        if !server.is_some_and(|server| server.eq_ignore_ascii_case(&row.server)) {
            self.leave_out(row.line, "other-server", format!("a privilege on the server `{}`", row.server));
            return None;
        }
        const fn part(text: &Option<String>) -> Option<Part<'_>> {
            match text {
                Some(value) => Some(Part { value: value.as_str(), at: 0 }),
                None => None,
            }
        }
        let parts = Parts {
            server: Some(Part { value: &row.server, at: 0 }),
            database: part(&row.database),
            table: part(&row.table),
            column: part(&row.column),
            uri: part(&row.uri),
            action: Some(Part { value: &row.action, at: 0 }),
            grant_option: None,
        };
        match parts.meaning(self.settings.default_file_system) {
            Ok(Meaning::Granted(privilege, _)) => {
                Some(SentryPrivilege { grant_option: row.grant_option, ..privilege })
            }
            Ok(Meaning::GrantsNothing(Fault { code, message, .. })) | Err(Fault { code, message, .. }) => {
                self.leave_out(row.line, code, message);
                None
            }
        }
    }
}
