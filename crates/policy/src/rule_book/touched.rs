//! What a statement touches as the original of a book sees it: the originals list different things.

use std::borrow::Cow;

use guardbee_model::Operation;

use crate::request::{Columns, Lifetime, Read, Request, Write, WriteAction};
use crate::requirement::Side;
use crate::{BookName, Resource, Settings, UriRights};

use super::rule::{Action, Clause, Kind};

/// One object on one side of a statement.
#[derive(Debug, Clone)]
pub(super) struct Touched<'r> {
    pub side: Side,
    pub resource: Cow<'r, Resource>,
    pub columns: &'r Columns,
    pub action: Action,
}

impl<'r> Touched<'r> {
    fn read(read: &'r Read) -> Self {
        Self {
            side: Side::Input,
            resource: Cow::Borrowed(&read.resource),
            columns: &read.columns,
            action: Action::Other,
        }
    }

    fn write(write: &'r Write) -> Self {
        Self {
            action: Action::from(write.action),
            ..Self::whole(Side::Output, Cow::Borrowed(&write.resource))
        }
    }

    fn whole(side: Side, resource: Cow<'r, Resource>) -> Self {
        Self { side, resource, columns: &Columns::Whole, action: Action::Other }
    }
}

/// The objects for which a book asks, in the order in which its original does.
pub(super) fn touched<'r>(
    book: BookName,
    settings: &Settings,
    request: &'r Request,
    clauses: &[Clause],
) -> Vec<Touched<'r>> {
    match book {
        BookName::Sentry => sentry(settings, request, clauses),
        BookName::HiveLegacy => hive_legacy(request, clauses),
        BookName::SqlStandard => sql_standard(settings, request),
        BookName::Ranger => ranger(settings, request),
    }
}

/// Outputs first, as Hive asks. Addresses and functions are not checked, and a table that does not exist
/// yet has no rights of its own. What is asked for as an input and stands among the outputs only (Hive
/// forgets to list what LOCK TABLE locks) counts as an input.
fn hive_legacy<'r>(request: &'r Request, clauses: &[Clause]) -> Vec<Touched<'r>> {
    let is_checked =
        |touched: &Touched<'_>| matches!(*touched.resource, Resource::Database(_) | Resource::Table(_));
    let has = |side: Side| clauses.iter().any(|clause| clause.side == side);
    let mut inputs: Vec<Touched<'_>> = read(request).map(Touched::read).filter(is_checked).collect();
    let mut outputs: Vec<Touched<'_>> =
        listed(request).filter(|write| !is_new_table(write)).map(Touched::write).filter(is_checked).collect();
    if inputs.is_empty() && !has(Side::Output) {
        inputs.extend(outputs.drain(..).map(|output| Touched { side: Side::Input, ..output }));
    }
    outputs.extend(inputs);
    outputs
}

/// Functions are not checked; neither is a table that does not exist yet: nobody can own it.
fn sql_standard<'r>(settings: &Settings, request: &'r Request) -> Vec<Touched<'r>> {
    let answers = settings.uri_rights == UriRights::FileSystem;
    let is_checked = |touched: &Touched<'_>| match &*touched.resource {
        Resource::Function { .. } => false,
        Resource::Uri(_) => !answers,
        _ => true,
    };
    let writes = listed(request).filter(|write| !is_new_table(write)).map(Touched::write);
    read(request).map(Touched::read).chain(writes).filter(is_checked).collect()
}

/// Permanent functions that a statement calls are inputs. A function of the session is no object.
fn ranger<'r>(settings: &Settings, request: &'r Request) -> Vec<Touched<'r>> {
    let answers = settings.uri_rights == UriRights::FileSystem;
    let is_checked = |touched: &Touched<'_>| match &*touched.resource {
        Resource::Uri(uri) => {
            !(answers && ["hdfs:", "file:"].iter().any(|scheme| uri.key().starts_with(scheme)))
        }
        Resource::Function { database: None, .. } => false,
        _ => true,
    };
    let is_managed = |function: &Resource| request.writes.iter().any(|write| write.resource == *function);
    let called = request
        .functions
        .iter()
        .map(|function| &function.function)
        .filter(|function| !is_managed(function))
        .map(|function| Touched::whole(Side::Input, Cow::Borrowed(function)));
    let writes = listed(request).map(Touched::write);
    read(request).map(Touched::read).chain(called).chain(writes).filter(is_checked).collect()
}

/// Sentry makes out the database and the table that a statement names, and looks at what Hive lists as read
/// and written only for the rest. So a clause for a database is about the one that is named, wherever
/// Hive lists it; and so is a clause for a table, where the rule has one on that side only.
fn sentry<'r>(settings: &Settings, request: &'r Request, clauses: &[Clause]) -> Vec<Touched<'r>> {
    let has =
        |side: Side, kind: Kind| clauses.iter().any(|clause| clause.side == side && clause.kind == kind);
    let has_table = |side| has(side, Kind::Table) || has(side, Kind::Column);
    let mut touched = Vec::new();
    for (side, other) in [(Side::Input, Side::Output), (Side::Output, Side::Input)] {
        if has(side, Kind::Database) && !is_private(request) {
            let databases = named_databases(request, side);
            touched.extend(databases.into_iter().map(|database| {
                let open = is_open_default(settings, request, &database);
                Touched::whole(side, if open { Cow::Owned(Resource::Server) } else { database })
            }));
        }
        if has_table(side) {
            let own = tables(request, side);
            let is_elsewhere = own.is_empty() && !has_table(other);
            touched.extend(match is_elsewhere {
                true => tables(request, other).into_iter().map(|table| Touched { side, ..table }).collect(),
                false => own,
            });
        }
        touched.extend(addresses(request, side));
        touched.extend(connectors(request, side));
    }
    touched
}

fn tables(request: &Request, side: Side) -> Vec<Touched<'_>> {
    let is_table =
        |touched: &Touched<'_>| matches!(*touched.resource, Resource::Table(_) | Resource::Column(_));
    match side {
        Side::Input => read(request).map(Touched::read).filter(is_table).collect(),
        Side::Output => permanent(request)
            .filter(|write| !is_new_table(write))
            .map(Touched::write)
            .filter(is_table)
            .collect(),
    }
}

fn addresses(request: &Request, side: Side) -> Vec<Touched<'_>> {
    let is_address = |touched: &Touched<'_>| matches!(*touched.resource, Resource::Uri(_));
    match side {
        Side::Input => read(request).map(Touched::read).filter(is_address).collect(),
        Side::Output => request.writes.iter().map(Touched::write).filter(is_address).collect(),
    }
}

/// The connectors that are named, wherever they are listed.
fn connectors(request: &Request, side: Side) -> impl Iterator<Item = Touched<'_>> {
    let read = request.reads.iter().map(|read| &read.resource);
    let written = request.writes.iter().map(|write| &write.resource);
    read.chain(written)
        .filter(|resource| matches!(resource, Resource::Connector(_)))
        .map(move |connector| Touched::whole(side, Cow::Borrowed(connector)))
}

/// The databases named on a side; else those on the other; else those of the tables; else the current one.
fn named_databases(request: &Request, side: Side) -> Vec<Cow<'_, Resource>> {
    let read: Vec<&Resource> = request.reads.iter().map(|read| &read.resource).collect();
    let written: Vec<&Resource> = request.writes.iter().map(|write| &write.resource).collect();
    let (own, other) = match side {
        Side::Input => (read, written),
        Side::Output => (written, read),
    };
    let is_database = |resource: &&&Resource| matches!(resource, Resource::Database(_));
    for resources in [&own, &other] {
        let databases: Vec<_> =
            resources.iter().filter(is_database).map(|found| Cow::Borrowed(*found)).collect();
        if !databases.is_empty() {
            return databases;
        }
    }
    for resources in [&own, &other] {
        let databases: Vec<_> = resources.iter().filter_map(|found| database_of(found)).collect();
        if !databases.is_empty() {
            return databases;
        }
    }
    // The owner of a connector changes under the name of a database's.
    let is_connector = |resource: &&Resource| matches!(resource, Resource::Connector(_));
    match own.iter().chain(&other).any(is_connector) {
        true => Vec::new(),
        false => vec![Cow::Owned(Resource::Database(request.database.clone()))],
    }
}

fn database_of(resource: &Resource) -> Option<Cow<'static, Resource>> {
    let name = match resource {
        Resource::Table(table) => &table.database,
        Resource::Function { database: Some(database), .. } => database,
        _ => return None,
    };
    Some(Cow::Owned(Resource::Database(name.clone())))
}

/// `USE default` is open to whoever has any right on the server, unless the settings say otherwise.
fn is_open_default(settings: &Settings, request: &Request, database: &Resource) -> bool {
    request.operation == Operation::SwitchDatabase
        && !settings.restrict_default_database.is_on()
        && matches!(database, Resource::Database(name) if name.as_str() == "default")
}

/// Does the statement create a table of the session, which no database has to allow?
fn is_private(request: &Request) -> bool {
    let created = |write: &&Write| is_new_table(write);
    let mut created = request.writes.iter().filter(created).peekable();
    created.peek().is_some() && created.all(|write| write.lifetime == Lifetime::Session)
}

fn permanent(request: &Request) -> impl Iterator<Item = &Write> {
    request.writes.iter().filter(|write| write.lifetime == Lifetime::Permanent)
}

/// What is read. Where Hive has to look into the files that it loads, it reads them by a query over a
/// temporary table that stands for them: only such a query reads addresses.
fn read(request: &Request) -> impl Iterator<Item = &Read> {
    const STAGED: &str = "__temp_table_for_load_data__";
    let is_load = request.operation == Operation::Query
        && request.reads.iter().any(|read| matches!(read.resource, Resource::Uri(_)));
    request.reads.iter().filter(move |read| match &read.resource {
        Resource::Table(table) => !(is_load && table.table.ends_with(STAGED)),
        _ => true,
    })
}

/// What Hive lists as written, and is no table of the session. A request names more:
/// - what a DROP does not find, which is written only, while what it finds is read as well;
/// - the database of a table that is there already and so is not created;
/// - the database of a rename, which counts as a place to create in where it is another one.
fn listed(request: &Request) -> impl Iterator<Item = &Write> {
    let named_only = named_only(request);
    permanent(request).filter(move |write| match (named_only, &write.resource) {
        (NamedOnly::Missing, Resource::Table(_) | Resource::Database(_)) => {
            write.action != WriteAction::Drop || is_read(request, &write.resource)
        }
        (NamedOnly::MissingDatabase, Resource::Database(_)) => {
            write.action != WriteAction::Drop || is_read(request, &write.resource)
        }
        (NamedOnly::Database, Resource::Database(_)) => write.action != WriteAction::CreateInside,
        (NamedOnly::OwnDatabase, Resource::Database(_)) if write.action == WriteAction::CreateInside => {
            let database = |read: &Read| database_of(&read.resource);
            !request.reads.iter().any(|read| database(read).as_deref() == Some(&write.resource))
        }
        _ => true,
    })
}

/// What a request may name of which Hive's own lists know nothing.
#[derive(Clone, Copy)]
enum NamedOnly {
    Nothing,
    Missing,
    /// The tables of a database that is dropped are written only, and all of them are there.
    MissingDatabase,
    Database,
    OwnDatabase,
}

fn named_only(request: &Request) -> NamedOnly {
    match request.operation {
        Operation::DropDatabase => NamedOnly::MissingDatabase,
        Operation::DropTable | Operation::DropView | Operation::DropMaterializedView => NamedOnly::Missing,
        Operation::CreateTable | Operation::CreateTableAsSelect
            if !request.writes.iter().any(is_new_table) =>
        {
            NamedOnly::Database
        }
        Operation::AlterTableRename | Operation::AlterViewRename => NamedOnly::OwnDatabase,
        _ => NamedOnly::Nothing,
    }
}

fn is_read(request: &Request, resource: &Resource) -> bool {
    request.reads.iter().any(|read| read.resource == *resource)
}

fn is_new_table(write: &Write) -> bool {
    write.action == WriteAction::Create && matches!(write.resource, Resource::Table(_))
}
