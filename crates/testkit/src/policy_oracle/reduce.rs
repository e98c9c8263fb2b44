//! Makes a case on which two answers differ as small as it can be.

use std::sync::Arc;

use guardbee_policy::request::Columns;
use guardbee_policy::requirement::{Reach, Right, Side};
use guardbee_policy::{Change, DataPolicy, Entry, GrantOption, Privileges, Validity};

use super::Active;
use super::compare::Case;
use crate::shrink::{smallest, without_some};

/// The case without everything that it can lose and still `differs`.
#[must_use]
pub fn reduce(case: &Case, differs: impl Fn(&Case) -> bool) -> Case {
    smallest(case.clone(), candidates, differs)
}

/// All cases that are smaller by one thing, those first that lose most.
fn candidates(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    let with_changes = |loaded: Vec<Change>, steps: Vec<Change>| Case { loaded, steps, ..case.clone() };
    for steps in without_some(&case.steps) {
        found.push(with_changes(case.loaded.clone(), steps));
    }
    for loaded in without_some(&case.loaded) {
        found.push(with_changes(loaded, case.steps.clone()));
    }
    if !case.steps.is_empty() {
        found.push(with_changes(case.loaded.iter().chain(&case.steps).cloned().collect(), Vec::new()));
    }
    for requirements in without_some(&case.requirements) {
        found.push(Case { requirements, ..case.clone() });
    }
    for groups in without_some(&case.asker.groups) {
        let mut smaller = case.clone();
        smaller.asker.groups = groups;
        found.push(smaller);
    }
    if case.asker.active != Active::All {
        let mut smaller = case.clone();
        smaller.asker.active = Active::All;
        found.push(smaller);
    }
    found.extend(simpler_requirements(case));
    found.extend(simpler_changes(case));
    found
}

fn simpler_requirements(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    for (place, requirement) in case.requirements.iter().enumerate() {
        let mut simpler = Vec::new();
        if let Columns::Named(columns) = &requirement.columns {
            simpler.push(guardbee_policy::requirement::Requirement {
                columns: Columns::Whole,
                ..requirement.clone()
            });
            simpler.extend(without_some(columns).into_iter().map(|columns| {
                let columns = Columns::Named(columns);
                guardbee_policy::requirement::Requirement { columns, ..requirement.clone() }
            }));
        }
        if requirement.reach == Reach::AroundOrInside {
            let mut plain = requirement.clone();
            plain.reach = Reach::Around;
            simpler.push(plain);
        }
        if requirement.side == Side::Output {
            let mut plain = requirement.clone();
            plain.side = Side::Input;
            simpler.push(plain);
        }
        if let Right::AnyOf { privileges, grant_option } = requirement.right {
            let mut rights: Vec<Right> = fewer(privileges)
                .into_iter()
                .map(|privileges| Right::AnyOf { privileges, grant_option })
                .collect();
            if grant_option.is_with() {
                rights.push(Right::AnyOf { privileges, grant_option: GrantOption::Without });
            }
            for right in rights {
                let mut plain = requirement.clone();
                plain.right = right;
                simpler.push(plain);
            }
        }
        for new in simpler {
            let mut smaller = case.clone();
            smaller.requirements[place] = new;
            found.push(smaller);
        }
    }
    found
}

/// Each single privilege of several.
fn fewer(privileges: Privileges) -> Vec<Privileges> {
    let single: Vec<Privileges> = privileges.iter().map(Privileges::of).collect();
    if single.len() > 1 { single } else { Vec::new() }
}

fn simpler_changes(case: &Case) -> Vec<Case> {
    let mut found = Vec::new();
    for (place, change) in case.loaded.iter().enumerate() {
        for new in simpler_change(change) {
            let mut smaller = case.clone();
            smaller.loaded[place] = new;
            found.push(smaller);
        }
    }
    for (place, change) in case.steps.iter().enumerate() {
        for new in simpler_change(change) {
            let mut smaller = case.clone();
            smaller.steps[place] = new;
            found.push(smaller);
        }
    }
    found
}

fn simpler_change(change: &Change) -> Vec<Change> {
    match change {
        Change::PutEntry(entry) => simpler_entry(entry).into_iter().map(Change::PutEntry).collect(),
        Change::PutDataPolicy(policy) => {
            let mut found = Vec::new();
            for principals in without_some(&policy.principals) {
                let principals = Arc::from(principals);
                found.push(DataPolicy { principals, ..policy.clone() });
            }
            for except in without_some(&policy.except) {
                found.push(DataPolicy { except: Arc::from(except), ..policy.clone() });
            }
            found.into_iter().map(Change::PutDataPolicy).collect()
        }
        _ => Vec::new(),
    }
}

fn simpler_entry(entry: &Entry) -> Vec<Entry> {
    let mut found = Vec::new();
    for except in without_some(&entry.except) {
        found.push(Entry { except: Arc::from(except), ..entry.clone() });
    }
    if !entry.validity.is_always() {
        found.push(Entry { validity: Validity::ALWAYS, ..entry.clone() });
    }
    if entry.grant_option.is_with() {
        found.push(Entry { grant_option: GrantOption::Without, ..entry.clone() });
    }
    found.extend(fewer(entry.privileges).into_iter().map(|privileges| Entry { privileges, ..entry.clone() }));
    found
}
