//! The text of the script, in the SQL of each database.

use std::fmt::Write;

use guardbee_exchange::dump::Flavour;
use guardbee_model::{Name, TableName};
use guardbee_policy::{GrantOption, Principal, Timestamp};
use smol_str::SmolStr;

use crate::dump::HIVE_CATALOG;
use crate::export::GrantKey;
use crate::tables::{Level, MEMBER_SEQUENCE, ROLE_SEQUENCE};

/// A row for `ROLES`.
pub(crate) struct NewRole {
    pub(crate) id: i64,
    pub(crate) name: Name,
    pub(crate) created_at: Timestamp,
    pub(crate) owner: Option<SmolStr>,
}

/// What rows that give something have in common.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) id: i64,
    pub(crate) created_at: Timestamp,
    pub(crate) option: GrantOption,
    pub(crate) grantor: Option<Principal>,
    pub(crate) principal: Principal,
}

/// A row for `ROLE_MAP`.
pub(crate) struct NewMember {
    pub(crate) common: Common,
    pub(crate) role: Reference,
}

/// A row for one of the tables of grants.
pub(crate) struct NewGrant {
    pub(crate) common: Common,
    pub(crate) level: Level,
    pub(crate) privilege: &'static str,
    pub(crate) object: Reference,
    pub(crate) column: Option<Name>,
}

impl NewGrant {
    pub(crate) fn key(&self) -> GrantKey {
        (
            self.object.id(),
            self.column.clone(),
            self.common.principal.clone(),
            self.privilege.to_owned(),
            self.common.grantor.clone(),
        )
    }
}

pub(crate) struct NewOwner {
    pub(crate) object: Reference,
    pub(crate) owner: Principal,
    /// Does the table say what kind of principal the owner is?
    pub(crate) has_kind: bool,
}

/// What a row refers to; the number where it is known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reference {
    Nothing,
    Role { name: Name, id: i64 },
    Database { name: Name, id: Option<i64> },
    Table { name: TableName, id: Option<i64> },
}

impl Reference {
    const fn id(&self) -> Option<i64> {
        match self {
            Self::Nothing => None,
            Self::Role { id, .. } => Some(*id),
            Self::Database { id, .. } | Self::Table { id, .. } => *id,
        }
    }
}

/// A script that is being written.
pub(crate) struct Script {
    flavour: Flavour,
    authorizer: Option<&'static str>,
    /// Are the numbers of the metastore's rows known, or must the script look them up?
    has_ids: bool,
    body: String,
    /// The first number of the table that is being written, where the script counts from the metastore's own.
    table_start: usize,
}

/// A value in a row.
enum Value<'v> {
    Id(i64),
    Number(i64),
    Text(Option<&'v str>),
    /// The number of what the row refers to.
    Object,
}

impl Script {
    pub(crate) const fn new(flavour: Flavour, authorizer: Option<&'static str>, has_ids: bool) -> Self {
        Self { flavour, authorizer, has_ids, body: String::new(), table_start: 0 }
    }

    pub(crate) fn finish(self) -> String {
        let mut text = format!("-- Privileges for the metastore of Hive on {}.\n", self.flavour.as_str());
        if self.body.is_empty() {
            text.push_str("-- They are there already: nothing is to be done.\n");
            return text;
        }
        text.push_str(match self.flavour {
            Flavour::MySql => "SET NAMES utf8mb4;\nSTART TRANSACTION;\n",
            Flavour::PostgreSql => {
                "SET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\nBEGIN;\n"
            }
            Flavour::Derby => "AUTOCOMMIT OFF;\n",
        });
        text.push_str(&self.body);
        text.push_str("COMMIT;\n");
        text
    }

    /// Removes all roles and grants but for those of the role `admin` that the metastore makes itself. Privileges on
    /// partitions stay.
    pub(crate) fn remove_existing(&mut self) {
        // What other systems keep in the tables is not ours to remove.
        let own = match self.authorizer {
            Some(_) => {
                let authorizer = self.name("AUTHORIZER");
                format!("({authorizer} IS NULL OR {authorizer} IN ('SQL', 'v1'))")
            }
            None => "1 = 1".to_owned(),
        };
        for table in ["TBL_COL_PRIVS", "TBL_PRIVS", "DB_PRIVS"] {
            let table = self.table(table);
            let _ = writeln!(self.body, "DELETE FROM {table} WHERE {own};");
        }
        let (principal, kind) = (self.name("PRINCIPAL_NAME"), self.name("PRINCIPAL_TYPE"));
        let (grantor, role) = (self.name("GRANTOR"), self.name("ROLE_NAME"));
        let (globals, members, roles) =
            (self.table("GLOBAL_PRIVS"), self.table("ROLE_MAP"), self.table("ROLES"));
        let _ = writeln!(
            self.body,
            "DELETE FROM {globals} WHERE {own} AND NOT \
             ({principal} = 'admin' AND {kind} = 'ROLE' AND {grantor} = 'admin');"
        );
        let _ = writeln!(self.body, "DELETE FROM {members};");
        let _ = writeln!(self.body, "DELETE FROM {roles} WHERE {role} NOT IN ('admin', 'public');");
    }

    pub(crate) fn role(&mut self, role: &NewRole) {
        let values = [
            ("ROLE_ID", Value::Id(role.id)),
            ("CREATE_TIME", Value::Number(seconds(role.created_at))),
            ("OWNER_NAME", Value::Text(role.owner.as_deref())),
            ("ROLE_NAME", Value::Text(Some(&role.name))),
        ];
        let unless = format!(
            "NOT EXISTS (SELECT 1 FROM {} x WHERE x.{} = {})",
            self.table("ROLES"),
            self.name("ROLE_NAME"),
            self.text(&role.name)
        );
        self.row("ROLES", "ROLE_ID", ROLE_SEQUENCE, &values, &Reference::Nothing, Some(&unless));
    }

    pub(crate) fn member(&mut self, member: &NewMember) {
        let mut values = vec![("ROLE_GRANT_ID", Value::Id(member.common.id))];
        values.extend(common_values(&member.common, "ADD_TIME"));
        values.push(("ROLE_ID", Value::Object));
        self.row("ROLE_MAP", "ROLE_GRANT_ID", MEMBER_SEQUENCE, &values, &member.role, None);
    }

    pub(crate) fn grant(&mut self, grant: &NewGrant) {
        let level = grant.level;
        let mut values = vec![(level.id_column(), Value::Id(grant.common.id))];
        values.extend(grant.column.as_deref().map(|column| ("COLUMN_NAME", Value::Text(Some(column)))));
        values.extend(common_values(&grant.common, "CREATE_TIME"));
        values.push((level.privilege_column(), Value::Text(Some(grant.privilege))));
        values.extend(level.object_column().map(|column| (column, Value::Object)));
        values.extend(self.authorizer.map(|authorizer| ("AUTHORIZER", Value::Text(Some(authorizer)))));
        self.row(level.table(), level.id_column(), level.sequence(), &values, &grant.object, None);
    }

    pub(crate) fn owner(&mut self, owner: &NewOwner) {
        let (table, name, filter) = match &owner.object {
            Reference::Database { name, .. } => ("DBS", "OWNER_NAME", self.database_filter("", name)),
            Reference::Table { name, .. } => {
                let id = self.name("DB_ID");
                let filter = format!(
                    "{} = {} AND {id} IN (SELECT {id} FROM {} WHERE {})",
                    self.name("TBL_NAME"),
                    self.text(&name.table),
                    self.table("DBS"),
                    self.database_filter("", &name.database)
                );
                ("TBLS", "OWNER", filter)
            }
            Reference::Nothing | Reference::Role { .. } => return,
        };
        let mut set = format!("{} = {}", self.name(name), self.text(owner.owner.name()));
        if owner.has_kind {
            let _ = write!(set, ", {} = {}", self.name("OWNER_TYPE"), self.text(owner.owner.kind().as_str()));
        }
        let table = self.table(table);
        let _ = writeln!(self.body, "UPDATE {table} SET {set} WHERE {filter};");
    }

    /// Tells the metastore which numbers of a table are used up.
    pub(crate) fn end_table(&mut self, sequence: &str, first: i64, next: i64) {
        if first == next {
            return;
        }
        let (table, name, value) =
            (self.table("SEQUENCE_TABLE"), self.name("SEQUENCE_NAME"), self.name("NEXT_VAL"));
        let sequence = self.text(sequence);
        if !self.has_ids {
            let count = next.saturating_sub(first);
            let _ = writeln!(
                self.body,
                "UPDATE {table} SET {value} = {value} + {count} WHERE {name} = {sequence};"
            );
        } else {
            let _ = writeln!(
                self.body,
                "UPDATE {table} SET {value} = {next} WHERE {name} = {sequence} AND {value} < {next};"
            );
            let _ = writeln!(
                self.body,
                "INSERT INTO {table} ({name}, {value}) SELECT {sequence}, {next}{} \
                 WHERE NOT EXISTS (SELECT 1 FROM {table} x WHERE x.{name} = {sequence});",
                self.from_nothing()
            );
        }
        self.table_start = self.body.len();
    }

    fn row(
        &mut self,
        table: &str,
        id_column: &str,
        sequence: &str,
        values: &[(&str, Value<'_>)],
        object: &Reference,
        unless: Option<&str>,
    ) {
        let columns: Vec<String> = values.iter().map(|(column, _)| self.name(column)).collect();
        let columns = columns.join(", ");
        let table_name = self.table(table);
        if self.has_ids {
            let written: Vec<String> = values.iter().map(|(_, value)| self.known(value, object)).collect();
            let _ =
                writeln!(self.body, "INSERT INTO {table_name} ({columns}) VALUES ({});", written.join(", "));
            return;
        }
        self.start_sequence(table, id_column, sequence);
        let written: Vec<String> = values.iter().map(|(_, value)| self.looked_up(value, object)).collect();
        let mut from = format!("{} s", self.table("SEQUENCE_TABLE"));
        let mut filter = format!("s.{} = {}", self.name("SEQUENCE_NAME"), self.text(sequence));
        for (source, condition) in self.sources(object) {
            let _ = write!(from, ", {source}");
            let _ = write!(filter, " AND {condition}");
        }
        if let Some(unless) = unless {
            let _ = write!(filter, " AND {unless}");
        }
        let _ = writeln!(
            self.body,
            "INSERT INTO {table_name} ({columns}) SELECT {} FROM {from} WHERE {filter};",
            written.join(", ")
        );
    }

    /// Sees to it that the metastore has a next number for a table, before the first row of it.
    fn start_sequence(&mut self, table: &str, id_column: &str, sequence: &str) {
        let marker = format!("-- {table}\n");
        if self.body.get(self.table_start..).is_some_and(|written| written.contains(&marker)) {
            return;
        }
        let (sequences, name, value) =
            (self.table("SEQUENCE_TABLE"), self.name("SEQUENCE_NAME"), self.name("NEXT_VAL"));
        let (sequence, table, id) = (self.text(sequence), self.table(table), self.name(id_column));
        self.body.push_str(&marker);
        let _ = writeln!(
            self.body,
            "INSERT INTO {sequences} ({name}, {value}) \
             SELECT {sequence}, (SELECT COALESCE(MAX(x.{id}), 0) + 1 FROM {table} x){} \
             WHERE NOT EXISTS (SELECT 1 FROM {sequences} x WHERE x.{name} = {sequence});",
            self.from_nothing()
        );
    }

    fn known(&self, value: &Value<'_>, object: &Reference) -> String {
        match value {
            Value::Id(number) | Value::Number(number) => number.to_string(),
            Value::Text(None) => "NULL".to_owned(),
            Value::Text(Some(text)) => self.text(text),
            Value::Object => object.id().map_or_else(|| "NULL".to_owned(), |id| id.to_string()),
        }
    }

    fn looked_up(&self, value: &Value<'_>, object: &Reference) -> String {
        match value {
            // The numbers of the rows count from 1, since nothing of the metastore is known.
            Value::Id(number) => format!("s.{} + {}", self.name("NEXT_VAL"), number.saturating_sub(1)),
            Value::Text(None) if self.flavour == Flavour::Derby => "CAST(NULL AS VARCHAR(128))".to_owned(),
            Value::Object => match object {
                Reference::Nothing => "NULL".to_owned(),
                Reference::Role { .. } => format!("r.{}", self.name("ROLE_ID")),
                Reference::Database { .. } => format!("d.{}", self.name("DB_ID")),
                Reference::Table { .. } => format!("t.{}", self.name("TBL_ID")),
            },
            Value::Number(_) | Value::Text(_) => self.known(value, object),
        }
    }

    /// The tables in which what a row refers to is looked up, each with its condition.
    fn sources(&self, object: &Reference) -> Vec<(String, String)> {
        let equals = |alias: &str, column: &str, text: &str| {
            format!("{alias}.{} = {}", self.name(column), self.text(text))
        };
        match object {
            Reference::Nothing => Vec::new(),
            Reference::Role { name, .. } => {
                vec![(format!("{} r", self.table("ROLES")), equals("r", "ROLE_NAME", name))]
            }
            Reference::Database { name, .. } => {
                vec![(format!("{} d", self.table("DBS")), self.database_filter("d.", name))]
            }
            Reference::Table { name, .. } => {
                let id = self.name("DB_ID");
                vec![
                    (format!("{} d", self.table("DBS")), self.database_filter("d.", &name.database)),
                    (
                        format!("{} t", self.table("TBLS")),
                        format!("t.{id} = d.{id} AND {}", equals("t", "TBL_NAME", &name.table)),
                    ),
                ]
            }
        }
    }

    /// Hive has catalogs since 3.0, as it has authorizers.
    fn database_filter(&self, alias: &str, name: &Name) -> String {
        let mut filter = format!("{alias}{} = {}", self.name("NAME"), self.text(name));
        if self.authorizer.is_some() {
            let _ = write!(filter, " AND {alias}{} = '{HIVE_CATALOG}'", self.name("CTLG_NAME"));
        }
        filter
    }

    const fn from_nothing(&self) -> &'static str {
        match self.flavour {
            Flavour::MySql => " FROM DUAL",
            Flavour::PostgreSql => "",
            Flavour::Derby => " FROM SYSIBM.SYSDUMMY1",
        }
    }

    fn name(&self, name: &str) -> String {
        if self.flavour == Flavour::MySql { format!("`{name}`") } else { format!("\"{name}\"") }
    }

    fn table(&self, name: &str) -> String {
        match self.flavour {
            Flavour::Derby => format!("\"APP\".\"{name}\""),
            Flavour::MySql | Flavour::PostgreSql => self.name(name),
        }
    }

    /// A string. A backslash is special to MySQL only.
    fn text(&self, text: &str) -> String {
        let doubled = text.replace('\'', "''");
        if self.flavour == Flavour::MySql {
            format!("'{}'", doubled.replace('\\', "\\\\"))
        } else {
            format!("'{doubled}'")
        }
    }
}

fn common_values<'v>(common: &'v Common, time: &'static str) -> [(&'static str, Value<'v>); 6] {
    let grantor = common.grantor.as_ref();
    [
        (time, Value::Number(seconds(common.created_at))),
        ("GRANT_OPTION", Value::Number(i64::from(common.option.is_with()))),
        ("GRANTOR", Value::Text(grantor.map(Principal::name))),
        ("GRANTOR_TYPE", Value::Text(grantor.map(|grantor| grantor.kind().as_str()))),
        ("PRINCIPAL_NAME", Value::Text(Some(common.principal.name()))),
        ("PRINCIPAL_TYPE", Value::Text(Some(common.principal.kind().as_str()))),
    ]
}

/// The tables hold seconds in 32 bits.
fn seconds(at: Timestamp) -> i64 {
    at.0.div_euclid(1000).clamp(0, i64::from(i32::MAX))
}
