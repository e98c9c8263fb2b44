//! `guardbee who-could`: who had a privilege on a dataset at a moment, and on all that was made of it.

use guardbee_engine::Viewer;
use guardbee_engine::clock::{Clock, SystemClock};
use guardbee_lineage::{
    AsOf, DatasetName, Graph, Node, NodeName, TagNumber, TagRules, TagSource, TraceSubject,
};
use guardbee_policy::reverse::who_can;
use guardbee_policy::{Policy, Privileges, Resource, Timestamp};

use super::dataset::Names;
use super::ground::TagGround;
use super::store::Opened;
use super::tags::{named, policy_at, viewer};
use super::viewing::{self, MASKED};
use crate::arguments::{AnswerFormat, WhoCould};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::questions;
use crate::policy::source::NoPolicy;
use crate::render::grid::grid;
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::tags::{Holders, WhoCouldDocument};

pub async fn who_could(arguments: &WhoCould) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &WhoCould) -> Result<Outcome, NoPolicy> {
    let privilege = questions::privilege(&arguments.privilege)?;
    let opened = Opened::open(arguments.asked.store.store.as_deref()).await?;
    let mut policy = policy_at(&opened, arguments.asked.as_of).await?;
    let graph = opened.graph();
    let at = arguments.asked.as_of.map_or(AsOf::Now, AsOf::At);
    let now = arguments.asked.as_of.unwrap_or_else(|| SystemClock.now());
    let ground = TagGround::over(graph.clone(), &*opened.storage, &policy).await?;
    ground.inherit(&mut policy, at);
    let file_system = policy.settings().default_file_system.clone();
    let names = Names { graph: &graph, at, database: &arguments.asked.database, file_system: &file_system };
    let viewer = viewer(&opened, &arguments.asked.viewing).await?;
    let is_seen = |name: &NodeName| viewer.sees(&name.dataset);
    let things = match (names.find(&arguments.dataset), named(&names, &policy, &arguments.dataset)) {
        (Some(node), Some(name)) if is_seen(&name) => descendants(&graph, node, at),
        (None, Some(name)) if is_seen(&name) => vec![(name, 0)],
        (_, _) => {
            viewing::say_unknown(
                &viewer,
                &names,
                &arguments.dataset,
                Style::for_errors(arguments.appearance.color),
            );
            return Ok(Outcome::Findings);
        }
    };
    let holders: Vec<Holders> = things
        .into_iter()
        .filter_map(|(name, steps)| of_thing(&policy, privilege, name, steps, now))
        .collect();
    let has_any = holders.iter().any(|one| one.everybody || !one.principals.is_empty());
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document = WhoCouldDocument::of(privilege, &arguments.dataset, now, &holders, &viewer);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => text(Style::for_output(arguments.appearance.color), &holders, &viewer),
    };
    print(&text)?;
    Ok(if has_any { Outcome::Fine } else { Outcome::Findings })
}

/// What values of something have come to, that itself first, by steps and name. What a function hides is not among it.
fn descendants(graph: &Graph, node: Node, at: AsOf) -> Vec<(NodeName, u32)> {
    let named = |node: Node| {
        let subject = match node.column {
            None => TraceSubject::Dataset(node.dataset),
            Some(column) => TraceSubject::Column(node.dataset, column),
        };
        graph.name(subject, at)
    };
    let source = TagSource { node, tag: TagNumber(0) };
    let flow = graph.tag_flow(&[source], TagRules { as_of: at, ..TagRules::default() });
    let steps =
        |node| flow.path(node, source.tag).map_or(0, |path| u32::try_from(path.len()).unwrap_or(u32::MAX));
    let derived = flow.derived().filter_map(|derived| Some((named(derived.node)?, steps(derived.node))));
    let mut found: Vec<(NodeName, u32)> = derived.collect();
    found.sort_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
    found.splice(0..0, named(node).map(|name| (name, 0)));
    found
}

/// Only tables, columns and paths have rights of their own.
fn of_thing(
    policy: &Policy,
    privilege: Privileges,
    name: NodeName,
    steps: u32,
    now: Timestamp,
) -> Option<Holders> {
    let resource = match (&name.dataset, &name.column) {
        (DatasetName::Table(table), None) => Resource::Table(table.clone()),
        (DatasetName::Table(table), Some(column)) => {
            Resource::Column(guardbee_model::ColumnName::new(table.clone(), column.clone()))
        }
        (DatasetName::Path(path), _) => Resource::Uri(guardbee_policy::Uri::from_normalised(path)),
        _ => return None,
    };
    let found = who_can(policy, privilege, &resource, now);
    Some(Holders { name, steps, everybody: found.everybody, principals: found.principals })
}

fn text(style: Style, holders: &[Holders], viewer: &Viewer) -> String {
    let row = |one: &Holders| {
        let who: Vec<String> = one.principals.iter().map(|one| printable(&one.to_string())).collect();
        let name = viewer.name(&one.name);
        let who = match (&name, one.everybody, who.is_empty()) {
            (None, _, _) => MASKED.to_owned(),
            (_, true, _) => "everybody".to_owned(),
            (_, false, true) => "nobody".to_owned(),
            (_, false, false) => who.join(", "),
        };
        let name = printable(name.as_deref().unwrap_or(MASKED));
        vec![style.paint(Paint::Name, &name), one.steps.to_string(), who]
    };
    let rows: Vec<Vec<String>> = holders.iter().map(row).collect();
    grid(style, &["what", "steps", "who could"], &rows)
}
