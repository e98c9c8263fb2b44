//! Who would miss a dataset or column.

use guardbee_engine::Viewer;
use guardbee_lineage::{AsOf, ColumnId, Dependent, Graph, TraceSubject};
use guardbee_wire::lineage::{DependentLine, ImpactDocument, RunLine};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::defaults;
use crate::excerpt::Runs;
use crate::ground::{Ground, Unanswered};
use crate::moment::{self, Moment};
use crate::names::Names;

/// What depends on a table, column or path?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ImpactQuestion {
    /// A table (`db.table`), a column (`db.table.column`), or a path.
    pub dataset: String,
    /// The database that names without one belong to.
    #[serde(default = "defaults::database")]
    pub database: String,
    /// What was so at this moment; what is so now unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_of: Option<Moment>,
}

impl ImpactQuestion {
    #[must_use]
    pub fn about(dataset: &str) -> Self {
        Self { dataset: dataset.to_owned(), database: defaults::database(), as_of: None }
    }
}

/// Everything that is derived from it, nearest first.
///
/// # Errors
/// [`Unanswered`].
pub async fn impact(ground: &Ground<'_>, question: &ImpactQuestion) -> Result<ImpactDocument, Unanswered> {
    let at = moment::as_of(question.as_of);
    let names = Names::of(ground, at, &question.database);
    let node = names.find_for(ground.viewer, &question.dataset)?;
    let impact = ground.graph.impact(&node, at);
    let wanted = impact.dependents.iter().map(|dependent| dependent.last_run).chain(impact.last_read);
    let runs = Runs::fetch(ground.storage, ground.graph, wanted).await?.seen_by(ground.viewer);
    let line = |dependent| line(ground.graph, at, dependent, &runs, ground.viewer);
    let lines = impact.dependents.iter().filter_map(line).collect();
    let last_read = impact.last_read.and_then(|run| runs.get(run)).map(RunLine::of);
    Ok(ImpactDocument::of(&question.dataset, impact.reads, last_read, lines))
}

fn line(
    graph: &Graph,
    at: AsOf,
    dependent: &Dependent,
    runs: &Runs,
    viewer: &Viewer,
) -> Option<DependentLine> {
    let name = viewer.name(&graph.name(TraceSubject::Dataset(dependent.dataset), at)?);
    let column = |id| graph.name(TraceSubject::Column(dependent.dataset, id), at)?.column;
    let named = |columns: &[ColumnId]| -> Vec<String> {
        let known = columns.iter().copied().filter(|_| name.is_some());
        known.filter_map(column).map(|column| column.to_string()).collect()
    };
    let (columns, indirect) = (named(&dependent.columns), named(&dependent.decided));
    Some(DependentLine {
        kind: if name.is_some() { dependent.kind.as_str() } else { "masked" }.into(),
        columns,
        indirect,
        name,
        steps: dependent.depth,
        direct: dependent.direct,
        last_run: runs.get(dependent.last_run).map(RunLine::of),
    })
}
