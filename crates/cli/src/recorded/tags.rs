//! `guardbee tags`: what a dataset carries, and how it came to that.

use anyhow::Context as _;
use guardbee_engine::Viewer;
use guardbee_engine::run_store::RunStore;
use guardbee_engine::store::{At, PolicyVersion, Store};
use guardbee_engine::tags::{CarriedTag, RecordedTags, TagPathStep};
use guardbee_lineage::{AsOf, DatasetName, NodeName, Run, RunKey, TraceSubject, utc};
use guardbee_model::{Name, Timestamp};
use guardbee_policy::{Policy, Resource};
use std::collections::HashMap;

use super::dataset::Names;
use super::ground::TagGround;
use super::store::Opened;
use super::viewing::{self, MASKED};
use crate::arguments::{AnswerFormat, Tags, Viewing};
use crate::exit::Outcome;
use crate::output::print;
use crate::policy::questions;
use crate::policy::source::{self, NoPolicy};
use crate::terminal::{Paint, Style, printable};
use crate::wire;
use crate::wire::tags::TagsDocument;

/// So many versions or runs are read at once.
const PAGE: usize = 500;

pub async fn tags(arguments: &Tags) -> anyhow::Result<Outcome> {
    match asked(arguments).await {
        Ok(outcome) => Ok(outcome),
        Err(none) => none.outcome(arguments.appearance),
    }
}

async fn asked(arguments: &Tags) -> Result<Outcome, NoPolicy> {
    let opened = Opened::open(arguments.asked.store.store.as_deref()).await?;
    let policy = policy_at(&opened, arguments.asked.as_of).await?;
    let graph = opened.graph();
    let at = arguments.asked.as_of.map_or(AsOf::Now, AsOf::At);
    let names = Names {
        graph: &graph,
        at,
        database: &arguments.asked.database,
        file_system: &policy.settings().default_file_system,
    };
    let viewer = viewer(&opened, &arguments.asked.viewing).await?;
    let found = named(&names, &policy, &arguments.dataset).filter(|found| viewer.sees(&found.dataset));
    let Some(NodeName { dataset, column }) = found else {
        viewing::say_unknown(
            &viewer,
            &names,
            &arguments.dataset,
            Style::for_errors(arguments.appearance.color),
        );
        return Ok(Outcome::Findings);
    };
    let ground = TagGround::over(graph.clone(), &*opened.storage, &policy).await?;
    let mut tags = RecordedTags::follow(&policy, &ground.graph, &ground.calls, at).on(&dataset);
    // What the whole carries, each column does.
    tags.retain(|tag| column.is_none() || tag.object.column.is_none() || tag.object.column == column);
    let runs = runs_of(&*opened.storage, tags.iter().flat_map(|tag| &tag.path), &viewer).await?;
    let text = match arguments.format {
        AnswerFormat::Json => {
            let document = TagsDocument::of(&arguments.dataset, &tags, &runs, &viewer);
            wire::pretty(&document).map_err(anyhow::Error::new)? + "\n"
        }
        AnswerFormat::Table => text(Style::for_output(arguments.appearance.color), &tags, &runs, &viewer),
    };
    print(&text)?;
    Ok(if tags.is_empty() { Outcome::Findings } else { Outcome::Fine })
}

/// What a text names, in the recorded runs or else in the policy.
pub fn named(names: &Names<'_>, policy: &Policy, text: &str) -> Option<NodeName> {
    if let Some(node) = names.find(text) {
        let subject = match node.column {
            None => TraceSubject::Dataset(node.dataset),
            Some(column) => TraceSubject::Column(node.dataset, column),
        };
        return names.graph.name(subject, names.at);
    }
    let whole = |dataset| NodeName { dataset, column: None };
    match questions::object(policy, text).ok()? {
        Resource::Table(table) => {
            carries(policy, &Resource::Table(table.clone())).then(|| whole(DatasetName::Table(table)))
        }
        Resource::Column(column) => carries(policy, &Resource::Column(column.clone()))
            .then_some(NodeName { dataset: DatasetName::Table(column.table), column: Some(column.column) }),
        Resource::Uri(uri) => Some(whole(DatasetName::Path(uri.to_string().into()))),
        _ => None,
    }
}

fn carries(policy: &Policy, resource: &Resource) -> bool {
    let inside = match resource {
        Resource::Table(table) => policy.tags_inside(table).next().is_some(),
        _ => false,
    };
    inside || policy.tags_on(resource).next().is_some()
}

/// Who looks at the answer, by the policy of today.
///
/// # Errors
/// What the store says, and groups that cannot be told.
pub async fn viewer(opened: &Opened, viewing: &Viewing) -> Result<Viewer, NoPolicy> {
    let policy = source::from_store(&*opened.storage, At::Latest).await?.policy;
    Ok(viewing::viewer(&policy, viewing)?)
}

/// The policy as it was at a moment.
///
/// # Errors
/// What the store says.
pub async fn policy_at(opened: &Opened, at: Option<Timestamp>) -> Result<Policy, NoPolicy> {
    let version = match at {
        None => At::Latest,
        Some(at) => At::Version(version_at(&*opened.storage, at).await?),
    };
    Ok(source::from_store(&*opened.storage, version).await?.policy)
}

async fn version_at(store: &dyn Store, at: Timestamp) -> anyhow::Result<PolicyVersion> {
    let mut before = None;
    loop {
        let limit = u32::try_from(PAGE).unwrap_or(u32::MAX);
        let page = store.history(before, limit).await.context("cannot read the history of the policy")?;
        let Some(last) = page.last() else { return Ok(PolicyVersion(0)) };
        if let Some(found) = page.iter().find(|record| record.at <= at) {
            return Ok(found.version);
        }
        before = Some(last.version);
    }
}

/// The runs behind some steps, as somebody may see them; those that are forgotten are left out.
///
/// # Errors
/// What the store says.
pub async fn runs_of<'s>(
    store: &dyn RunStore,
    steps: impl Iterator<Item = &'s TagPathStep>,
    viewer: &Viewer,
) -> anyhow::Result<HashMap<RunKey, Run>> {
    let mut keys: Vec<RunKey> = steps.map(|step| step.run.clone()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut runs = HashMap::new();
    for page in keys.chunks(PAGE) {
        let stored = store.runs_by_key(page).await.context("cannot read the recorded runs")?;
        runs.extend(stored.into_iter().map(|stored| (stored.run.key.clone(), viewer.seen(stored.run))));
    }
    Ok(runs)
}

/// A tag as SQL writes it.
pub fn tag_text(tag: &Name, value: Option<&str>) -> String {
    match value {
        None => printable(tag),
        Some(value) => format!("{} = '{}'", printable(tag), printable(value)),
    }
}

/// The steps of a way, one line each.
pub fn way(
    style: Style,
    indent: usize,
    path: &[TagPathStep],
    runs: &HashMap<RunKey, Run>,
    viewer: &Viewer,
) -> String {
    let mut out = String::new();
    for step in path {
        let name = |name| viewer.name(name).unwrap_or_else(|| MASKED.to_owned());
        let (from, to) = (name(&step.from), name(&step.to));
        let by = match runs.get(&step.run) {
            None => step.operation.to_string(),
            Some(run) if run.context.user.is_empty() => step.operation.to_string(),
            Some(run) => {
                let script = run.context.script.as_deref().map(|script| format!(", {script}"));
                format!("{} by {}{}", step.operation, run.context.user, script.unwrap_or_default())
            }
        };
        let at: String = utc::text(step.ended_at).chars().take(16).collect::<String>().replacen('T', " ", 1);
        let note = style.paint(Paint::Dim, &printable(&format!("{at} {by}")));
        out.push_str(&format!("{:indent$}{} -> {}  {note}\n", "", printable(&from), printable(&to)));
    }
    out
}

fn text(style: Style, tags: &[CarriedTag], runs: &HashMap<RunKey, Run>, viewer: &Viewer) -> String {
    if tags.is_empty() {
        return "it carries no tag\n".to_owned();
    }
    let mut out = String::new();
    for tag in tags {
        let object = style.paint(Paint::Name, &printable(&tag.object.to_string()));
        let put_on = printable(viewer.resource(&tag.put_on).as_deref().unwrap_or(MASKED));
        let is_own = tag.path.is_empty() && put_on == printable(&tag.object.to_string());
        let origin = match (is_own, tag.path.is_empty()) {
            (true, _) => "its own".to_owned(),
            (false, true) => format!("lies in {put_on}"),
            (false, false) => format!("from {put_on}"),
        };
        out.push_str(&format!("{object}  {}  {origin}\n", tag_text(&tag.tag, tag.value.as_deref())));
        out.push_str(&way(style, 4, &tag.path, runs, viewer));
    }
    out
}
