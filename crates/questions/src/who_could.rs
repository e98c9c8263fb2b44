//! Who had a privilege on a dataset at a moment, and on all that was made of it.

use guardbee_lineage::{AsOf, DatasetName, Node, NodeName, TagNumber, TagRules, TagSource};
use guardbee_model::ColumnName;
use guardbee_policy::reverse::who_can;
use guardbee_policy::{Policy, Privileges, Resource, Timestamp, Uri};
use guardbee_wire::tags::{Holders, WhoCouldDocument};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults;
use crate::ground::{Ground, Unanswered};
use crate::moment::{self, Moment};
use crate::names::Names;
use crate::past::policy_at;
use crate::privilege::privilege;
use crate::tag_ground::TagGround;
use crate::tags::named;

/// Who could do something with a table or column, and with all that was made of it?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WhoCouldQuestion {
    /// A privilege, such as SELECT.
    pub privilege: String,
    /// A table (`db.table`) or a column (`db.table.column`); all that was made of it is asked about as well.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// What was so at this moment; what is so now unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Moment>,
}

impl WhoCouldQuestion {
    #[must_use]
    pub fn about(privilege: &str, dataset: &str) -> Self {
        let (privilege, dataset) = (privilege.to_owned(), dataset.to_owned());
        Self { privilege, dataset, database: defaults::database(), as_of: None }
    }
}

/// Who could, of what was asked about and of what was made of it, by steps.
///
/// # Errors
/// [`Unanswered`].
pub async fn who_could(
    ground: &Ground<'_>,
    question: &WhoCouldQuestion,
) -> Result<WhoCouldDocument, Unanswered> {
    let privilege = privilege(&question.privilege)?;
    let at = moment::as_of(question.as_of);
    let now = question.as_of.map_or(ground.now, |Moment(moment)| moment);
    let mut policy = policy_at(ground, question.as_of).await?;
    if question.as_of.is_some() {
        let along = TagGround::over(ground.graph.clone(), ground.calls, ground.storage, &policy).await?;
        along.inherit(policy.to_mut(), at);
    }
    let names = Names::by(&policy, ground, at, &question.database);
    let viewer = ground.viewer;
    let things = match names.find_seen(viewer, &question.dataset) {
        Some(node) => descendants(&names, node, at),
        None => match named(&names, &policy, viewer, &question.dataset) {
            Some(name) => vec![(name, 0)],
            None => return Err(names.unknown(viewer, &question.dataset)),
        },
    };
    let holders: Vec<Holders> = things
        .into_iter()
        .filter_map(|(name, steps)| of_thing(&policy, privilege, name, steps, now))
        .collect();
    Ok(WhoCouldDocument::of(privilege, &question.dataset, now, &holders, viewer))
}

/// What values of something have come to, that itself first, by steps and name. What a function hides is not among it.
fn descendants(names: &Names<'_>, node: Node, at: AsOf) -> Vec<(NodeName, u32)> {
    let source = TagSource { node, tag: TagNumber(0) };
    let flow = names.graph.tag_flow(&[source], TagRules { as_of: at, ..TagRules::default() });
    let steps =
        |node| flow.path(node, source.tag).map_or(0, |path| u32::try_from(path.len()).unwrap_or(u32::MAX));
    let derived = flow.derived().filter_map(|derived| Some((names.name(derived.node)?, steps(derived.node))));
    let mut found: Vec<(NodeName, u32)> = derived.collect();
    found.sort_by(|one, other| (one.1, &one.0).cmp(&(other.1, &other.0)));
    found.splice(0..0, names.name(node).map(|name| (name, 0)));
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
            Resource::Column(ColumnName::new(table.clone(), column.clone()))
        }
        (DatasetName::Path(path), _) => Resource::Uri(Uri::from_normalised(path)),
        _ => return None,
    };
    let found = who_can(policy, privilege, &resource, now);
    Some(Holders { name, steps, everybody: found.everybody, principals: found.principals })
}
