//! What a statement names though Hive's compiler lists it neither as read nor as written.
//!
//! `SHOW TBLPROPERTIES t` reads no table as far as Hive's hooks are told, `DROP TABLE t` touches nothing
//! where there is no `t`, and the word `LOCAL` before a path is gone. Who decides needs to know all of it.

use guardbee_hiveql::tree::{
    AlterTable, AlterView, DatabaseChange, Describe, DropBehavior, DropObject, Existence, Identifier, Insert,
    InsertTarget, Locality, PatternText, PrincipalKind, PrincipalName, QualifiedName, Query, QueryBody,
    ScheduledQueryChange, Show, Statement, StringLiteral, TableChange, TableContent, ViewChange,
};
use guardbee_model::{Name, TableName};
use guardbee_policy::request::{Detail, WriteAction};
use guardbee_policy::{Principal, Resource};

/// What the tree says beyond the effects.
#[derive(Debug, Default)]
pub(crate) struct Named {
    pub reads: Vec<Resource>,
    pub writes: Vec<(Resource, WriteAction)>,
    pub detail: Detail,
    /// Paths in the file system of one machine.
    pub local_paths: Vec<String>,
    /// Paths in the warehouse's file system; only of statements that may have local ones beside them.
    pub shared_paths: Vec<String>,
    /// A table of the session that is made, and whether one of its name may be there.
    pub temporary: Option<(TableName, Existence)>,
    /// Tables of which `INSERT OVERWRITE ... IF NOT EXISTS` replaces no partition that is there.
    pub kept_where_present: Vec<TableName>,
    /// What `CREATE ... IF NOT EXISTS` makes unless it is there.
    pub made_where_absent: Option<Resource>,
    /// The column of a `DESCRIBE` that shows what is known of its values.
    pub shown_column: Option<(TableName, Name)>,
    /// Where an `IMPORT` puts the table.
    pub import_location: Option<String>,
    /// Tables that only lend their columns (`CREATE TABLE ... LIKE`): no right on them is asked for.
    pub likes: Vec<TableName>,
    /// A database that is to be dropped only if nothing is in it.
    pub must_be_empty: Option<Name>,
    /// The table of an `ALTER TABLE`: some forms of it list nothing.
    pub altered: Option<TableName>,
    /// Whom a scheduled query runs as.
    pub runs_as: Option<String>,
    /// Whom `SET OWNER` makes the owner.
    pub owner: Option<Principal>,
}

impl Named {
    /// `database` is the one that names without one belong to.
    pub(crate) fn of(statement: &Statement<'_>, database: &Name) -> Self {
        let mut named = Self::default();
        let mut statement = statement;
        while let Statement::Explain(explain) = statement {
            statement = explain.statement;
        }
        match statement {
            Statement::Query(query) => named.query(query, database),
            Statement::Load(load) => named.path(load.local, &load.path),
            Statement::Import(import) => {
                named.import_location = import.target_location.map(|location| location.value().into_owned());
            }
            Statement::Drop(drop) => named.dropped(&drop.object, database),
            Statement::AlterTable(alter) => named.altered_table(alter, database),
            Statement::AlterDatabase(alter) => {
                if let DatabaseChange::Owner(owner) = &alter.change {
                    named.owner = Some(owner_named(owner));
                }
            }
            Statement::AlterView(alter) => named.altered_view(alter, database),
            Statement::CreateTable(create) => {
                if create.modifiers.temporary {
                    named.temporary = Some((table_name(&create.name, database), create.if_not_exists));
                } else {
                    named.created_inside(&create.name, database);
                    named.made(&create.name, create.if_not_exists, database);
                }
                if let TableContent::Like(like) = &create.content {
                    named.likes.push(table_name(like, database));
                }
            }
            Statement::CreateView(create) => {
                named.created_inside(&create.name, database);
                named.made(&create.name, create.if_not_exists, database);
            }
            Statement::CreateMaterializedView(create) => {
                named.made(&create.name, create.if_not_exists, database);
            }
            Statement::CreateDatabase(create) if create.if_not_exists == Existence::Tolerated => {
                named.made_where_absent = Some(Resource::Database(create.name.name()));
            }
            Statement::CreateScheduledQuery(create) => {
                named.runs_as = create.executed_as.map(|user| user.value().into_owned());
            }
            Statement::AlterScheduledQuery(alter) => {
                if let ScheduledQueryChange::ExecutedAs(user) = &alter.change {
                    named.runs_as = Some(user.value().into_owned());
                }
            }
            Statement::Show(show) => named.shown(show, database),
            Statement::Describe(Describe::Table { detail: Some(_), table, path, .. }) => {
                named.detail = Detail::Full;
                named.shown_column = path.first().map(|column| (table_name(table, database), column.name()));
            }
            _ => {}
        }
        named
    }

    fn query(&mut self, query: &Query<'_>, database: &Name) {
        match &query.body {
            QueryBody::Plain(plain) => self.insert(plain.insert, database),
            QueryBody::FromFirst(from_first) => {
                let rest = from_first.rest.iter().map(|(_, _, block)| block);
                std::iter::once(&from_first.first)
                    .chain(rest)
                    .flat_map(|block| block.branches)
                    .for_each(|branch| self.insert(branch.insert, database));
            }
        }
    }

    fn insert(&mut self, insert: Option<&Insert<'_>>, database: &Name) {
        match insert.map(|insert| insert.target) {
            Some(InsertTarget::Directory(directory)) => self.path(directory.local, &directory.path),
            Some(InsertTarget::Table(table)) if table.if_not_exists == Existence::Tolerated => {
                self.kept_where_present.push(table_name(&table.name, database));
            }
            _ => {}
        }
    }

    fn path(&mut self, locality: Locality, path: &StringLiteral<'_>) {
        let paths = match locality {
            Locality::Local => &mut self.local_paths,
            Locality::Cluster => &mut self.shared_paths,
        };
        paths.push(path.value().into_owned());
    }

    /// Hive lists nothing where there is nothing to drop.
    fn dropped(&mut self, object: &DropObject<'_>, database: &Name) {
        let resource = match object {
            DropObject::Database { name, behavior } => {
                if *behavior != Some(DropBehavior::Cascade) {
                    self.must_be_empty = Some(name.name());
                }
                Resource::Database(name.name())
            }
            DropObject::Table { name, .. } | DropObject::View(name) | DropObject::MaterializedView(name) => {
                Resource::Table(table_name(name, database))
            }
            DropObject::Function { temporary: false, name } => Resource::Function {
                database: Some(name.database.map_or_else(|| database.clone(), |database| database.name())),
                function: name.name.name(),
            },
            _ => return,
        };
        self.writes.push((resource, WriteAction::Drop));
    }

    fn altered_table(&mut self, alter: &AlterTable<'_>, database: &Name) {
        self.altered = Some(table_name(&alter.name, database));
        match &alter.change {
            TableChange::Rename(to) => self.created_inside(to, database),
            TableChange::SetOwner(owner) => self.owner = Some(owner_named(owner)),
            _ => {}
        }
    }

    fn altered_view(&mut self, alter: &AlterView<'_>, database: &Name) {
        if let ViewChange::Rename(to) = &alter.change {
            self.created_inside(to, database);
        }
    }

    /// Hive lists nothing where `IF NOT EXISTS` finds it there already, nor where a rename leads to.
    fn created_inside(&mut self, name: &QualifiedName<'_>, database: &Name) {
        let database = Resource::Database(table_name(name, database).database);
        self.writes.push((database, WriteAction::CreateInside));
    }

    fn made(&mut self, name: &QualifiedName<'_>, existence: Existence, database: &Name) {
        if existence == Existence::Tolerated {
            self.made_where_absent = Some(Resource::Table(table_name(name, database)));
        }
    }

    fn shown(&mut self, show: &Show<'_>, database: &Name) {
        let given =
            |given: Option<Identifier<'_>>| given.map_or_else(|| database.clone(), |name| name.name());
        let resource = match show {
            Show::TableProperties { table, .. } => Resource::Table(table_name(table, database)),
            Show::Indexes { table: PatternText::Name(table), database: of, .. } => {
                Resource::Table(table_name(table, &given(*of)))
            }
            Show::TableStatus { database: of, .. } => Resource::Database(given(*of)),
            _ => return,
        };
        self.reads.push(resource);
    }
}

fn owner_named(owner: &PrincipalName<'_>) -> Principal {
    match owner.kind {
        Some(PrincipalKind::Role) => Principal::Role(owner.name.name()),
        Some(PrincipalKind::Group) => Principal::group(owner.name.value()),
        Some(PrincipalKind::User) | None => Principal::user(owner.name.value()),
    }
}

/// The table that a name stands for.
pub(crate) fn table_name(name: &QualifiedName<'_>, database: &Name) -> TableName {
    let database = name.database.map_or_else(|| database.clone(), |database| database.name());
    TableName::new(database, name.name.name())
}
