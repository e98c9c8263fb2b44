//! What a dump of a metastore says about privileges.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::sync::Arc;

use guardbee_exchange::dump::{Cell, CellReader, DumpError, Flavour, Row, read_rows};
use guardbee_exchange::{Place, Report, ReportLine};
use guardbee_model::Name;
use guardbee_policy::Principal;

use crate::rows::{GrantRow, HiveCells, MemberRow, RoleRow};
use crate::tables::{Level, WANTED, grant, place};

/// Partitions beyond this number are named by their id only, so that memory stays bounded.
const MOST_PARTITIONS: usize = 200_000;

/// The catalog that Hive itself works in.
pub(crate) const HIVE_CATALOG: &str = "hive";

/// A metastore as its dump shows it.
#[derive(Debug, Clone, Default)]
pub struct Dump {
    pub(crate) file: Arc<str>,
    pub(crate) flavour: Option<Flavour>,
    pub(crate) has_authorizer: Option<bool>,
    pub(crate) databases: BTreeMap<i64, DatabaseRow>,
    pub(crate) tables: BTreeMap<i64, TableRow>,
    pub(crate) partitions: BTreeMap<i64, (i64, String)>,
    pub(crate) roles: Vec<RoleRow>,
    pub(crate) members: Vec<MemberRow>,
    pub(crate) grants: Vec<GrantRow>,
    pub(crate) sequences: BTreeMap<String, i64>,
    /// What there is to say about the dump itself.
    pub(crate) report: Report,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DatabaseRow {
    pub(crate) name: Name,
    pub(crate) owner: Option<Principal>,
    pub(crate) catalog: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TableRow {
    pub(crate) database: i64,
    pub(crate) name: Name,
    pub(crate) owner: Option<Principal>,
}

/// Reads a dump. Of what is no business of policies nothing is kept, so it may be of any length. `file` is its name
/// in reports; without a flavour the dump's beginning shows whose it is.
///
/// # Errors
/// [`DumpError`], with a line for everything that is wrong in the dump.
pub fn read_dump(input: impl Read, flavour: Option<Flavour>, file: &str) -> Result<Dump, DumpError> {
    let mut dump = Dump { file: Arc::from(file), ..Dump::default() };
    let mut report = Report::default();
    let mut row_report = Report::default();
    let mut seen = Seen::default();
    let summary = read_rows(input, flavour, &WANTED, &Arc::from(file), &mut report, |row| {
        dump.take(row, &mut seen, &mut row_report);
    })
    .map_err(DumpError::Input)?;
    report.append(row_report);
    // Every flavour has its own order of tables; what is made of them must not depend on it.
    dump.grants.sort_by_key(|row| (row.level, row.given.id));
    dump.members.sort_by_key(|row| row.given.id);
    dump.roles.sort_by_key(|row| row.id);
    dump.flavour = Some(summary.flavour);
    dump.check_tables(&summary.rows, &mut report);
    dump.check_role_names(&mut report);
    report.sort_by_place();
    if report.has_errors() {
        return Err(DumpError::Wrong(report));
    }
    dump.report = report;
    Ok(dump)
}

/// The numbers that rows had so far, by table.
#[derive(Default)]
struct Seen(BTreeSet<(usize, i64)>);

impl Dump {
    /// Whose SQL the dump is.
    #[must_use]
    pub const fn flavour(&self) -> Option<Flavour> {
        self.flavour
    }

    /// Do the tables of grants have the column `AUTHORIZER`, as they do since Hive 3.0? None where the dump has no
    /// grants to see it by.
    #[must_use]
    pub const fn has_authorizer(&self) -> Option<bool> {
        self.has_authorizer
    }

    pub(crate) fn place(&self, line: u64) -> Place {
        Place { file: self.file.clone(), line, column: None }
    }

    fn take(&mut self, row: Row<'_>, seen: &mut Seen, report: &mut Report) {
        let file = self.file.clone();
        let mut cells = CellReader { row, tables: &WANTED, file: &file, report };
        if row.table == place::SEQUENCES {
            if let (Some(name), Some(next)) = (cells.text(0), cells.integer(1)) {
                self.sequences.insert(name, next);
            }
            return;
        }
        let Some(id) = cells.integer(0) else { return };
        let is_counted = row.table != place::PARTITIONS || self.partitions.len() < MOST_PARTITIONS;
        if is_counted && !seen.0.insert((row.table, id)) {
            let table = WANTED.get(row.table).map_or("", |table| table.name);
            let message = format!("a second row of `{table}` has the number {id}");
            let line = ReportLine::error("repeated-id", message).at(self.place(row.line));
            report.push(line.with_hint("does the dump hold more than one metastore?"));
            return;
        }
        match row.table {
            place::DATABASES => {
                let (name, owner, catalog) = (cells.text(1), cells.principal(2, 3), cells.optional(4));
                if let (Some(name), Some(owner), Some(catalog)) = (name, owner, catalog) {
                    let catalog = catalog.unwrap_or_else(|| HIVE_CATALOG.to_owned());
                    self.databases.insert(id, DatabaseRow { name: Name::fold(&name), owner, catalog });
                }
            }
            place::TABLES => {
                let (database, name, owner) = (cells.integer(1), cells.text(2), cells.principal(3, 4));
                if let (Some(database), Some(name), Some(owner)) = (database, name, owner) {
                    self.tables.insert(id, TableRow { database, name: Name::fold(&name), owner });
                }
            }
            place::PARTITIONS => {
                if is_counted && let (Some(table), Some(name)) = (cells.integer(1), cells.text(2)) {
                    self.partitions.insert(id, (table, name));
                }
            }
            place::ROLES => self.roles.extend(cells.role()),
            place::MEMBERS => self.members.extend(cells.member()),
            table => {
                let level = table.checked_sub(place::GRANTS).and_then(|number| Level::ALL.get(number));
                if let Some(&level) = level {
                    let has_authorizer =
                        !matches!(row.cells.get(grant::AUTHORIZER), None | Some(Cell::Absent));
                    self.has_authorizer = Some(self.has_authorizer.unwrap_or(false) || has_authorizer);
                    self.grants.extend(cells.grant(level));
                }
            }
        }
    }

    /// Roles whose names differ in case only would be one here, with the rights of both.
    fn check_role_names(&self, report: &mut Report) {
        let mut names: BTreeMap<Name, &str> = BTreeMap::new();
        for row in &self.roles {
            if let Some(earlier) = names.insert(Name::fold(&row.name), &row.name) {
                let message = format!("the roles `{earlier}` and `{}` would be one", row.name);
                let line = ReportLine::error("repeated-role", message).at(self.place(row.line));
                report.push(line.with_hint("names of roles are compared without regard to case; rename one"));
            }
        }
    }

    /// Rows that name others by number are worth nothing without them.
    fn check_tables(&self, rows: &[Option<u64>], report: &mut Report) {
        let is_there = |table: usize| rows.get(table).is_some_and(Option::is_some);
        if !rows.iter().any(Option::is_some) {
            let message = format!("`{}` holds no row of a table of privileges", self.file);
            report.push(
                ReportLine::error("no-rows", message).with_hint("a dump of a metastore's database is needed"),
            );
        }
        let needs = |level: Level| self.grants.iter().any(|row| row.level == level);
        let by_table = needs(Level::Table) || needs(Level::Column);
        for (is_needed, table) in [
            (!self.members.is_empty(), place::ROLES),
            (by_table, place::TABLES),
            (by_table || needs(Level::Database), place::DATABASES),
        ] {
            if is_needed && !is_there(table) {
                let name = WANTED.get(table).map_or("", |table| table.name);
                let message = format!("the dump lacks the table `{name}`, which other rows refer to");
                report.push(ReportLine::error("no-table", message));
            }
        }
    }
}
