//! What a dataset carries, and how it came to that.

use std::collections::HashMap;

use guardbee_engine::Viewer;
use guardbee_engine::named_object;
use guardbee_engine::run_store::RunStore;
use guardbee_engine::tags::{RecordedTags, TagPathStep};
use guardbee_lineage::{DatasetName, NodeName, Run, RunKey};
use guardbee_policy::{Policy, Resource};
use guardbee_wire::tags::TagsDocument;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults;
use crate::ground::{Ground, READ_RUNS, Unanswered};
use crate::moment::{self, Moment};
use crate::names::Names;
use crate::past::policy_at;
use crate::tag_ground::TagGround;

/// So many runs are read at once.
const PAGE: usize = 500;

/// Which tags does a table, column or path carry, and why?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TagsQuestion {
    /// A table (`db.table`), a column (`db.table.column`), or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// What was so at this moment; what is so now unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Moment>,
}

impl TagsQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        Self { dataset: dataset.to_owned(), database: defaults::database(), as_of: None }
    }
}

/// The tags by object and name, each with the way by which it came.
///
/// # Errors
/// [`Unanswered`].
pub async fn tags(ground: &Ground<'_>, question: &TagsQuestion) -> Result<TagsDocument, Unanswered> {
    let policy = policy_at(ground, question.as_of).await?;
    let at = moment::as_of(question.as_of);
    let names = Names::by(&policy, ground, at, &question.database);
    let viewer = ground.viewer;
    let found = named(&names, &policy, viewer, &question.dataset);
    let NodeName { dataset, column } = found.ok_or_else(|| names.unknown(viewer, &question.dataset))?;
    let along = TagGround::over(ground.graph.clone(), ground.calls, ground.storage, &policy).await?;
    let mut tags = RecordedTags::follow(&policy, &along.graph, &along.calls, at).on(&dataset);
    // What the whole carries, each column does.
    tags.retain(|tag| column.is_none() || tag.object.column.is_none() || tag.object.column == column);
    let runs = runs_of(ground.storage, tags.iter().flat_map(|tag| &tag.path), viewer).await?;
    Ok(TagsDocument::of(&question.dataset, &tags, &runs, viewer))
}

/// What a text names to somebody, in the recorded runs or else in the policy.
pub(crate) fn named(names: &Names<'_>, policy: &Policy, viewer: &Viewer, text: &str) -> Option<NodeName> {
    let found = match names.find_seen(viewer, text) {
        Some(node) => names.name(node),
        None => named_in_policy(policy, text),
    };
    found.filter(|found| viewer.sees(&found.dataset))
}

fn named_in_policy(policy: &Policy, text: &str) -> Option<NodeName> {
    let whole = |dataset| NodeName { dataset, column: None };
    match named_object(policy, text).ok()? {
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

/// The runs behind some steps, as somebody may see them; those that are forgotten are left out.
pub(crate) async fn runs_of<'s>(
    store: &dyn RunStore,
    steps: impl Iterator<Item = &'s TagPathStep>,
    viewer: &Viewer,
) -> Result<HashMap<RunKey, Run>, Unanswered> {
    let mut keys: Vec<RunKey> = steps.map(|step| step.run.clone()).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut runs = HashMap::new();
    for page in keys.chunks(PAGE) {
        let stored = store.runs_by_key(page).await.map_err(Unanswered::store(READ_RUNS))?;
        runs.extend(stored.into_iter().map(|stored| (stored.run.key.clone(), viewer.seen(stored.run))));
    }
    Ok(runs)
}
