//! From the rows to the steps that build a policy.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use guardbee_exchange::{EntryIds, Imported, Report, ReportLine, Stamp};
use guardbee_model::{Name, TableName};
use guardbee_policy::{
    Change, Effect, Entry, GrantOption, Membership, NamePattern, Ownership, Policy, Principal, Privileges,
    Resource, Role, Scope, Validity,
};

use crate::dump::{Dump, HIVE_CATALOG, TableRow};
use crate::privilege;
use crate::rows::{GrantRow, MemberRow};
use crate::tables::Level;

/// How a dump is made into a policy.
#[derive(Debug, Clone, Default)]
pub struct ImportSettings {
    /// The times and grantors of the rows are kept; of the stamp only the first entry id counts.
    pub stamp: Stamp,
}

/// Roles that are always there; the metastore makes their rows itself.
const BUILT_IN: [&str; 2] = ["admin", "public"];

/// Words of `SET ROLE`, which no role can be called.
const RESERVED: [&str; 3] = ["all", "default", "none"];

impl Dump {
    /// The policy that the dump holds: roles and their members, grants, owners.
    ///
    /// The report names every row that is left out: privileges on partitions, unknown privileges, grants of
    /// foreign authorizers and in foreign catalogs, rows that refer to nothing.
    #[must_use]
    pub fn import(&self, settings: &ImportSettings) -> Imported {
        let mut import = Import {
            dump: self,
            report: self.report.clone(),
            changes: Vec::new(),
            policy: empty_policy(),
            roles: BTreeMap::new(),
            known: BUILT_IN.into_iter().map(Name::fold).collect(),
        };
        import.roles();
        import.members();
        import.grants(&mut EntryIds::from(settings.stamp.first_entry));
        import.owners();
        import.rule_book();
        Imported { changes: import.changes, groups: BTreeMap::new(), report: import.report }
    }
}

struct Import<'d> {
    dump: &'d Dump,
    report: Report,
    changes: Vec<Change>,
    /// What the steps so far make: it says what a policy cannot take.
    policy: Policy,
    /// Roles by the numbers of their rows.
    roles: BTreeMap<i64, Name>,
    known: BTreeSet<Name>,
}

impl Import<'_> {
    fn leave_out(&mut self, line: u64, code: &'static str, message: String) {
        self.report.push(ReportLine::not_carried(code, message).at(self.dump.place(line)));
    }

    /// Makes a step, or reports why a policy cannot take it.
    fn make(&mut self, line: Option<u64>, change: Change) {
        match self.policy.apply(change.clone()) {
            Ok(()) => self.changes.push(change),
            Err(error) => {
                let report_line = ReportLine::not_carried(error.code(), error.to_string());
                self.report.push(match line {
                    Some(line) => report_line.at(self.dump.place(line)),
                    None => report_line,
                });
            }
        }
    }

    fn roles(&mut self) {
        for row in &self.dump.roles {
            let name = Name::fold(&row.name);
            if RESERVED.contains(&&*name) {
                self.leave_out(
                    row.line,
                    "reserved-name",
                    format!("the role `{}`: no role can be called so", row.name),
                );
                continue;
            }
            self.roles.insert(row.id, name.clone());
            if BUILT_IN.contains(&&*name) {
                continue;
            }
            self.known.insert(name.clone());
            let created_by = row.owner.as_deref().filter(|owner| !owner.is_empty()).map(Into::into);
            let role = Role { name, created_by, created_at: row.created_at };
            self.make(Some(row.line), Change::PutRole(role));
        }
    }

    /// A role has a member once here, in Hive once for each grantor.
    fn members(&mut self) {
        let mut memberships: BTreeMap<(Name, Principal), (u64, Membership)> = BTreeMap::new();
        for row in &self.dump.members {
            let Some(role) = self.member_role(row) else { continue };
            let given = &row.given;
            let membership = Membership {
                role: role.clone(),
                member: given.principal.clone(),
                admin_option: given.option,
                grantor: given.grantor.clone(),
                created_at: given.at,
            };
            let Some((_, earlier)) = memberships.get_mut(&(role.clone(), given.principal.clone())) else {
                memberships.insert((role, given.principal.clone()), (given.line, membership));
                continue;
            };
            if given.option.is_with() {
                earlier.admin_option = GrantOption::With;
            }
            let message = format!(
                "{} is in the role `{role}` by more than one grantor; the first is kept",
                given.principal
            );
            self.report.push(ReportLine::note("repeated-member", message).at(self.dump.place(given.line)));
        }
        for (line, membership) in memberships.into_values() {
            self.make(Some(line), Change::PutMembership(membership));
        }
    }

    fn member_role(&mut self, row: &MemberRow) -> Option<Name> {
        let member = &row.given.principal;
        let Some(role) = self.roles.get(&row.role).cloned() else {
            let message = format!("{member} in the role with the number {}, which is not there", row.role);
            self.leave_out(row.given.line, "unknown-role", message);
            return None;
        };
        if let Principal::Role(name) = member
            && !self.known.contains(name)
        {
            self.leave_out(
                row.given.line,
                "unknown-role",
                format!("{member} in the role `{role}`: there is no such role"),
            );
            return None;
        }
        if *role == *"public" {
            self.leave_out(
                row.given.line,
                "public-member",
                format!("{member} in the role `public`: everybody is in it"),
            );
            return None;
        }
        Some(role)
    }

    fn grants(&mut self, ids: &mut EntryIds) {
        let mut made: BTreeSet<(Principal, Privileges, Scope, Option<Principal>)> = BTreeSet::new();
        for row in &self.dump.grants {
            let Some((scope, privileges)) = self.grant(row) else { continue };
            let given = &row.given;
            if !made.insert((given.principal.clone(), privileges, scope.clone(), given.grantor.clone())) {
                let message =
                    format!("{} is there twice; it is carried over once", what(row, &scope.to_string()));
                self.report.push(ReportLine::note("repeated-grant", message).at(self.dump.place(given.line)));
                continue;
            }
            let entry = Entry {
                id: ids.next_id(),
                effect: Effect::Grant,
                principal: given.principal.clone(),
                except: Arc::from([]),
                privileges,
                scope,
                grant_option: given.option,
                grantor: given.grantor.clone(),
                created_at: given.at,
                validity: Validity::ALWAYS,
                purpose: None,
            };
            self.make(Some(given.line), Change::PutEntry(entry));
        }
    }

    fn grant(&mut self, row: &GrantRow) -> Option<(Scope, Privileges)> {
        if is_built_in(row) {
            return None;
        }
        let line = row.given.line;
        let scope = match self.scope(row) {
            Ok(scope) => scope,
            Err((code, object)) => {
                self.leave_out(line, code, what(row, &object));
                return None;
            }
        };
        let message = |why: &str| format!("{}: {why}", what(row, &scope.to_string()));
        if let Some(authorizer) = row.authorizer.as_deref().filter(|name| !is_hives_own(name)) {
            let why = format!("another system keeps it (`{authorizer}`)");
            self.leave_out(line, "foreign-authorizer", message(&why));
            return None;
        }
        if let Principal::Role(role) = &row.given.principal
            && !self.known.contains(role)
        {
            self.leave_out(line, "unknown-role", message("there is no such role"));
            return None;
        }
        let privileges = privilege::read(&row.privilege);
        if privileges.is_none() {
            self.leave_out(line, "unknown-privilege", message("hive has no such privilege"));
        }
        Some((scope, privileges?))
    }

    /// What a grant is on; where that cannot be carried over, why, and its name as far as it is known.
    fn scope(&self, row: &GrantRow) -> Result<Scope, (&'static str, String)> {
        let object = row.object.unwrap_or_default();
        let column = row.column.as_deref().unwrap_or_default();
        match row.level {
            Level::Global => Ok(Scope::Server),
            Level::Database => self.database(object).map(|name| Scope::Database(NamePattern::from(name))),
            Level::Table => {
                let TableName { database, table } = self.table(object)?;
                Ok(Scope::Table { database: database.into(), table: table.into() })
            }
            Level::Column => {
                let TableName { database, table } = self.table(object)?;
                Ok(Scope::Column {
                    database: database.into(),
                    table: table.into(),
                    column: Name::fold(column).into(),
                })
            }
            Level::Partition => Err(("partition", self.partition(object))),
            Level::PartitionColumn => {
                Err(("partition", format!("the column `{column}` of {}", self.partition(object))))
            }
        }
    }

    fn database(&self, id: i64) -> Result<Name, (&'static str, String)> {
        let Some(database) = self.dump.databases.get(&id) else {
            return Err(("no-object", format!("the database with the number {id}, which is not there")));
        };
        if !database.catalog.eq_ignore_ascii_case(HIVE_CATALOG) {
            return Err(("catalog", format!("`{}` in the catalog `{}`", database.name, database.catalog)));
        }
        unpatterned(&database.name)
    }

    fn table(&self, id: i64) -> Result<TableName, (&'static str, String)> {
        let Some(TableRow { database, name, .. }) = self.dump.tables.get(&id) else {
            return Err(("no-object", format!("the table with the number {id}, which is not there")));
        };
        Ok(TableName::new(self.database(*database)?, unpatterned(name)?))
    }

    fn partition(&self, id: i64) -> String {
        let Some((table, name)) = self.dump.partitions.get(&id) else {
            return format!("the partition with the number {id}");
        };
        let table = self.table(*table).map_or_else(|(_, object)| object, |table| format!("`{table}`"));
        format!("the partition `{name}` of {table}")
    }

    fn owners(&mut self) {
        let databases =
            self.dump.databases.iter().filter_map(|(&id, row)| {
                Some((Resource::Database(self.database(id).ok()?), row.owner.clone()?))
            });
        let tables = self
            .dump
            .tables
            .iter()
            .filter_map(|(&id, row)| Some((Resource::Table(self.table(id).ok()?), row.owner.clone()?)));
        let owners: Vec<(Resource, Principal)> = databases.chain(tables).collect();
        for (resource, owner) in owners {
            if let Principal::Role(role) = &owner
                && !self.known.contains(role)
            {
                let message = format!("{owner} as the owner of `{resource}`: there is no such role");
                self.report.push(ReportLine::not_carried("unknown-role", message));
                continue;
            }
            self.make(None, Change::PutOwner(Ownership { resource, owner }));
        }
    }

    /// The rows do not say by which rules they were judged, but since Hive 3.0 who made them.
    fn rule_book(&mut self) {
        let made_by = |authorizer: &str| {
            self.dump.grants.iter().any(|row| {
                !is_built_in(row)
                    && row.authorizer.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(authorizer))
            })
        };
        let book = match (made_by("SQL"), made_by("v1")) {
            (true, false) => "sql-standard",
            (false, true) => "hive-legacy",
            (true, true) => {
                let message = "some grants were made in hive's sql standard mode, some in its legacy mode";
                let line = ReportLine::note("rule-book", message);
                return self.report.push(line.with_hint("hive minds those of the mode it runs in only"));
            }
            (false, false) => return,
        };
        let line = ReportLine::note("rule-book", format!("the grants were made for the rule book `{book}`"));
        self.report
            .push(line.with_hint(format!("set `rule_book` to `{book}` to have them judged as hive did")));
    }
}

/// Hive keeps fewer names for itself than Sentry does.
fn empty_policy() -> Policy {
    let mut policy = Policy::new();
    let book = Change::PutSetting { key: "rule_book".into(), value: "hive-legacy".into() };
    // A policy takes the setting: both words are its own.
    let _ = policy.apply(book);
    policy
}

/// A name with a `*` would be a pattern here.
fn unpatterned(name: &Name) -> Result<Name, (&'static str, String)> {
    if name.contains('*') {
        Err(("no-object", format!("`{name}`, which is no name")))
    } else {
        Ok(name.clone())
    }
}

/// `SELECT for user ana on TABLE a.b`
fn what(row: &GrantRow, object: &str) -> String {
    format!("{} for {} on {object}", row.privilege, row.given.principal)
}

/// Everything, for the role `admin`: the metastore makes the row at its first start, and the role has the right
/// without it.
pub(crate) fn is_built_in(row: &GrantRow) -> bool {
    let admin = Principal::role("admin");
    row.level == Level::Global
        && row.given.principal == admin
        && row.given.grantor.as_ref() == Some(&admin)
        && row.privilege.eq_ignore_ascii_case("all")
}

fn is_hives_own(authorizer: &str) -> bool {
    authorizer.is_empty() || authorizer.eq_ignore_ascii_case("SQL") || authorizer.eq_ignore_ascii_case("v1")
}
