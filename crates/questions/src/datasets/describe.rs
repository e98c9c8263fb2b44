//! What is known of a dataset?

use guardbee_analysis::catalog::Column;
use guardbee_lineage::{AsOf, DatasetId, DatasetName, RunIndex, utc};
use guardbee_model::{ColumnName, Name};
use guardbee_policy::{Policy, Resource, TagAssignment};
use guardbee_wire::datasets::{Counts, DescribeDocument, Described, DescribedColumn, TagOn, Touch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::warehouse::{Known, named, resource_of};
use crate::defaults;
use crate::excerpt::Runs;
use crate::ground::{Ground, Unanswered};

/// What is known of a dataset?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DescribeQuestion {
    /// A table or view (`db.table`), a column (`db.table.column`), a database, or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
}

impl DescribeQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        Self { dataset: dataset.to_owned(), database: defaults::database() }
    }
}

/// Its columns, owner, place and tags, and who touched it last.
///
/// # Errors
/// [`Unanswered`].
pub async fn describe(
    ground: &Ground<'_>,
    question: &DescribeQuestion,
) -> Result<DescribeDocument, Unanswered> {
    let (dataset, column) = named(ground, &question.dataset, &question.database)?;
    let known = Known { catalog: ground.catalog, graph: ground.graph };
    let mut columns = columns(ground, known, &dataset);
    if let Some(column) = column {
        columns.retain(|known| known.name == column.as_str());
    }
    let touched = Touched::of(ground, &dataset);
    let runs = Runs::fetch(ground.storage, ground.graph, touched.last().into_iter()).await?;
    let runs = runs.seen_by(ground.viewer);
    let touch = |run: RunIndex| Touch {
        run: ground.graph.run_key(run).0.to_string(),
        at: utc::text(ground.graph.run_ended_at(run)),
        operation: ground.graph.run_operation(run).to_string(),
        user: runs.get(run).map(|run| run.context.user.to_string()).filter(|user| !user.is_empty()),
    };
    let resource = resource_of(&dataset);
    let described = Described {
        name: dataset.to_string(),
        kind: known.kind(&dataset).into(),
        closed: !known.is_there(&dataset),
        in_catalog: known.is_in_catalog(&dataset),
        comment: known.comment(&dataset).map(ToString::to_string),
        owner: owner(ground.policy, known, &dataset),
        location: known.location(&dataset).map(ToString::to_string),
        counts: Counts {
            columns: columns.len(),
            versions: touched.versions,
            writes: touched.writes.len(),
            reads: touched.reads.len(),
        },
        columns,
        tags: resource.map(|resource| tags(ground.policy, &resource)).unwrap_or_default(),
        last_write: touched.writes.last().copied().map(touch),
        last_read: touched.reads.last().copied().map(touch),
    };
    Ok(DescribeDocument::of(&question.dataset, described))
}

/// Whom the policy names, else whom the catalog does.
fn owner(policy: &Policy, known: Known<'_>, dataset: &DatasetName) -> Option<String> {
    let resource = resource_of(dataset)?;
    let named = policy.owner(&resource).map(|owner| owner.name().to_owned());
    named.or_else(|| known.owner(dataset).map(ToString::to_string))
}

fn columns(ground: &Ground<'_>, known: Known<'_>, dataset: &DatasetName) -> Vec<DescribedColumn> {
    let tags_of = |name: &Name| match dataset {
        DatasetName::Table(table) => {
            let column = ColumnName::new(table.clone(), name.clone());
            own_tags(ground.policy, &Resource::Column(column))
        }
        _ => Vec::new(),
    };
    let Some(table) = known.table(dataset) else {
        let state = ground.graph.find(dataset, AsOf::Now).map(|id| ground.graph.dataset(id, AsOf::Now));
        let open = state.into_iter().flat_map(|state| state.columns).filter(|column| !column.closed);
        return open
            .map(|column| DescribedColumn {
                name: column.name.to_string(),
                data_type: None,
                comment: None,
                partition: false,
                tags: tags_of(&column.name),
            })
            .collect();
    };
    let described = |column: &Column, partition: bool| DescribedColumn {
        name: column.name.to_string(),
        data_type: Some(column.data_type.to_string()),
        comment: column.comment.as_ref().map(ToString::to_string),
        partition,
        tags: tags_of(&column.name),
    };
    let data = table.columns.iter().map(|column| described(column, false));
    data.chain(table.partition_columns.iter().map(|column| described(column, true))).collect()
}

/// What somebody put on it and what came to it with data.
fn own_tags(policy: &Policy, resource: &Resource) -> Vec<TagOn> {
    let own = policy.tags_on(resource).map(|carried| tag(carried, "own"));
    let mut tags: Vec<TagOn> =
        own.chain(policy.inherited_tags_on(resource).map(|carried| tag(carried, "data"))).collect();
    tags.sort_by(|one, other| (&one.tag, &one.value).cmp(&(&other.tag, &other.value)));
    tags
}

/// The same with what is on what it lies in.
fn tags(policy: &Policy, resource: &Resource) -> Vec<TagOn> {
    let database = resource.database().map(|name| Resource::Database(name.clone()));
    let around = database.filter(|around| around != resource).into_iter().chain([Resource::Server]);
    let mut tags = own_tags(policy, resource);
    for around in around {
        tags.extend(policy.tags_on(&around).map(|carried| tag(carried, "around")));
    }
    tags
}

fn tag(carried: &TagAssignment, by: &'static str) -> TagOn {
    TagOn {
        tag: carried.tag.to_string(),
        value: carried.value.as_ref().map(ToString::to_string),
        by: by.into(),
    }
}

/// The runs that touched a dataset, in order.
#[derive(Default)]
struct Touched {
    writes: Vec<RunIndex>,
    reads: Vec<RunIndex>,
    versions: u32,
}

impl Touched {
    fn of(ground: &Ground<'_>, dataset: &DatasetName) -> Self {
        let graph = ground.graph;
        let last = || graph.find_all(dataset).last().copied();
        let id: Option<DatasetId> = graph.find(dataset, AsOf::Now).or_else(last);
        let Some(id) = id else { return Self::default() };
        let history = graph.history(id, AsOf::Now);
        let versions = history.last().map_or(0, |version| version.number);
        let mut writes: Vec<RunIndex> = history.into_iter().map(|version| version.run).collect();
        writes.dedup();
        Self { writes, reads: graph.readers(id), versions }
    }

    fn last(&self) -> Vec<RunIndex> {
        self.writes.last().into_iter().chain(self.reads.last()).copied().collect()
    }
}
