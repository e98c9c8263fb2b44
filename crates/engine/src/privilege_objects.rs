//! Statements as Hive's compiler hands them to a plug-in: an operation, and the objects that it reads and writes.
//!
//! Hive says of what is written only whether rows are inserted, overwritten, updated or deleted. What else is done to it
//! follows from the operation.

use guardbee_model::{Name, Operation, TableName};
use guardbee_policy::request::{
    Columns, Command, Detail, FunctionOrigin, FunctionUse, Lifetime, Read, Request, Write, WriteAction,
};
use guardbee_policy::{Resource, Uri, UriError};
use smol_str::{SmolStr, format_smolstr};

use crate::request::Misplaced;

/// A statement by the objects that Hive's compiler found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrivilegeObjects {
    pub operation: Operation,
    /// The session's current database.
    pub database: Name,
    pub inputs: Vec<PrivilegeObject>,
    pub outputs: Vec<PrivilegeObject>,
}

/// One object, as Hive's `HivePrivilegeObject` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PrivilegeObject {
    Database(Name),
    /// A table or view; of an input the columns that are read, as far as they count.
    Table {
        table: TableName,
        columns: Vec<Name>,
        action: ObjectAction,
    },
    Function {
        database: Option<Name>,
        name: Name,
    },
    /// A path in the warehouse's file system, or on the machine of the server.
    Path {
        path: String,
        place: PathPlace,
        action: ObjectAction,
    },
    /// The words of a command of Hive's clients.
    Command(Vec<String>),
    DataConnector(Name),
    Service(Name),
}

/// What Hive says is done to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ObjectAction {
    #[default]
    Other,
    Insert,
    InsertOverwrite,
    Update,
    Delete,
}

/// Where a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PathPlace {
    Warehouse,
    Local,
}

impl ObjectAction {
    /// Hive's word for it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Other => "OTHER",
            Self::Insert => "INSERT",
            Self::InsertOverwrite => "INSERT_OVERWRITE",
            Self::Update => "UPDATE",
            Self::Delete => "DELETE",
        }
    }
}

impl PathPlace {
    /// The address of a path that lies there.
    pub(crate) fn uri(self, path: &str, default_file_system: &str) -> Result<Uri, UriError> {
        let file_system = match self {
            Self::Local => "file://",
            Self::Warehouse => default_file_system,
        };
        Uri::requested(path, file_system)
    }
}

impl PrivilegeObject {
    /// What is done to it, where it is one of which Hive says so.
    #[must_use]
    pub const fn action(&self) -> ObjectAction {
        match self {
            Self::Table { action, .. } | Self::Path { action, .. } => *action,
            _ => ObjectAction::Other,
        }
    }

    #[must_use]
    pub fn columns(&self) -> &[Name] {
        match self {
            Self::Table { columns, .. } => columns,
            _ => &[],
        }
    }

    /// What the audit log calls it; none for what is no object there.
    #[must_use]
    pub fn name(&self) -> Option<SmolStr> {
        Some(match self {
            Self::Database(name) | Self::DataConnector(name) | Self::Service(name) => SmolStr::new(name),
            Self::Table { table, .. } => format_smolstr!("{table}"),
            Self::Function { database: Some(database), name } => format_smolstr!("{database}.{name}"),
            Self::Function { database: None, name } => SmolStr::new(name),
            Self::Path { path, .. } => SmolStr::new(path),
            Self::Command(_) => return None,
        })
    }
}

impl PrivilegeObjects {
    /// What is asked of a policy, and the paths that lead nowhere.
    pub(crate) fn request(&self, default_file_system: &str) -> (Request, Vec<Misplaced>) {
        let mut request = Request {
            operation: self.operation,
            database: self.database.clone(),
            reads: Vec::with_capacity(self.inputs.len()),
            writes: Vec::with_capacity(self.outputs.len()),
            functions: Vec::new(),
            commands: Vec::new(),
            detail: Detail::Basic,
        };
        let mut misplaced = Vec::new();
        for input in &self.inputs {
            let Some(resource) = resource(input, default_file_system, &mut misplaced) else {
                beside(&mut request, input);
                continue;
            };
            let columns = match input.columns() {
                [] => Columns::Whole,
                columns => Columns::Named(columns.to_vec()),
            };
            request.reads.push(Read { resource, columns });
        }
        for output in &self.outputs {
            let Some(resource) = resource(output, default_file_system, &mut misplaced) else {
                beside(&mut request, output);
                continue;
            };
            let action = write_action(self.operation, output);
            request.writes.push(Write { resource, action, lifetime: Lifetime::Permanent });
        }
        (request, misplaced)
    }
}

/// What is neither read nor written.
fn beside(request: &mut Request, object: &PrivilegeObject) {
    match object {
        PrivilegeObject::Function { database, name } => {
            let origin = match (request.operation, database) {
                (Operation::CreateMacro | Operation::DropMacro, _) | (_, None) => FunctionOrigin::Session,
                (_, Some(_)) => FunctionOrigin::Permanent,
            };
            let function = Resource::Function { database: database.clone(), function: name.clone() };
            request.functions.push(FunctionUse { function, origin });
        }
        PrivilegeObject::Command(words) => request.commands.push(command(request.operation, words)),
        _ => {}
    }
}

fn command(operation: Operation, words: &[String]) -> Command {
    let first = words.first().map(|word| word.to_lowercase()).unwrap_or_default();
    match operation {
        Operation::AddResource => Command::AddResource,
        Operation::DeleteResource => Command::DeleteResource,
        Operation::FileSystem => Command::FileSystem,
        Operation::Shell => Command::Shell,
        Operation::Compile => Command::Compile,
        Operation::Set | Operation::Reset => {
            let setting = words.join(" ");
            let key = setting.split('=').next().unwrap_or_default().trim().to_owned();
            Command::Setting { key }
        }
        _ => Command::Other(first),
    }
}

/// What is read or written; none of what is neither, and of a path that leads nowhere, which is noted.
fn resource(
    object: &PrivilegeObject,
    default_file_system: &str,
    misplaced: &mut Vec<Misplaced>,
) -> Option<Resource> {
    Some(match object {
        PrivilegeObject::Database(name) => Resource::Database(name.clone()),
        PrivilegeObject::Table { table, .. } => Resource::Table(table.clone()),
        PrivilegeObject::DataConnector(name) => Resource::Connector(name.clone()),
        PrivilegeObject::Service(name) => Resource::Service(name.clone()),
        PrivilegeObject::Path { path, place, .. } => {
            let found = place.uri(path, default_file_system);
            let noted = found.map_err(|error| misplaced.push(Misplaced { path: path.clone(), error }));
            Resource::Uri(noted.ok()?)
        }
        PrivilegeObject::Function { .. } | PrivilegeObject::Command(_) => return None,
    })
}

fn write_action(operation: Operation, object: &PrivilegeObject) -> WriteAction {
    let (PrivilegeObject::Table { action, .. } | PrivilegeObject::Path { action, .. }) = object else {
        return of_container(operation, object);
    };
    match action {
        ObjectAction::Insert => WriteAction::Insert,
        ObjectAction::InsertOverwrite => WriteAction::Overwrite,
        ObjectAction::Update => WriteAction::Update,
        ObjectAction::Delete => WriteAction::Delete,
        ObjectAction::Other => of_table_or_path(operation, object),
    }
}

/// Of databases and whatever else holds others or stands alone.
fn of_container(operation: Operation, object: &PrivilegeObject) -> WriteAction {
    use Operation as Op;
    match operation {
        Op::CreateDatabase | Op::CreateDataConnector => WriteAction::Create,
        Op::DropDatabase | Op::DropDataConnector => WriteAction::Drop,
        Op::AlterDatabase
        | Op::AlterDatabaseOwner
        | Op::AlterDatabaseLocation
        | Op::AlterDataConnector
        | Op::AlterDataConnectorOwner
        | Op::AlterDataConnectorUrl => WriteAction::Alter,
        Op::LockDatabase | Op::UnlockDatabase => WriteAction::Lock,
        Op::CreateTable
        | Op::CreateTableAsSelect
        | Op::CreateView
        | Op::CreateMaterializedView
        | Op::CreateFunction
        | Op::Import
        | Op::ReplicationLoad
        | Op::AlterTableRename
        | Op::AlterViewRename
            if matches!(object, PrivilegeObject::Database(_)) =>
        {
            WriteAction::CreateInside
        }
        Op::DropFunction => WriteAction::AlterInside,
        _ => WriteAction::Touch,
    }
}

fn of_table_or_path(operation: Operation, object: &PrivilegeObject) -> WriteAction {
    use Operation as Op;
    match operation {
        // A query writes to a directory without saying how.
        Op::Query | Op::Export | Op::ReplicationDump => match object {
            PrivilegeObject::Path { .. } => WriteAction::Overwrite,
            _ => WriteAction::Insert,
        },
        Op::CreateTable
        | Op::CreateTableAsSelect
        | Op::CreateView
        | Op::CreateMaterializedView
        | Op::Import
        | Op::ReplicationLoad => WriteAction::Create,
        Op::DropTable | Op::DropView | Op::DropMaterializedView => WriteAction::Drop,
        Op::TruncateTable => WriteAction::Truncate,
        Op::Load => WriteAction::Load,
        Op::LockTable | Op::UnlockTable => WriteAction::Lock,
        Op::AnalyzeTable | Op::AlterTableTouch => WriteAction::Touch,
        operation if operation.as_str().starts_with("ALTER") => WriteAction::Alter,
        Op::CreateIndex | Op::DropIndex | Op::Msck | Op::DropViewProperties => WriteAction::Alter,
        _ => WriteAction::Touch,
    }
}
