//! How data comes from one place to another.

use guardbee_lineage::{AsOf, EdgeFilter, Filter, Node, Trace};
use guardbee_wire::lineage::{PathDocument, Shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults::{self, Edges};
use crate::excerpt::{self, Runs};
use crate::ground::{Ground, Unanswered};
use crate::moment::{self, Moment};
use crate::names::Names;

/// How does data come from one table, column or path to another?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PathQuestion {
    /// Where data comes from: a table, a column or a path.
    pub from: String,
    /// Where it goes.
    pub to: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// What was so at this moment; what is so now unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Moment>,
    /// Which edges to follow: values only, or also what filters, joins, groups and sorts.
    #[serde(default)]
    pub edges: Edges,
}

impl PathQuestion {
    #[must_use]
    pub fn between(from: &str, to: &str) -> Self {
        let (from, to) = (from.to_owned(), to.to_owned());
        Self { from, to, database: defaults::database(), as_of: None, edges: Edges::default() }
    }
}

/// The shortest way and all others; none of them where nothing leads there.
///
/// # Errors
/// [`Unanswered`].
pub async fn path(ground: &Ground<'_>, question: &PathQuestion) -> Result<PathDocument, Unanswered> {
    let at = moment::as_of(question.as_of);
    let names = Names::of(ground, at, &question.database);
    let from = names.find_for(ground.viewer, &question.from)?;
    let to = names.find_for(ground.viewer, &question.to)?;
    let Some((shortest, all)) = ways(ground, question, at, &from, &to) else {
        return Ok(PathDocument::none(&question.from, &question.to));
    };
    let wanted = excerpt::runs_of(&shortest).chain(excerpt::runs_of(&all));
    let runs = Runs::fetch(ground.storage, ground.graph, wanted).await?.seen_by(ground.viewer);
    let shown = |trace| Shown { excerpt: excerpt::excerpt(ground.graph, trace, at, &runs), trace };
    Ok(PathDocument::of(&question.from, &question.to, &shown(&shortest), &shown(&all)))
}

/// The shortest way, and everything that lies on any.
fn ways(
    ground: &Ground<'_>,
    question: &PathQuestion,
    at: AsOf,
    from: &Node,
    to: &Node,
) -> Option<(Trace, Trace)> {
    let sees = ground.viewer.visibility(ground.graph, at);
    let filter =
        Filter { edges: EdgeFilter::from(question.edges), as_of: at, visible: &sees, ..Filter::default() };
    let shortest = ground.graph.shortest_path(from, to, &filter)?;
    let summary = ground.graph.paths_summary(from, to, &filter)?;
    Some((shortest, summary.ways))
}
