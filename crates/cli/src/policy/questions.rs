//! `guardbee who-can`, `what-can` and `why`: asking a policy the other way round.

use std::fmt::Write as _;

use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_questions::policy::{self, WhatCanQuestion, WhoCanQuestion, WhyQuestion};

use super::source::{self, LoadedPolicy, NoPolicy, Warehouse};
use crate::arguments::{AnswerFormat, Appearance, Groups, PolicySource, WhatCan, WhoCan, Why};
use crate::check::{denial_text, explain_tree, path_text};
use crate::client::{self, Client};
use crate::deep;
use crate::exit::Outcome;
use crate::output::print;
use crate::terminal::{Paint, Style, hanging, printable};
use crate::wire;
use crate::wire::check::HeldEntry;
use crate::wire::policy::{Holding, WhatCanDocument, WhoCanDocument, WhyDocument};

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

/// The service that is asked, where it is one.
fn service(source: &PolicySource, appearance: Appearance) -> Result<Option<Client>, NoPolicy> {
    let found = client::service(source.is_local(), &source.service, appearance)?;
    if found.is_some() {
        client::refuse(&[("--rule-book", source.rule_book.is_some())], "it decides by its own")?;
    }
    Ok(found)
}

async fn load(source: &PolicySource, appearance: Appearance) -> Result<LoadedPolicy, NoPolicy> {
    source::load(source, &Warehouse::unknown(), appearance).await
}

fn groups(user: &str, groups: &Groups) -> anyhow::Result<Vec<String>> {
    Ok(source::groups_of(groups, user)?.into_iter().map(String::from).collect())
}

fn json(document: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(wire::pretty(document)? + "\n")
}

async fn who_can_answer(arguments: &WhoCan) -> Result<Answer, NoPolicy> {
    guardbee_questions::privilege(&arguments.privilege)?;
    let question =
        WhoCanQuestion { privilege: arguments.privilege.clone(), object: arguments.object.clone() };
    let document = match service(&arguments.source, arguments.appearance)? {
        Some(client) => client.get("/api/v1/who-can", &question)?,
        None => {
            let loaded = load(&arguments.source, arguments.appearance).await?;
            policy::who_can(&loaded.policy, &question, SystemClock.now())?
        }
    };
    let text = match arguments.format {
        AnswerFormat::Json => json(&document)?,
        AnswerFormat::Table => who_can_text(Style::for_output(arguments.appearance.color), &document),
    };
    Ok(Answer { text, is_yes: document.is_anybody() })
}

fn who_can_text(style: Style, document: &WhoCanDocument) -> String {
    let mut out = String::new();
    if !document.is_anybody() {
        // Names the object in full, so that a name that was read as another one is noticed.
        let object = printable(&document.object);
        let nobody = style.paint(Paint::Bad, "nobody");
        let _ = writeln!(out, "{nobody} has {} on {object}", document.privilege);
    }
    if document.everybody {
        let text = "everybody, unless a denial names them";
        let _ = writeln!(out, "{}", style.paint(Paint::Warning, text));
    }
    for holder in &document.holders {
        let _ = writeln!(out, "{}", style.paint(Paint::Name, &printable(&holder.principal.to_string())));
        add_chains(&mut out, style, &holder.entries);
    }
    let sections =
        [("on single columns", Paint::Good, &document.columns), ("denied", Paint::Bad, &document.denials)];
    for (heading, paint, entries) in sections.into_iter().filter(|(.., entries)| !entries.is_empty()) {
        let _ = writeln!(out, "{}", style.paint(paint, heading));
        add_chains(&mut out, style, entries);
    }
    out
}

fn add_chains(out: &mut String, style: Style, entries: &[HeldEntry]) {
    for held in entries {
        add(out, style, 2, &chain_text(held));
    }
}

/// `role reader > GRANT SELECT ON TABLE hr.emp TO ROLE reader (entry 17)`; the first of the way is known.
fn chain_text(held: &HeldEntry) -> String {
    let mut chain: Vec<String> = held.path.iter().skip(1).map(ToString::to_string).collect();
    chain.push(format!("{} (entry {})", held.sql.as_deref().unwrap_or_default(), held.entry));
    let carrier = held.carrier.as_ref().map(|carrier| format!(", carried by {carrier}"));
    printable(&format!("{}{}", chain.join(" > "), carrier.unwrap_or_default()))
}

fn add(out: &mut String, style: Style, indent: usize, text: &str) {
    for line in hanging(text, style.width.saturating_sub(indent), 2) {
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
}

async fn what_can_answer(arguments: &WhatCan) -> Result<Answer, NoPolicy> {
    let asked = |groups| WhatCanQuestion { user: arguments.user.clone(), groups };
    let document = match service(&arguments.source, arguments.appearance)? {
        Some(client) => {
            let question = asked(groups(&arguments.user, &arguments.groups)?);
            client.get("/api/v1/what-can", &question)?
        }
        None => {
            let loaded = load(&arguments.source, arguments.appearance).await?;
            let question = asked(groups(&arguments.user, &arguments.groups)?);
            policy::what_can(&loaded.policy, &question, SystemClock.now())
        }
    };
    let text = match arguments.format {
        AnswerFormat::Json => json(&document)?,
        AnswerFormat::Table => what_can_text(Style::for_output(arguments.appearance.color), &document),
    };
    Ok(Answer { text, is_yes: document.is_anything() })
}

fn what_can_text(style: Style, document: &WhatCanDocument) -> String {
    let mut out = String::new();
    if !document.is_anything() {
        let _ = writeln!(out, "{}", style.paint(Paint::Bad, "nothing"));
    }
    if document.administrator {
        let _ = writeln!(out, "{}", style.paint(Paint::Warning, "administers the policy"));
    }
    if let Some(entry) = document.super_entry {
        let text = format!("passes every check, by SUPER (entry {entry})");
        let _ = writeln!(out, "{}", style.paint(Paint::Warning, &text));
    }
    for owned in &document.owned {
        let _ = writeln!(out, "owns {}", style.paint(Paint::Name, &printable(owned)));
    }
    for (holdings, paint) in [(&document.grants, Paint::Good), (&document.denials, Paint::Bad)] {
        for holding in holdings {
            add(&mut out, style, 0, &holding_text(style, paint, holding));
        }
    }
    out
}

fn holding_text(style: Style, paint: Paint, holding: &Holding) -> String {
    let held = &holding.held;
    let statement = held.sql.as_deref().unwrap_or_default();
    let statement = statement.split(" TO ").next().unwrap_or(statement);
    let statement = style.paint(paint, &printable(statement));
    let mut notes = vec![format!("entry {}", held.entry)];
    if held.path.len() > 1 {
        let chain: Vec<String> = held.path.iter().skip(1).map(ToString::to_string).collect();
        notes.push(format!("as {}", chain.join(" > ")));
    }
    if !holding.carriers.is_empty() {
        notes.push(format!("carried by {}", holding.carriers.join(", ")));
    }
    if let Some(refused) = &holding.refused {
        notes.push(format!("a denial takes {refused}"));
    }
    format!("{statement}  {}", style.paint(Paint::Dim, &printable(&notes.join(", "))))
}

async fn why_answer(arguments: &Why) -> Result<Answer, NoPolicy> {
    guardbee_questions::privilege(&arguments.privilege)?;
    let asked = |groups| WhyQuestion {
        user: arguments.user.clone(),
        groups,
        privilege: arguments.privilege.clone(),
        object: arguments.object.clone(),
    };
    let document = match service(&arguments.source, arguments.appearance)? {
        Some(client) => {
            let question = asked(groups(&arguments.user, &arguments.groups)?);
            client.get("/api/v1/why", &question)?
        }
        None => {
            let loaded = load(&arguments.source, arguments.appearance).await?;
            policy::object(&loaded.policy, &arguments.object)?;
            let question = asked(groups(&arguments.user, &arguments.groups)?);
            policy::why(&loaded.policy, &question, SystemClock.now())?
        }
    };
    let text = match arguments.format {
        AnswerFormat::Json => json(&document)?,
        AnswerFormat::Table => why_text(Style::for_output(arguments.appearance.color), &document),
    };
    Ok(Answer { text, is_yes: document.held })
}

fn why_text(style: Style, document: &WhyDocument) -> String {
    let user = &document.user;
    let (verb, paint) = if document.held { ("has", Paint::Good) } else { ("has not", Paint::Bad) };
    let mut out = format!(
        "{} {} {} on {}\n",
        printable(user),
        style.paint(paint, verb),
        document.privilege,
        printable(&document.object)
    );
    out.push_str(&explain_tree::tree(style, user, &document.reasons));
    if let Some(remedy) = &document.remedy {
        for statement in &remedy.grants {
            let statement = style.paint(Paint::Name, &printable(statement));
            add(&mut out, style, 2, &format!("least grant that would give it:  {statement}"));
        }
        for held in remedy.denials.iter().filter(|_| remedy.has_grants()) {
            let text = format!("or: {} would still refuse it", denial_text(held));
            add(&mut out, style, 2, &printable(&text));
        }
    }
    let mut entries = document.reasons.iter().flat_map(|reason| &reason.entries);
    if document.held
        && let Some(held) = entries.find(|held| held.path.len() > 1)
    {
        add(&mut out, style, 2, &printable(&path_text(&held.path)));
    }
    out
}
