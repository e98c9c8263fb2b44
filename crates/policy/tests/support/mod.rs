//! A notation for requests in test data, and files that tests keep up to date.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::path::PathBuf;

use guardbee_model::{Name, TableName};
use guardbee_policy::request::{
    Columns, Command, Detail, FunctionOrigin, FunctionUse, Lifetime, Read, Request, Write, WriteAction,
};
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::rule_book::operation_named;
use guardbee_policy::{Resource, Uri};

pub fn data(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(path)
}

/// Compares a file with what it should hold; with `UPDATE_EXPECTED=1` it is written anew.
pub fn expect_file(path: &std::path::Path, expected: &str) {
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        std::fs::write(path, expected).unwrap();
        return;
    }
    let found = std::fs::read_to_string(path).unwrap_or_default();
    for (place, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{}:{}", path.display(), place + 1);
    }
    assert_eq!(
        found,
        expected,
        "{}: run again with UPDATE_EXPECTED=1 and read the difference",
        path.display()
    );
}

pub fn request(operation: &str) -> Request {
    Request {
        operation: operation_named(operation).unwrap_or_else(|| panic!("no operation `{operation}`")),
        database: Name::fold("default"),
        reads: Vec::new(),
        writes: Vec::new(),
        functions: Vec::new(),
        commands: Vec::new(),
        detail: Detail::Basic,
    }
}

/// Adds what one line says.
///
/// ```text
/// in db                      reads db.t (a, b)         writes insert db.t
/// reads database db          reads uri hdfs://nn/x     writes session create db.t
/// calls builtin reflect      calls permanent db.f      shows full
/// runs script /x.py          sets hive.key
/// ```
pub fn add(request: &mut Request, line: &str) {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    match word {
        "in" => request.database = Name::fold(rest),
        "reads" => {
            let (text, columns) = match rest.split_once(" (") {
                Some((text, names)) => {
                    let names = names.trim_end_matches(')').split(',').map(|name| Name::fold(name.trim()));
                    (text, Columns::Named(names.collect()))
                }
                None => (rest, Columns::Whole),
            };
            request.reads.push(Read { resource: resource(text), columns });
        }
        "writes" => {
            let (rest, lifetime) = match rest.strip_prefix("session ") {
                Some(rest) => (rest, Lifetime::Session),
                None => (rest, Lifetime::Permanent),
            };
            let (action, text) = rest.split_once(' ').expect("an action and what it is done to");
            request.writes.push(Write { resource: resource(text), action: write_action(action), lifetime });
        }
        "calls" => {
            let (origin, name) = rest.split_once(' ').expect("an origin and a function");
            let origin = match origin {
                "builtin" => FunctionOrigin::BuiltIn,
                "permanent" => FunctionOrigin::Permanent,
                "session" => FunctionOrigin::Session,
                _ => panic!("no origin `{origin}`"),
            };
            request.functions.push(FunctionUse { function: function(name), origin });
        }
        "sets" => request.commands.push(Command::Setting { key: rest.to_owned() }),
        "runs" => {
            let script = rest.strip_prefix("script ").expect("`runs script`");
            request.commands.push(Command::Script(script.to_owned()));
        }
        "shows" => request.detail = if rest == "full" { Detail::Full } else { Detail::Basic },
        _ => panic!("no line `{line}`"),
    }
}

fn resource(text: &str) -> Resource {
    match text.split_once(' ') {
        Some(("database", name)) => Resource::Database(Name::fold(name)),
        Some(("uri", uri)) => Resource::Uri(Uri::requested(uri, "hdfs://nn1:8020").unwrap()),
        Some(("function", name)) => function(name),
        Some(("connector", name)) => Resource::Connector(Name::fold(name)),
        Some(("service", name)) => Resource::Service(Name::fold(name)),
        _ => {
            let (database, table) = text.split_once('.').expect("a table with its database");
            Resource::Table(TableName::new(Name::fold(database), Name::fold(table)))
        }
    }
}

fn function(name: &str) -> Resource {
    match name.split_once('.') {
        Some((database, function)) => {
            Resource::Function { database: Some(Name::fold(database)), function: Name::fold(function) }
        }
        None => Resource::Function { database: None, function: Name::fold(name) },
    }
}

fn write_action(word: &str) -> WriteAction {
    match word {
        "create" => WriteAction::Create,
        "create-inside" => WriteAction::CreateInside,
        "alter" => WriteAction::Alter,
        "alter-inside" => WriteAction::AlterInside,
        "drop" => WriteAction::Drop,
        "insert" => WriteAction::Insert,
        "overwrite" => WriteAction::Overwrite,
        "update" => WriteAction::Update,
        "delete" => WriteAction::Delete,
        "truncate" => WriteAction::Truncate,
        "load" => WriteAction::Load,
        "lock" => WriteAction::Lock,
        "touch" => WriteAction::Touch,
        _ => panic!("no action `{word}`"),
    }
}

/// `in SELECT on db.t (a, b)`, `out CREATE on database db`, `nobody: reason`.
pub fn written(requirement: &Requirement) -> String {
    if let Right::Nobody(reason) = &requirement.right {
        return format!("nobody: {reason}");
    }
    let side = match requirement.side {
        Side::Input => "in",
        Side::Output => "out",
    };
    let kind = match &requirement.resource {
        Resource::Database(_) => "database ",
        Resource::Function { .. } => "function ",
        Resource::Connector(_) => "connector ",
        _ => "",
    };
    let columns = match &requirement.columns {
        Columns::Whole => String::new(),
        Columns::Named(names) => {
            format!(" ({})", names.iter().map(Name::as_str).collect::<Vec<_>>().join(", "))
        }
    };
    let reach = if requirement.reach == Reach::AroundOrInside { ", or inside" } else { "" };
    format!("{side} {} on {kind}{}{columns}{reach}", requirement.right, requirement.resource)
}
