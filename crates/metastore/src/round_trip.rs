//! There and back again: what is written is read as what it was, in every flavour.

use std::collections::BTreeSet;
use std::sync::Arc;

use guardbee_exchange::dump::Flavour;
use guardbee_model::{Name, TableName};
use guardbee_policy::*;

use crate::dump::{Dump, read_dump};
use crate::export::{Authorizer, ExistingRows, ExportSettings, Target, export_script};
use crate::import::{ImportSettings, is_built_in};
use crate::tables::Level;

/// Names that are hard to write down.
const NAMES: [&str; 9] =
    ["ana", "O'Neil", "back\\slash", "two words", "semi;--", "line\nbreak", "\\N", "ünï`\"", "\t'"];

/// Draws from a sequence that is the same in every run.
struct Draw(u64);

impl Draw {
    fn below(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }

    fn one<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    /// Groups have names of their own: Hive's table of members has no room for both of one name.
    fn principal(&mut self) -> Principal {
        let name = self.one(&NAMES);
        match self.below(3) {
            0 => Principal::user(name),
            1 => Principal::group(format!("g {name}")),
            _ => Principal::role(self.one(&["reader", "writer", "it's"])),
        }
    }

    fn time(&mut self) -> Timestamp {
        Timestamp(self.below(2_000_000_000) as i64 * 1000)
    }

    fn option(&mut self) -> GrantOption {
        self.one(&[GrantOption::With, GrantOption::Without])
    }

    fn scope(&mut self) -> Scope {
        let (database, table) = self.one(&[("sales", "orders"), ("sales", "it's"), ("h\\r", "e\"mp")]);
        match self.below(4) {
            0 => Scope::Server,
            1 => Scope::database(database),
            2 => Scope::table(database, table),
            _ => Scope::column(database, table, self.one(&NAMES)),
        }
    }

    fn policy(&mut self) -> Policy {
        let mut policy = Policy::new();
        for role in ["reader", "writer", "it's"] {
            let created_by = self.one(&[None, Some("root".into())]);
            let role = Role { name: Name::fold(role), created_by, created_at: self.time() };
            policy.apply(Change::PutRole(role)).unwrap();
        }
        for _ in 0..self.below(6) {
            let membership = Membership {
                role: Name::fold(self.one(&["reader", "writer", "it's", "admin"])),
                member: self.principal(),
                admin_option: self.option(),
                grantor: self.one(&[None, Some(Principal::user("ro'ot")), Some(Principal::role("reader"))]),
                created_at: self.time(),
            };
            let _ = policy.apply(Change::PutMembership(membership));
        }
        let mut kept = BTreeSet::new();
        for id in 1..1 + self.below(14) as u64 {
            const PRIVILEGES: [Privilege; 10] = [
                Privilege::Select,
                Privilege::Insert,
                Privilege::Update,
                Privilege::Delete,
                Privilege::Create,
                Privilege::Drop,
                Privilege::Alter,
                Privilege::Lock,
                Privilege::ShowDatabase,
                Privilege::Index,
            ];
            let privilege = self.one(&PRIVILEGES);
            let entry = Entry {
                id: EntryId(id),
                effect: Effect::Grant,
                principal: self.principal(),
                except: Arc::from([]),
                privileges: self.one(&[Privileges::ALL, Privileges::of(privilege)]),
                scope: self.scope(),
                grant_option: self.option(),
                grantor: self.one(&[None, Some(Principal::user("ro'ot")), Some(Principal::group("g"))]),
                created_at: self.time(),
                validity: Validity::ALWAYS,
                purpose: None,
            };
            let key = (entry.principal.clone(), entry.privileges, entry.scope.clone(), entry.grantor.clone());
            if kept.insert(key) {
                policy.apply(Change::PutEntry(entry)).unwrap();
            }
        }
        let sales = Resource::Database(Name::fold("sales"));
        policy.apply(Change::PutOwner(Ownership { resource: sales, owner: self.principal() })).unwrap();
        let table = Resource::Table(TableName::new(Name::fold("h\\r"), Name::fold("e\"mp")));
        let owner = Principal::user(self.one(&NAMES));
        policy.apply(Change::PutOwner(Ownership { resource: table, owner })).unwrap();
        policy
    }
}

/// What the tables of Hive can hold of a policy, but for the owners, which the scripts update.
fn carried(changes: impl IntoIterator<Item = Change>) -> BTreeSet<String> {
    changes
        .into_iter()
        .filter_map(|change| match change {
            Change::PutEntry(entry) => Some(format!("{:?}", Entry { id: EntryId(0), ..entry })),
            Change::PutRole(role) if matches!(role.name.as_str(), "admin" | "public") => None,
            Change::PutOwner(_) | Change::PutSetting { .. } => None,
            other => Some(format!("{other:?}")),
        })
        .collect()
}

/// The names of a metastore, as its dump has them.
fn names(flavour: Flavour) -> String {
    let text = |text: &str| match flavour {
        Flavour::MySql => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
        Flavour::PostgreSql | Flavour::Derby => format!("'{}'", text.replace('\'', "''")),
    };
    let quote = |name: &str| match flavour {
        Flavour::MySql => format!("`{name}`"),
        Flavour::PostgreSql => format!("public.\"{name}\""),
        Flavour::Derby => format!("\"APP\".\"{name}\""),
    };
    let mut dump = String::new();
    for (id, name) in [(1, "sales"), (2, "h\\r")] {
        let (table, name) = (quote("DBS"), text(name));
        dump +=
            &format!("INSERT INTO {table} VALUES ({id}, NULL, 'hdfs://nn/w', {name}, NULL, NULL, 'hive');\n");
    }
    for (id, database, name) in [(5, 1, "orders"), (6, 1, "it's"), (7, 2, "e\"mp")] {
        let (table, name) = (quote("TBLS"), text(name));
        let rest = "'MANAGED_TABLE', NULL, NULL, 'N'";
        dump += &format!(
            "INSERT INTO {table} VALUES ({id}, 1, {database}, 0, NULL, NULL, 0, 9, {name}, {rest});\n"
        );
    }
    dump
}

#[test]
fn what_is_written_is_read_as_it_was() {
    let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
    for round in 0..300 {
        let policy = draw.policy();
        let flavour = Flavour::ALL[round % 3];
        let authorizer = [Authorizer::Absent, Authorizer::Legacy][round % 2];
        let names = names(flavour);
        let metastore = read_dump(names.as_bytes(), Some(flavour), "names").unwrap();
        let settings = ExportSettings { flavour, authorizer, existing: ExistingRows::Replace };
        let script = export_script(policy.changes(), Target::Dump(&metastore), &settings);
        assert!(script.report.lines().iter().all(|line| line.code == "owner"), "{}", script.report);

        let text = names + &script.text;
        let again = read_dump(text.as_bytes(), Some(flavour), "script")
            .unwrap_or_else(|error| panic!("{error}\n{text}"));
        let imported = again.import(&ImportSettings::default());
        assert_eq!(carried(policy.changes()), carried(imported.changes), "{text}");

        // On a metastore that has it all, nothing is left to do but the owners.
        let kept = ExportSettings { existing: ExistingRows::Keep, ..settings };
        let nothing = export_script(policy.changes(), Target::Dump(&again), &kept);
        assert!(!nothing.text.contains("INSERT"), "{}", nothing.text);
    }
}

/// A row of a table of grants without its number.
fn row_facts(dump: &Dump) -> BTreeSet<String> {
    let is_carried = |level| !matches!(level, Level::Partition | Level::PartitionColumn);
    let roles = |id: i64| dump.roles.iter().find(|role| role.id == id).map(|role| &role.name);
    let grants = dump.grants.iter().filter(|row| is_carried(row.level) && !is_built_in(row)).map(|row| {
        let given = &row.given;
        let facts = (&given.at, &given.option, &given.grantor, &given.principal, &row.privilege);
        format!("{:?} {facts:?} {:?} {:?} {:?}", row.level, row.object, row.column, row.authorizer)
    });
    let members = dump.members.iter().map(|row| {
        let given = &row.given;
        format!("{:?} {:?}", roles(row.role), (&given.at, &given.option, &given.grantor, &given.principal))
    });
    let built_in = ["admin", "public"];
    let all_roles = dump.roles.iter().filter(|row| !built_in.contains(&&*row.name));
    grants
        .chain(members)
        .chain(all_roles.map(|row| format!("{} {:?} {:?}", row.name, row.owner, row.created_at)))
        .collect()
}

/// What Hive wrote is what the script writes, row by row.
#[test]
fn rows_of_hive_come_back_as_they_were() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dumps");
    for (name, authorizer) in [
        ("hive23-legacy.derby.sql", Authorizer::Absent),
        ("hive31-legacy.mysqldump.sql", Authorizer::Legacy),
        ("hive31-legacy.pg-dump.sql", Authorizer::Legacy),
        ("hive31-sql-standard.derby.sql", Authorizer::SqlStandard),
    ] {
        let before = read_dump(std::fs::File::open(folder.join(name)).unwrap(), None, name).unwrap();
        let changes = before.import(&ImportSettings::default()).changes;
        for flavour in Flavour::ALL {
            let settings = ExportSettings { flavour, authorizer, existing: ExistingRows::Replace };
            let script = export_script(changes.clone(), Target::Dump(&before), &settings);
            // The built-in roles stay where they are; their members need them.
            let mut rows = String::new();
            for role in before.roles.iter().filter(|role| ["admin", "public"].contains(&&*role.name)) {
                rows += &format!("INSERT INTO ROLES VALUES ({}, 0, NULL, '{}');\n", role.id, role.name);
            }
            for id in before.databases.keys() {
                rows += &format!("INSERT INTO DBS VALUES ({id}, NULL, '', 'd{id}', NULL, NULL);\n");
            }
            for id in before.tables.keys() {
                rows += &format!("INSERT INTO TBLS (TBL_ID, DB_ID, TBL_NAME) VALUES ({id}, 1, 't{id}');\n");
            }
            let text = rows + &script.text;
            let after =
                read_dump(text.as_bytes(), Some(flavour), "script").unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(row_facts(&before), row_facts(&after), "{name}");
        }
    }
}
