//! From a request and its rule to the rights that are needed.

use std::sync::Arc;

use guardbee_model::Operation;
use rustc_hash::FxHashSet;

use crate::request::{Columns, Lifetime, Request, Write, WriteAction};
use crate::requirement::{Reach, Requirement, Right, Side};
use crate::{BookName, GrantOption, Privileges, Resource, Settings};

use super::rule::{Clause, Condition, Kind, Presence, Rule};
use super::touched::{Touched, touched};
use super::{Absence, RuleBook, command, rule_name};

pub(super) fn requirements(book: &RuleBook, settings: &Settings, request: &Request) -> Vec<Requirement> {
    let mut needed = Needed::default();
    command::ask(book, settings, request, &mut needed);
    if book.name == BookName::HiveLegacy && finds_its_database(request) {
        return needed.once_each();
    }
    match book.rule(operation(book.name, request)) {
        None => needed.nobody(&format!("the rule book does not know {}", rule_name(request.operation))),
        Some(Rule::Refused(reason)) => needed.nobody(reason),
        Some(Rule::NotChecked | Rule::WhenCarriedOut) => ask(book, settings, request, &[], &mut needed),
        Some(Rule::Needs(clauses)) => ask(book, settings, request, clauses, &mut needed),
    }
    needed.once_each()
}

/// Hive 2.3 calls `ALTER VIEW ... AS` the creation of a view; Sentry turns that back.
fn operation(book: BookName, request: &Request) -> Operation {
    let does = |action| {
        let is_such = |write: &Write| write.action == action && matches!(write.resource, Resource::Table(_));
        request.writes.iter().any(is_such)
    };
    match request.operation {
        Operation::CreateView
            if book == BookName::Sentry && does(WriteAction::Alter) && !does(WriteAction::Create) =>
        {
            Operation::AlterViewAs
        }
        operation => operation,
    }
}

/// Is it a CREATE DATABASE of one that is there? Hive's legacy mode lets it pass, for it creates nothing.
fn finds_its_database(request: &Request) -> bool {
    let is_there =
        |write: &Write| write.action == WriteAction::Touch && matches!(write.resource, Resource::Database(_));
    request.operation == Operation::CreateDatabase && request.writes.iter().any(is_there)
}

/// The rights that were found to be needed.
#[derive(Default)]
pub(super) struct Needed {
    requirements: Vec<Requirement>,
}

impl Needed {
    pub(super) fn push(&mut self, requirement: Requirement) {
        self.requirements.push(requirement);
    }

    /// What is needed on both sides is asked for once.
    fn once_each(mut self) -> Vec<Requirement> {
        // Few are compared faster than they are hashed, with all their columns.
        const FEW: usize = 16;
        let first: Vec<bool> = if self.requirements.len() <= FEW {
            let mut rest = self.requirements.as_slice();
            let mut first = Vec::with_capacity(rest.len());
            while let Some((last, before)) = rest.split_last() {
                first.push(!before.iter().any(|known| what(known) == what(last)));
                rest = before;
            }
            first.reverse();
            first
        } else {
            let mut seen = FxHashSet::default();
            self.requirements.iter().map(|requirement| seen.insert(what(requirement))).collect()
        };
        let mut first = first.into_iter();
        self.requirements.retain(|_| first.next().unwrap_or(true));
        self.requirements
    }

    pub(super) fn nobody(&mut self, reason: &str) {
        self.push(Requirement {
            right: Right::Nobody(Arc::from(reason)),
            resource: Resource::Server,
            columns: Columns::Whole,
            reach: Reach::Around,
            side: Side::Input,
        });
    }
}

/// What is asked for, whichever side asks.
const fn what(requirement: &Requirement) -> (&Right, &Resource, Reach, &Columns) {
    (&requirement.right, &requirement.resource, requirement.reach, &requirement.columns)
}

fn ask(book: &RuleBook, settings: &Settings, request: &Request, clauses: &[Clause], needed: &mut Needed) {
    let objects = touched(book.name, settings, request, clauses);
    let counts = |clause: &&Clause| holds(clause.condition.as_ref(), request, &objects);
    let all: Vec<&Clause> = clauses.iter().chain(&book.every).filter(counts).collect();
    for clause in all.iter().filter(|clause| clause.kind.stands_alone()) {
        let resource = match clause.kind {
            Kind::CurrentDatabase => Resource::Database(request.database.clone()),
            _ => Resource::Server,
        };
        require(clause, &resource, &Columns::Whole, needed);
    }
    for object in &objects {
        let best = all.iter().filter_map(|clause| fit(clause, object)).max();
        for clause in all.iter().filter(|clause| best.is_some() && fit(clause, object) == best) {
            require(clause, &object.resource, object.columns, needed);
        }
    }
    if book.absence == Absence::Refused {
        for clause in &all {
            if is_missed(clause, &all, &objects, request) {
                needed.nobody(&missed(clause));
            }
        }
    }
}

/// Conditions on actions are for each object to answer.
fn holds(condition: Option<&Condition>, request: &Request, objects: &[Touched<'_>]) -> bool {
    match condition {
        None | Some(Condition::Actions(_)) => true,
        Some(Condition::Detail(detail)) => request.detail == *detail,
        Some(Condition::Without(kind)) => {
            !objects.iter().any(|object| kind.fit(&object.resource, object.columns).is_some())
        }
        Some(Condition::Temporary) => request
            .writes
            .iter()
            .any(|write| matches!(write.resource, Resource::Function { database: None, .. })),
    }
}

/// How closely a clause is meant for an object: by its kind, and by its condition among those of a kind.
fn fit(clause: &Clause, object: &Touched<'_>) -> Option<(u8, bool)> {
    let is_meant = clause.side == object.side
        && match &clause.condition {
            Some(Condition::Actions(actions)) => actions.contains(&object.action),
            _ => true,
        };
    let is_server = *object.resource == Resource::Server && clause.kind == Kind::Database;
    match is_meant {
        false => None,
        true if is_server => Some((2, false)),
        true => Some((clause.kind.fit(&object.resource, object.columns)?, clause.condition.is_some())),
    }
}

fn require(clause: &Clause, resource: &Resource, columns: &Columns, needed: &mut Needed) {
    let columns = match clause.kind {
        Kind::Column => columns.clone(),
        _ => Columns::Whole,
    };
    let is_file = matches!(resource, Resource::Uri(_));
    for right in &clause.rights {
        let right = match right {
            // Files have no owner here; whoever has all rights on the place is as good as one.
            Right::Ownership if is_file => {
                Right::AnyOf { privileges: Privileges::ALL, grant_option: GrantOption::Without }
            }
            right => right.clone(),
        };
        needed.push(Requirement {
            right,
            resource: resource.clone(),
            columns: columns.clone(),
            reach: clause.reach,
            side: clause.side,
        });
    }
}

/// Does the rule need an object of this kind, and there is none? A table may answer for its columns; one of
/// the session answers, too, though nothing is needed on it.
fn is_missed(clause: &Clause, all: &[&Clause], objects: &[Touched<'_>], request: &Request) -> bool {
    let is_table = |kind: Kind| matches!(kind, Kind::Table | Kind::Column);
    if clause.presence == Presence::Optional || !is_table(clause.kind) {
        return false;
    }
    let answers = |object: &Touched<'_>| {
        all.iter().any(|clause| is_table(clause.kind) && fit(clause, object).is_some())
            && object.side == clause.side
    };
    let is_private = request.writes.iter().any(|write| write.lifetime == Lifetime::Session);
    !objects.iter().any(answers) && !is_private
}

fn missed(clause: &Clause) -> String {
    let side = match clause.side {
        Side::Input => "reads",
        Side::Output => "writes",
    };
    format!("{clause} is needed, and the statement {side} no table")
}
