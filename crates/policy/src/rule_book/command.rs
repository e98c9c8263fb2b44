//! What a statement asks of the machine: functions, settings and scripts that a book forbids or checks.

use crate::request::{Command, FunctionOrigin, Request};
use crate::requirement::{Requirement, Side};
use crate::{Resource, Settings, Uri};

use super::apply::Needed;
use super::rule::{Clause, Rule};
use super::{RuleBook, SettingVerdict};

pub(super) fn ask(book: &RuleBook, settings: &Settings, request: &Request, needed: &mut Needed) {
    for function in &request.functions {
        // A function of a database or of the session that only bears such a name is none.
        if let (FunctionOrigin::BuiltIn, Resource::Function { function, .. }) =
            (function.origin, &function.function)
            && book.forbidden_functions.iter().any(|forbidden| *forbidden == function.as_str())
        {
            needed.nobody(&format!("nobody may call the function `{function}`"));
        }
    }
    for command in &request.commands {
        match command {
            Command::Setting { key } => setting(book, key, needed),
            Command::Script(script) => self::script(&book.script, settings, script, needed),
            // The rest are operations of their own.
            _ => {}
        }
    }
}

fn setting(book: &RuleBook, key: &str, needed: &mut Needed) {
    let folded = key.trim().to_lowercase();
    let name = folded.strip_prefix("hiveconf:").unwrap_or(&folded);
    if book.setting(name) == SettingVerdict::Refused {
        needed.nobody(&format!("nobody may change the setting `{key}`"));
    }
}

fn script(rule: &Rule, settings: &Settings, script: &str, needed: &mut Needed) {
    match rule {
        Rule::NotChecked | Rule::WhenCarriedOut => {}
        Rule::Refused(reason) => needed.nobody(reason),
        Rule::Needs(clauses) => match address(settings, script) {
            Some(uri) => {
                clauses.iter().for_each(|clause| require(clause, &Resource::Uri(uri.clone()), needed))
            }
            None => needed.nobody(&format!("the script `{script}` is no address from the root on")),
        },
    }
}

/// The program of a script, which is its first word. Where no scheme says otherwise, it lies on the server.
fn address(settings: &Settings, script: &str) -> Option<Uri> {
    let program = script.split_whitespace().next()?;
    let file_system = if program.starts_with('/') { "file:///" } else { &settings.default_file_system };
    Uri::requested(program, file_system).ok()
}

fn require(clause: &Clause, resource: &Resource, needed: &mut Needed) {
    for right in &clause.rights {
        needed.push(Requirement {
            right: right.clone(),
            resource: resource.clone(),
            columns: crate::request::Columns::Whole,
            reach: clause.reach,
            side: Side::Input,
        });
    }
}
