//! From what a statement does to what the policy is asked.
//!
//! Only what the statement itself reads is asked for: what it reaches through a view is the view's
//! business. A column that an outer query drops is not asked for, and a table that only its session sees
//! needs no right.

use guardbee_analysis::Session;
use guardbee_analysis::catalog::CatalogChange;
use guardbee_analysis::effects::{
    Command as Effect, Effects, FunctionOrigin as Origin, FunctionUse as Called, MOST_CANDIDATES, Object,
    Origin as Placement, Read as Input, Write as Output, WriteAction as Action,
};
use guardbee_hiveql::tree::Statement;
use guardbee_model::{Name, Operation, TableName};
use guardbee_policy::request::{
    Columns, Command, FunctionOrigin, FunctionUse, Lifetime, Read, Request, Write, WriteAction,
};
use guardbee_policy::{Resource, Uri, UriError};

use crate::named::Named;

/// A request, and the addresses in the statement that stand for no place.
#[derive(Debug)]
pub struct Translation {
    pub request: Request,
    pub misplaced: Vec<Misplaced>,
    /// What else the statement names.
    pub(crate) named: Named,
    /// Does it read temporary tables of its session? They are not in the request.
    pub(crate) reads_own_tables: bool,
}

/// An address that stands for no place, so that no right can cover it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misplaced {
    pub path: String,
    pub error: UriError,
}

/// Makes the request of a statement from its effects. `statement` is its tree, where it has one (commands of
/// the clients have none); `before` is the session as the statement found it.
#[must_use]
pub fn translate(
    effects: &Effects,
    statement: Option<&Statement<'_>>,
    before: &Session,
    default_file_system: &str,
) -> Translation {
    let named = statement.map_or_else(Named::default, |statement| Named::of(statement, before.database()));
    let is_own = |read: &Input| match &read.object {
        Object::Table(table) => before.is_temporary(table),
        _ => false,
    };
    let reads_own_tables = effects.reads.iter().any(|read| read.access.is_direct() && is_own(read));
    let mut translator = Translator { before, default_file_system, named: &named, misplaced: Vec::new() };
    let request = translator.request(effects);
    let misplaced = translator.misplaced;
    Translation { request, misplaced, named, reads_own_tables }
}

/// Columns that cannot be placed, by the tables that may have them.
struct Unplaced<'e> {
    columns: Vec<(&'e TableName, &'e Name)>,
    /// Tables that may have one of them are left out.
    is_cut: bool,
}

struct Translator<'a> {
    before: &'a Session,
    default_file_system: &'a str,
    named: &'a Named,
    misplaced: Vec<Misplaced>,
}

impl Translator<'_> {
    fn request(&mut self, effects: &Effects) -> Request {
        let mut request = Request {
            operation: effects.operation,
            database: self.before.database().clone(),
            reads: Vec::new(),
            writes: Vec::new(),
            functions: effects.functions.iter().map(function_use).collect(),
            commands: effects.commands.iter().map(command).collect(),
            detail: self.named.detail,
        };
        request.commands.extend(reset_settings(effects));
        let unplaced = self.unplaced_columns(effects);
        for input in effects.reads.iter().filter(|input| input.access.is_direct()) {
            self.read(input, &unplaced, &mut request.reads);
        }
        let temporary = self.named.temporary.as_ref().map(|(table, _)| table);
        for output in &effects.writes {
            self.write(output, temporary, &mut request.writes);
        }
        if let Some(table) = temporary
            && request.writes.is_empty()
        {
            let table = Resource::Table(table.clone());
            request
                .writes
                .push(Write { lifetime: Lifetime::Session, ..permanent(table, WriteAction::Create) });
        }
        self.add_named(&mut request);
        if let Some(location) = &self.named.import_location {
            let places = self.places(location);
            request.reads.extend(places.into_iter().map(|place| whole(Resource::Uri(place))));
        }
        request
    }

    /// Columns that may be any of several tables' of which nobody knows the columns: whoever reads them needs the
    /// right to them in each.
    fn unplaced_columns<'e>(&self, effects: &'e Effects) -> Unplaced<'e> {
        let origins = effects.targets.iter().flat_map(|target| {
            let columns = target.columns.iter().chain(&target.kept);
            let of_columns = columns.flat_map(|column| {
                let sources = column.sources.iter().map(|source| &source.origin);
                sources.chain(column.influences.iter().map(|influence| &influence.origin))
            });
            of_columns.chain(target.influences.iter().map(|influence| &influence.origin))
        });
        let mut unplaced = Unplaced { columns: Vec::new(), is_cut: false };
        for origin in origins {
            if let Placement::Unresolved { column, candidates } = origin {
                // There may be others that are not named: whichever has it has to be asked for, each as a whole,
                // as thousands of columns in thousands of tables would be too many.
                unplaced.is_cut |= candidates.len() >= MOST_CANDIDATES;
                let open = candidates.iter().filter(|table| self.is_open(table));
                unplaced.columns.extend(open.map(|table| (table, column)));
            }
        }
        unplaced.columns.sort_unstable();
        unplaced.columns.dedup();
        unplaced
    }

    /// Is a table there of which nobody knows the columns?
    fn is_open(&self, name: &TableName) -> bool {
        let known = self.before.catalog().table(&name.database, &name.table);
        known.is_none_or(|table| table.columns.is_empty()) && !self.before.is_temporary(name)
    }

    fn read(&mut self, input: &Input, unplaced: &Unplaced<'_>, reads: &mut Vec<Read>) {
        match &input.object {
            Object::Path(path) => {
                let places = self.places(path);
                reads.extend(places.into_iter().map(|place| whole(Resource::Uri(place))));
            }
            Object::Table(table) if self.before.is_temporary(table) => {}
            Object::Table(table) if unplaced.is_cut && self.is_open(table) => {
                reads.push(whole(resource(&input.object)));
            }
            object => {
                let own = |(table, _): &&(&TableName, &Name)| matches!(object, Object::Table(name) if name == *table);
                let unplaced = unplaced.columns.iter().filter(own).map(|(_, column)| *column);
                reads.push(Read { resource: resource(object), columns: columns(input, unplaced) });
            }
        }
    }

    fn write(&mut self, output: &Output, temporary: Option<&TableName>, writes: &mut Vec<Write>) {
        let action = write_action(output.action);
        match &output.object {
            Object::Path(path) => {
                let places = self.places(path);
                writes.extend(places.into_iter().map(|place| permanent(Resource::Uri(place), action)));
            }
            Object::Table(table) if temporary == Some(table) || self.before.is_temporary(table) => {
                writes.push(Write {
                    lifetime: Lifetime::Session,
                    ..permanent(resource(&output.object), action)
                });
            }
            Object::Database(name)
                if action == WriteAction::Create && self.before.catalog().database(name).is_some() =>
            {
                writes.push(permanent(resource(&output.object), WriteAction::Touch));
            }
            object => writes.push(permanent(resource(object), action)),
        }
    }

    /// Adds what the statement names beyond its effects.
    fn add_named(&self, request: &mut Request) {
        for read in &self.named.reads {
            if !request.reads.iter().any(|known| known.resource == *read) {
                request.reads.push(whole(read.clone()));
            }
        }
        if let Some(table) = &self.named.altered {
            if self.before.is_temporary(table) {
                return;
            }
            let table = Resource::Table(table.clone());
            let mut known = request.reads.iter().map(|read| &read.resource);
            let mut written = request.writes.iter().map(|write| &write.resource);
            if !known.any(|resource| *resource == table) && !written.any(|resource| *resource == table) {
                request.writes.push(permanent(table, WriteAction::Alter));
            }
        }
        for (resource, action) in &self.named.writes {
            if !request.writes.iter().any(|known| known.resource == *resource && known.action == *action) {
                request.writes.push(permanent(resource.clone(), *action));
            }
        }
    }

    /// Where a path leads: to a place on one machine, in the warehouse's file system, or to both where the
    /// statement writes the same path in both.
    fn places(&mut self, path: &str) -> Vec<Uri> {
        let is_local = self.named.local_paths.iter().any(|local| local == path);
        let is_shared = !is_local || self.named.shared_paths.iter().any(|shared| shared == path);
        let local = is_local.then(|| Uri::requested(path, "file://"));
        let shared = is_shared.then(|| Uri::requested(path, self.default_file_system));
        let mut places = Vec::new();
        for place in local.into_iter().chain(shared) {
            match place {
                Ok(place) => places.push(place),
                Err(error) => self.misplaced.push(Misplaced { path: path.to_owned(), error }),
            }
        }
        places
    }
}

/// Takes what a `DROP` names for something that is there: a catalog that knows only a part cannot tell that it is
/// not.
pub(crate) fn find_dropped(request: &mut Request) {
    let is_read = |resource: &Resource| request.reads.iter().any(|read| read.resource == *resource);
    let dropped = request.writes.iter().filter(|write| {
        write.action == WriteAction::Drop
            && write.lifetime == Lifetime::Permanent
            && matches!(write.resource, Resource::Table(_) | Resource::Database(_))
            && !is_read(&write.resource)
    });
    let dropped: Vec<Read> = dropped.map(|write| whole(write.resource.clone())).collect();
    request.reads.extend(dropped);
}

fn whole(resource: Resource) -> Read {
    Read { resource, columns: Columns::Whole }
}

const fn permanent(resource: Resource, action: WriteAction) -> Write {
    Write { resource, action, lifetime: Lifetime::Permanent }
}

fn columns<'e>(input: &'e Input, unplaced: impl Iterator<Item = &'e Name>) -> Columns {
    let mut names: Vec<Name> = input
        .columns
        .iter()
        .filter(|column| !column.is_dropped())
        .map(|column| column.name.clone())
        .collect();
    if names.is_empty() {
        return Columns::Whole;
    }
    for column in unplaced {
        if !names.contains(column) {
            names.push(column.clone());
        }
    }
    Columns::Named(names)
}

/// `RESET key` touches a setting as `SET key` does.
fn reset_settings(effects: &Effects) -> impl Iterator<Item = Command> {
    effects.changes.iter().filter(|_| effects.operation == Operation::Reset).filter_map(|change| match change
    {
        CatalogChange::Setting { key, .. } => Some(Command::Setting { key: key.to_string() }),
        _ => None,
    })
}

fn resource(object: &Object) -> Resource {
    match object {
        Object::Server => Resource::Server,
        Object::Database(name) => Resource::Database(name.clone()),
        Object::Table(table) | Object::Index { table, .. } => Resource::Table(table.clone()),
        Object::Path(path) => Resource::Uri(Uri::from_normalised(path)),
        Object::Function(function) => {
            Resource::Function { database: function.database.clone(), function: function.name.clone() }
        }
        Object::DataConnector(name) => Resource::Connector(name.clone()),
        Object::Service(name) => Resource::Service(name.clone()),
    }
}

fn function_use(called: &Called) -> FunctionUse {
    let database = called.function.database.clone();
    let origin = match called.origin {
        Origin::BuiltIn => FunctionOrigin::BuiltIn,
        Origin::User if database.is_some() => FunctionOrigin::Permanent,
        Origin::User | Origin::Macro => FunctionOrigin::Session,
        Origin::Unknown => FunctionOrigin::Unknown,
    };
    FunctionUse { function: Resource::Function { database, function: called.function.name.clone() }, origin }
}

const fn write_action(action: Action) -> WriteAction {
    match action {
        Action::Create => WriteAction::Create,
        Action::CreateInside => WriteAction::CreateInside,
        Action::Alter => WriteAction::Alter,
        Action::AlterInside => WriteAction::AlterInside,
        Action::Drop => WriteAction::Drop,
        Action::Insert => WriteAction::Insert,
        Action::Overwrite => WriteAction::Overwrite,
        Action::Update => WriteAction::Update,
        Action::Delete => WriteAction::Delete,
        Action::Truncate => WriteAction::Truncate,
        Action::Load => WriteAction::Load,
        Action::Lock => WriteAction::Lock,
        Action::Touch => WriteAction::Touch,
    }
}

fn command(effect: &Effect) -> Command {
    match effect {
        Effect::AddResource(_) => Command::AddResource,
        Effect::DeleteResource(_) => Command::DeleteResource,
        Effect::FileSystem(_) => Command::FileSystem,
        Effect::Shell(_) => Command::Shell,
        Effect::Script(script) => Command::Script(script.to_string()),
        Effect::Setting { key, .. } => Command::Setting { key: key.to_string() },
        Effect::Compile => Command::Compile,
        Effect::Source(_) => Command::Other("source".to_owned()),
        Effect::Other(text) => {
            Command::Other(text.split_whitespace().next().unwrap_or_default().to_lowercase())
        }
    }
}

#[cfg(test)]
mod tests {
    use guardbee_analysis::Catalog;
    use guardbee_hiveql::parser::parse_statement;
    use guardbee_hiveql::tree::Arena;
    use guardbee_model::HiveVersion;

    use super::*;

    fn asked(text: &str) -> Translation {
        let mut session = Session::new(Catalog::new(), HiveVersion::V3_1);
        let findings = session.run_script(
            "CREATE DATABASE hr; CREATE TABLE hr.emp (name STRING, ssn STRING);
             CREATE VIEW hr.v AS SELECT name FROM hr.emp; CREATE TEMPORARY TABLE scratch (a INT);",
        );
        assert!(findings.is_empty(), "{findings:?}");
        let before = session.clone();
        let effects = session.analyze(text).effects.expect("a statement");
        let arena = Arena::new();
        let tree = parse_statement(&arena, text, before.settings().parser).ok();
        translate(&effects, tree.as_ref(), &before, "hdfs://nn:8020")
    }

    fn reads(text: &str) -> Vec<String> {
        let columns = |columns: &Columns| match columns {
            Columns::Whole => String::new(),
            Columns::Named(names) => {
                format!("({})", names.iter().map(Name::as_str).collect::<Vec<_>>().join(","))
            }
        };
        let reads = asked(text).request.reads;
        reads.iter().map(|read| format!("{}{}", read.resource, columns(&read.columns))).collect()
    }

    fn writes(text: &str) -> Vec<String> {
        let writes = asked(text).request.writes;
        writes.iter().map(|write| format!("{:?} {}", write.action, write.resource)).collect()
    }

    #[test]
    fn only_what_is_read_directly_and_counts_is_asked_for() {
        assert_eq!(reads("SELECT name FROM (SELECT name, ssn FROM hr.emp) x"), ["hr.emp(name)"]);
        assert_eq!(reads("SELECT COUNT(*) FROM hr.emp"), ["hr.emp"]);
        assert_eq!(reads("SELECT * FROM hr.emp"), ["hr.emp(name,ssn)"]);
        assert_eq!(reads("SELECT name FROM hr.v"), ["hr.v(name)"]);
        assert_eq!(
            reads("SELECT v.name FROM hr.v JOIN hr.emp ON v.name = emp.ssn"),
            ["hr.v(name)", "hr.emp(ssn)"]
        );
    }

    #[test]
    fn temporary_tables_are_the_sessions_own() {
        assert_eq!(reads("SELECT a FROM scratch"), [] as [&str; 0]);
        let request = asked("CREATE TEMPORARY TABLE t2 (a INT)").request;
        assert_eq!(request.writes[0].lifetime, Lifetime::Session);
        let request = asked("CREATE TEMPORARY TABLE IF NOT EXISTS hr.emp (a INT)").request;
        assert_eq!(request.writes[0].lifetime, Lifetime::Session);
        let request = asked("EXPLAIN CREATE TEMPORARY TABLE t2 (a INT)").request;
        assert_eq!(request.writes[0].lifetime, Lifetime::Session);
        let request = asked("INSERT INTO scratch VALUES (1)").request;
        assert_eq!(request.writes[0].lifetime, Lifetime::Session);
    }

    #[test]
    fn local_paths_are_places_of_their_own() {
        assert_eq!(reads("LOAD DATA LOCAL INPATH '/x/f' INTO TABLE hr.emp"), ["file:///x/f"]);
        assert_eq!(reads("LOAD DATA INPATH '/x/f' INTO TABLE hr.emp"), ["hdfs://nn:8020/x/f"]);
        assert_eq!(writes("INSERT OVERWRITE LOCAL DIRECTORY '/o' SELECT 1"), ["Overwrite file:///o"]);
        let both = "FROM hr.emp INSERT OVERWRITE LOCAL DIRECTORY '/o' SELECT name
                    INSERT OVERWRITE DIRECTORY '/o' SELECT name";
        assert_eq!(writes(both), ["Overwrite file:///o", "Overwrite hdfs://nn:8020/o"]);
        let above = asked("LOAD DATA INPATH '/../f' INTO TABLE hr.emp");
        assert_eq!(above.misplaced, [Misplaced { path: "/../f".into(), error: UriError::ParentComponent }]);
    }

    #[test]
    fn what_is_only_named_is_asked_for_as_well() {
        assert_eq!(reads("SHOW TBLPROPERTIES hr.emp"), ["hr.emp"]);
        assert_eq!(reads("SHOW TABLE EXTENDED IN hr LIKE 'e*'"), ["hr"]);
        assert_eq!(writes("DROP TABLE IF EXISTS hr.gone"), ["Drop hr.gone"]);
        assert_eq!(writes("DROP FUNCTION hr.f"), ["Drop hr.f"]);
        assert_eq!(writes("ALTER TABLE hr.emp SET OWNER USER ana"), ["Alter hr.emp"]);
        assert_eq!(writes("ALTER TABLE hr.emp RENAME TO other.emp"), ["Alter hr.emp", "CreateInside other"]);
        assert_eq!(writes("CREATE TABLE IF NOT EXISTS hr.emp (a INT)"), ["CreateInside hr"]);
        assert_eq!(asked("DESCRIBE FORMATTED hr.emp").request.detail, guardbee_policy::request::Detail::Full);
    }

    #[test]
    fn branches_of_a_merge_are_writes_of_their_own() {
        let merge = "MERGE INTO hr.emp e USING hr.v s ON e.name = s.name
                     WHEN MATCHED AND s.name = 'x' THEN DELETE WHEN MATCHED THEN UPDATE SET ssn = 'y'
                     WHEN NOT MATCHED THEN INSERT VALUES (s.name, 'z')";
        assert_eq!(writes(merge), ["Delete hr.emp", "Update hr.emp", "Insert hr.emp"]);
    }
}
