//! Operation by privilege, one table for each rule book: `data/matrix/*.txt`.
//!
//! Each operation is asked for with a request that reads and writes something of every kind, so that the
//! tables show what the books make of requests, and not only what stands in them.

mod support;

use std::fmt::Write as _;

use guardbee_model::Operation;
use guardbee_policy::request::{Columns, Request};
use guardbee_policy::requirement::{Reach, Requirement, Right, Side};
use guardbee_policy::rule_book::{Rule, rule_name};
use guardbee_policy::{BookName, Privilege, Privileges, Resource, RuleBook, Settings, requirements};

use support::{add, data, expect_file, request};

const LEGEND: &str = "\
# What each operation needs: one row an operation, one column a right.
#
# A letter in a cell is an object on which the right is needed. Small letters are inputs, capitals outputs:
#   s server, b current database, d D database, t T table or view, c columns, u U address, f F function,
#   k K connector; N table that is created, I inserted into, O overwritten, P updated, X deleted from
# Behind a letter: ? this or another right of the row with a ? on the same object; ^ with grant option;
#   + a right on anything inside serves as well. ANY: any right of the book.
# rule: `-` not checked, `e` checked when it is carried out, `x` refused for everybody.
";

/// What every operation touches, and what only some do.
const ALWAYS: &str = "\
reads database in_db
reads in_db.whole
reads uri /in
writes alter database out_db
writes alter out_db.alter
writes touch uri /out
";
const OF_QUERIES: &str = "\
reads in_db.named (a)
calls permanent in_db.f
writes insert out_db.insert
writes overwrite out_db.overwrite
writes update out_db.update
writes delete out_db.delete
";
const OF_CREATION: &str = "\
reads in_db.named (a)
writes create out_db.new
";
const OF_FUNCTIONS: &str = "writes alter function out_db.f";
const OF_CONNECTORS: &str = "writes alter connector out_connector";

/// What operations of these names touch besides.
const MORE: [(&[&str], &str); 4] = [
    (&["QUERY", "PREPARE", "EXECUTE", "ALTER_MATERIALIZED_VIEW_REBUILD", "LOAD", "IMPORT"], OF_QUERIES),
    (
        &[
            "CREATETABLE",
            "CREATETABLE_AS_SELECT",
            "CREATEVIEW",
            "CREATE_MATERIALIZED_VIEW",
            "IMPORT",
            "ALTERTABLE_RENAME",
            "ALTERVIEW_RENAME",
        ],
        OF_CREATION,
    ),
    (&["CREATEFUNCTION", "DROPFUNCTION"], OF_FUNCTIONS),
    (
        &[
            "CREATEDATACONNECTOR",
            "DROPDATACONNECTOR",
            "ALTERDATACONNECTOR",
            "ALTERDATACONNECTOR_OWNER",
            "ALTERDATACONNECTOR_URL",
            "DESCDATACONNECTOR",
        ],
        OF_CONNECTORS,
    ),
];

#[test]
fn operations_by_privileges() {
    for book in BookName::ALL {
        expect_file(&data(&format!("matrix/{}.txt", book.as_str())), &matrix(book));
    }
}

fn matrix(book: BookName) -> String {
    let settings = Settings { rule_book: book, ..Settings::default() };
    let any = RuleBook::built_in(book).any();
    let mut rights: Vec<&str> = vec!["ALL", "ANY", "OWNERSHIP", "ADMIN"];
    rights.splice(2..2, Privilege::EACH.iter().map(|privilege| privilege.as_str()));
    let rows: Vec<(String, &str, Vec<String>)> = Operation::ALL
        .iter()
        .map(|&operation| {
            let needed = requirements(&settings, &touching_everything(operation));
            let cells = rights.iter().map(|right| cell(right, any, &needed)).collect();
            (rule_name(operation), verdict(book, operation), cells)
        })
        .collect();
    let width = |place: usize| rows.iter().map(|(_, _, cells)| cells[place].len()).max().unwrap_or(0);
    let columns: Vec<(usize, usize)> = (0..rights.len())
        .map(|place| (place, width(place)))
        .filter(|(_, width)| *width > 0)
        .map(|(place, width)| (place, width.max(rights[place].len())))
        .collect();
    let mut text = String::from(LEGEND) + "\n";
    let mut line = format!("{:<33}rule", "");
    for &(place, width) in &columns {
        let _ = write!(line, "  {:<width$}", rights[place]);
    }
    let _ = writeln!(text, "{}", line.trim_end());
    for (operation, verdict, cells) in &rows {
        line = format!("{operation:<33}{verdict:<4}");
        for &(place, width) in &columns {
            let cell = if cells[place].is_empty() { "." } else { &cells[place] };
            let _ = write!(line, "  {cell:<width$}");
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

fn touching_everything(operation: Operation) -> Request {
    let name = rule_name(operation);
    let mut request = request(&name);
    ALWAYS.lines().for_each(|line| add(&mut request, line));
    for (names, lines) in MORE {
        if names.contains(&name.as_str()) {
            lines.lines().for_each(|line| add(&mut request, line));
        }
    }
    request
}

fn verdict(book: BookName, operation: Operation) -> &'static str {
    match RuleBook::built_in(book).rule(operation).unwrap() {
        Rule::NotChecked => "-",
        Rule::WhenCarriedOut => "e",
        Rule::Refused(_) => "x",
        Rule::Needs(_) => "",
    }
}

/// The objects on which a right is needed, each once.
fn cell(right: &str, any: Privileges, needed: &[Requirement]) -> String {
    let mut objects: Vec<String> = Vec::new();
    for requirement in needed {
        let names: Vec<&str> = match &requirement.right {
            Right::Nobody(_) => Vec::new(),
            Right::Ownership => vec!["OWNERSHIP"],
            Right::Administration => vec!["ADMIN"],
            Right::AnyOf { privileges, .. } if privileges.is_all() => vec!["ALL"],
            Right::AnyOf { privileges, .. } if *privileges == any => vec!["ANY"],
            Right::AnyOf { privileges, .. } => privileges.iter().map(Privilege::as_str).collect(),
        };
        if !names.contains(&right) {
            continue;
        }
        let with_grant =
            matches!(&requirement.right, Right::AnyOf { grant_option, .. } if grant_option.is_with());
        let marks =
            [(names.len() > 1, '?'), (with_grant, '^'), (requirement.reach == Reach::AroundOrInside, '+')];
        let mut object = String::from(letter(requirement));
        object.extend(marks.iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| mark));
        if !objects.contains(&object) {
            objects.push(object);
        }
    }
    objects.concat()
}

fn letter(requirement: &Requirement) -> char {
    let resource = requirement.resource.to_string();
    let small = match &requirement.resource {
        Resource::Server => return 's',
        Resource::Database(name) if name.as_str() == "default" => return 'b',
        Resource::Database(_) => 'd',
        Resource::Uri(_) => 'u',
        Resource::Function { .. } => 'f',
        Resource::Connector(_) => 'k',
        _ => match resource.rsplit('.').next().unwrap() {
            "named" if requirement.columns != Columns::Whole => 'c',
            "new" => 'n',
            "insert" => 'i',
            "overwrite" => 'o',
            "update" => 'p',
            "delete" => 'x',
            _ => 't',
        },
    };
    let is_output = requirement.side == Side::Output;
    if is_output { small.to_ascii_uppercase() } else { small }
}
