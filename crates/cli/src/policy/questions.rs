//! `guardbee who-can`, `what-can` and `why`: asking a policy the other way round.

use std::fmt::Write as _;

use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_engine::explain::{Held, Remedy, explain, need, of_holding, remedy};
use guardbee_engine::{entry_statements, named_object};
use guardbee_policy::reverse::{Holdings, what_can as what_they_can, who_can as who_can_do};
use guardbee_policy::{
    Decision, Effect, Entry, Identity, Policy, Principal, Privilege, Privileges, Resource, Scope, decide,
};
use smol_str::SmolStr;

use super::source::{self, LoadedPolicy, NoPolicy, Warehouse};
use crate::arguments::{AnswerFormat, Appearance, Groups, PolicySource, WhatCan, WhoCan, Why};
use crate::check::{denial_text, explain_tree, path_text};
use crate::deep;
use crate::exit::Outcome;
use crate::output::print;
use crate::terminal::{Paint, Style, hanging, printable};
use crate::wire;
use crate::wire::policy::{Beside, Holder, Reasons, WhatCanDocument, WhoCanDocument, WhyDocument};

/// Runs `who-can`.
///
/// # Errors
/// What kept it from being answered.
pub fn who_can(arguments: &WhoCan) -> anyhow::Result<Outcome> {
    deep::run(async || answered(arguments.appearance, who_can_answer(arguments).await))
}

/// Runs `what-can`.
///
/// # Errors
/// What kept it from being answered.
pub fn what_can(arguments: &WhatCan) -> anyhow::Result<Outcome> {
    deep::run(async || answered(arguments.appearance, what_can_answer(arguments).await))
}

/// Runs `why`.
///
/// # Errors
/// What kept it from being answered.
pub fn why(arguments: &Why) -> anyhow::Result<Outcome> {
    deep::run(async || answered(arguments.appearance, why_answer(arguments).await))
}

/// A text, and whether it says yes.
struct Answer {
    text: String,
    is_yes: bool,
}

fn answered(appearance: Appearance, answer: Result<Answer, NoPolicy>) -> anyhow::Result<Outcome> {
    match answer {
        Ok(Answer { text, is_yes }) => {
            print(&text)?;
            Ok(if is_yes { Outcome::Fine } else { Outcome::Findings })
        }
        Err(none) => none.outcome(appearance),
    }
}

async fn load(source: &PolicySource, appearance: Appearance) -> Result<LoadedPolicy, NoPolicy> {
    source::load(source, &Warehouse::unknown(), appearance).await
}

/// One privilege, or `ALL` of them, by its name.
///
/// # Errors
/// [`NoPolicy::WrongUse`] where there is none.
pub fn privilege(text: &str) -> Result<Privileges, NoPolicy> {
    if text.eq_ignore_ascii_case("all") {
        return Ok(Privileges::ALL);
    }
    let wanted = text.replace('_', " ");
    let is_it = |privilege: &&Privilege| privilege.as_str().replace('_', " ").eq_ignore_ascii_case(&wanted);
    Privilege::EACH.iter().find(is_it).copied().map(Privileges::of).ok_or_else(|| {
        let known: Vec<&str> = Privilege::EACH.iter().map(|privilege| privilege.as_str()).collect();
        NoPolicy::WrongUse(format!("there is no privilege `{text}`; there are ALL, {}", known.join(", ")))
    })
}

/// What a text names, as SQL does.
///
/// # Errors
/// [`NoPolicy::WrongUse`] where it names nothing.
pub fn object(policy: &Policy, text: &str) -> Result<Resource, NoPolicy> {
    named_object(policy, text).map_err(|problem| {
        let hint = problem.hint.map(|hint| format!(": {hint}")).unwrap_or_default();
        NoPolicy::WrongUse(format!("{}{hint}", problem.message))
    })
}

fn identity(user: &str, groups: &Groups) -> anyhow::Result<Identity> {
    Ok(Identity { groups: source::groups_of(groups, user)?, ..Identity::of_user(user) })
}

async fn who_can_answer(arguments: &WhoCan) -> Result<Answer, NoPolicy> {
    let privilege = privilege(&arguments.privilege)?;
    let loaded = load(&arguments.source, arguments.appearance).await?;
    let policy = &loaded.policy;
    let resource = object(policy, &arguments.object)?;
    let found = who_can_do(policy, privilege, &resource, SystemClock.now());
    let holders: Vec<Holder> = found
        .principals
        .iter()
        .map(|principal| Holder {
            principal: principal.clone(),
            entries: grants_of(policy, principal, privilege, &resource),
        })
        .collect();
    let beside = beside(policy, privilege, &resource);
    let is_yes = found.everybody || !holders.is_empty();
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document =
                WhoCanDocument::of(policy, privilege, &resource, found.everybody, &holders, &beside);
            wire::pretty(&document).map_err(anyhow::Error::from)? + "\n"
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            let holders = if is_yes {
                who_can_text(style, policy, found.everybody, &holders)
            } else {
                nobody_text(style, privilege, &resource)
            };
            holders + &beside_text(&beside, style, policy)
        }
    };
    Ok(Answer { text, is_yes })
}

fn beside(policy: &Policy, privilege: Privileges, resource: &Resource) -> Beside {
    let now = SystemClock.now();
    let mut beside = Beside::default();
    for entry in policy.entries() {
        if !entry.effective().intersects(privilege) || !entry.validity.holds_at(now) {
            continue;
        }
        let (around, inside) = reaches(policy, &entry.scope, resource);
        match entry.effect {
            Effect::Deny if around || inside => beside.denials.push(entry),
            Effect::Grant if inside && !around && matches!(resource, Resource::Table(_)) => {
                beside.columns.push(entry);
            }
            Effect::Deny | Effect::Grant => {}
        }
    }
    beside
}

fn beside_text(beside: &Beside, style: Style, policy: &Policy) -> String {
    let mut out = String::new();
    let sections =
        [("on single columns", Paint::Good, &beside.columns), ("denied", Paint::Bad, &beside.denials)];
    for (heading, paint, entries) in sections.into_iter().filter(|(.., entries)| !entries.is_empty()) {
        let _ = writeln!(out, "{}", style.paint(paint, heading));
        for entry in entries {
            let held = Held { entry: entry.clone(), path: vec![entry.principal.clone()], carrier: None };
            add(&mut out, style, 2, &chain_text(policy, &held));
        }
    }
    out
}

/// Does what stands at a scope reach a resource, and does it reach something inside it?
fn reaches(policy: &Policy, scope: &Scope, resource: &Resource) -> (bool, bool) {
    let Scope::Tag { tag, value } = scope else {
        return (scope.covers(resource), scope.is_inside(resource));
    };
    let carriers = policy
        .tag_assignments()
        .filter(|carried| carried.tag == *tag && (value.is_none() || carried.value == *value))
        .filter_map(|carried| carried.resource.scope());
    carriers.fold((false, false), |(around, inside), carrier| {
        (around || carrier.covers(resource), inside || carrier.is_inside(resource))
    })
}

/// The entries by which a principal has it by itself. Of roles those that name the role or one it is in.
fn grants_of(
    policy: &Policy,
    principal: &Principal,
    privilege: Privileges,
    resource: &Resource,
) -> Vec<Held> {
    let identity = match principal {
        Principal::User(user) => Identity::of_user(user),
        Principal::Group(group) => Identity { groups: vec![group.clone()], ..Identity::of_user("") },
        Principal::Role(_) => return role_grants(policy, principal, privilege, resource),
    };
    let (requirements, decision) = asked(policy, &identity, privilege, resource);
    let explained = explain(policy, &identity, &requirements, &decision, SystemClock.now());
    let mut held: Vec<Held> = explained.into_iter().flat_map(|reason| reason.entries).collect();
    for held in &mut held {
        held.path.retain(|step| step.name() != "");
    }
    held
}

fn role_grants(policy: &Policy, role: &Principal, privilege: Privileges, resource: &Resource) -> Vec<Held> {
    let now = SystemClock.now();
    let gives = |entry: &Entry| {
        entry.effect == Effect::Grant
            && entry.validity.holds_at(now)
            && entry.effective().intersects(privilege)
            && entry.scope.covers(resource)
    };
    let mut path = vec![role.clone()];
    loop {
        let Some(last) = path.last().cloned() else { return Vec::new() };
        let entries: Vec<Held> = policy
            .entries_of(&last)
            .filter(gives)
            .map(|entry| Held { entry, path: path.clone(), carrier: None })
            .collect();
        if !entries.is_empty() {
            return entries;
        }
        let mut next = policy.memberships_of(&last).map(|found| Principal::Role(found.role.clone()));
        match next.find(|next| !path.contains(next)) {
            Some(next) => path.push(next),
            None => return Vec::new(),
        }
    }
}

fn asked(
    policy: &Policy,
    identity: &Identity,
    privilege: Privileges,
    resource: &Resource,
) -> (Vec<guardbee_policy::requirement::Requirement>, Decision) {
    let requirements = vec![need(privilege, resource.clone())];
    let decision = decide(policy, &policy.subject(identity), &requirements, SystemClock.now());
    (requirements, decision)
}

/// Names the object in full, so that a name that was read as another one is noticed.
fn nobody_text(style: Style, privilege: Privileges, resource: &Resource) -> String {
    let object = printable(&resource.to_string());
    format!("{} has {privilege} on {object}\n", style.paint(Paint::Bad, "nobody"))
}

fn who_can_text(style: Style, policy: &Policy, everybody: bool, holders: &[Holder]) -> String {
    let mut out = String::new();
    if everybody {
        let text = "everybody, unless a denial names them";
        let _ = writeln!(out, "{}", style.paint(Paint::Warning, text));
    }
    for holder in holders {
        let _ = writeln!(out, "{}", style.paint(Paint::Name, &printable(&holder.principal.to_string())));
        for held in &holder.entries {
            add(&mut out, style, 2, &chain_text(policy, held));
        }
    }
    out
}

/// `role reader > GRANT SELECT ON TABLE hr.emp TO ROLE reader (entry 17)`; the first of the way is known.
fn chain_text(policy: &Policy, held: &Held) -> String {
    let statement = entry_statements(policy, std::slice::from_ref(&held.entry)).join("; ");
    let mut chain: Vec<String> = held.path.iter().skip(1).map(Principal::to_string).collect();
    chain.push(format!("{statement} ({})", held.entry.id));
    let carrier = held.carrier.as_ref().map(|carrier| format!(", carried by {carrier}"));
    printable(&format!("{}{}", chain.join(" > "), carrier.unwrap_or_default()))
}

fn add(out: &mut String, style: Style, indent: usize, text: &str) {
    for line in hanging(text, style.width.saturating_sub(indent), 2) {
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
}

async fn what_can_answer(arguments: &WhatCan) -> Result<Answer, NoPolicy> {
    let loaded = load(&arguments.source, arguments.appearance).await?;
    let identity = identity(&arguments.user, &arguments.groups)?;
    let holdings = what_they_can(&loaded.policy, &identity, SystemClock.now());
    let is_yes = !holdings.grants.is_empty()
        || holdings.administrator
        || holdings.super_entry.is_some()
        || !holdings.owned.is_empty();
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document = WhatCanDocument::of(&loaded.policy, &identity, &holdings);
            wire::pretty(&document).map_err(anyhow::Error::from)? + "\n"
        }
        AnswerFormat::Table => {
            let style = Style::for_output(arguments.appearance.color);
            what_can_text(style, &loaded.policy, &identity, &holdings, is_yes)
        }
    };
    Ok(Answer { text, is_yes })
}

fn what_can_text(
    style: Style,
    policy: &Policy,
    identity: &Identity,
    holdings: &Holdings,
    is_yes: bool,
) -> String {
    let mut out = String::new();
    if !is_yes {
        let _ = writeln!(out, "{}", style.paint(Paint::Bad, "nothing"));
    }
    if holdings.administrator {
        let _ = writeln!(out, "{}", style.paint(Paint::Warning, "administers the policy"));
    }
    if let Some(entry) = holdings.super_entry {
        let text = format!("passes every check, by SUPER ({entry})");
        let _ = writeln!(out, "{}", style.paint(Paint::Warning, &text));
    }
    for owned in &holdings.owned {
        let _ = writeln!(out, "owns {}", style.paint(Paint::Name, &printable(&owned.to_string())));
    }
    let mut section = |held: &[guardbee_policy::reverse::Held], paint: Paint| {
        for holding in held {
            let held = of_holding(identity, holding);
            let statement = entry_statements(policy, std::slice::from_ref(&held.entry)).join("; ");
            let statement = statement.split(" TO ").next().unwrap_or(&statement).to_owned();
            let statement = style.paint(paint, &printable(&statement));
            let mut notes = vec![held.entry.id.to_string()];
            if held.path.len() > 1 {
                let chain: Vec<String> = held.path.iter().skip(1).map(Principal::to_string).collect();
                notes.push(format!("as {}", chain.join(" > ")));
            }
            if !holding.carriers.is_empty() {
                let carriers: Vec<String> = holding.carriers.iter().map(ToString::to_string).collect();
                notes.push(format!("carried by {}", carriers.join(", ")));
            }
            if !holding.refused.is_empty() {
                notes.push(format!("a denial takes {}", holding.refused));
            }
            let notes = style.paint(Paint::Dim, &printable(&notes.join(", ")));
            add(&mut out, style, 0, &format!("{statement}  {notes}"));
        }
    };
    section(&holdings.grants, Paint::Good);
    section(&holdings.denials, Paint::Bad);
    out
}

async fn why_answer(arguments: &Why) -> Result<Answer, NoPolicy> {
    let privilege = privilege(&arguments.privilege)?;
    let loaded = load(&arguments.source, arguments.appearance).await?;
    let policy = &loaded.policy;
    let resource = object(policy, &arguments.object)?;
    let identity = identity(&arguments.user, &arguments.groups)?;
    let (requirements, decision) = asked(policy, &identity, privilege, &resource);
    let now = SystemClock.now();
    let reasons = Reasons {
        explained: explain(policy, &identity, &requirements, &decision, now),
        remedy: remedy(policy, &identity, &requirements, now),
        is_held: decision.is_allowed(),
        policy,
        identity,
        privilege,
        resource,
    };
    let text = match arguments.format {
        AnswerFormat::Json => wire::pretty(&WhyDocument::of(&reasons)).map_err(anyhow::Error::from)? + "\n",
        AnswerFormat::Table => why_text(Style::for_output(arguments.appearance.color), &reasons),
    };
    Ok(Answer { text, is_yes: reasons.is_held })
}

fn why_text(style: Style, reasons: &Reasons<'_>) -> String {
    let user = SmolStr::clone(&reasons.identity.user);
    let (verb, paint) = if reasons.is_held { ("has", Paint::Good) } else { ("has not", Paint::Bad) };
    let mut out = format!(
        "{} {} {} on {}\n",
        printable(&user),
        style.paint(paint, verb),
        reasons.privilege,
        printable(&reasons.resource.to_string())
    );
    out.push_str(&explain_tree::tree(style, reasons.policy, &user, &reasons.explained));
    match &reasons.remedy {
        Some(Remedy::Change { grants, denials }) => {
            for statement in entry_statements(reasons.policy, grants) {
                let statement = style.paint(Paint::Name, &printable(&statement));
                add(&mut out, style, 2, &format!("least grant that would give it:  {statement}"));
            }
            for held in denials.iter().filter(|_| !grants.is_empty()) {
                let text = format!("or: {} would still refuse it", denial_text(reasons.policy, held));
                add(&mut out, style, 2, &printable(&text));
            }
        }
        Some(Remedy::SwitchRolesOn) | None => {}
    }
    let ways: Vec<String> = reasons
        .explained
        .iter()
        .flat_map(|reason| &reason.entries)
        .filter(|held| held.path.len() > 1)
        .map(|held| path_text(&held.path))
        .collect();
    if reasons.is_held
        && let Some(way) = ways.first()
    {
        add(&mut out, style, 2, &printable(way));
    }
    out
}
