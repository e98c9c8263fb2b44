//! What a text in a question names: a dataset, or a column of one.

use guardbee_engine::{Problem, Viewer};
use guardbee_lineage::{
    AsOf, ColumnId, DatasetId, DatasetName, Graph, Node, NodeName, TraceSubject, Visibility,
};
use guardbee_model::{Name, TableName, nearest};
use guardbee_policy::{Policy, Uri};
use smol_str::SmolStr;

use crate::ground::{Ground, Unanswered};

/// How many names are suggested for one that nobody knows.
const MOST_SUGGESTIONS: usize = 5;
const UNKNOWN_DATASET: &str = "unknown-dataset";
/// What stands in the place of a name in text.
pub const MASKED: &str = "(masked)";

/// Where names are looked up.
#[derive(Clone, Copy)]
pub struct Names<'n> {
    pub graph: &'n Graph,
    pub at: AsOf,
    /// The database that names without one belong to.
    pub database: &'n str,
    /// What paths without a scheme or authority belong to.
    pub file_system: &'n SmolStr,
}

impl<'n> Names<'n> {
    /// Those of the recorded runs.
    #[must_use]
    pub fn of(ground: &Ground<'n>, at: AsOf, database: &'n str) -> Self {
        Self::by(ground.policy, ground, at, database)
    }

    /// The same with the settings of another policy.
    #[must_use]
    pub fn by(policy: &'n Policy, ground: &Ground<'n>, at: AsOf, database: &'n str) -> Self {
        Self { graph: ground.graph, at, database, file_system: &policy.settings().default_file_system }
    }

    /// The node that a text names: `[db.]table`, `[db.]table.column`, a path, `path#column`. What is no more is found
    /// too, where nothing has taken its name since.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Node> {
        self.find_among(text, &|_| true)
    }

    /// The same among what somebody may know of: nothing else has a name for them.
    #[must_use]
    pub fn find_seen(&self, viewer: &Viewer, text: &str) -> Option<Node> {
        let visibility = viewer.visibility(self.graph, self.at);
        self.find_among(text, &|dataset| {
            viewer.sees_everything() || visibility(dataset) == Visibility::Visible
        })
    }

    fn find_among(&self, text: &str, is_meant: &dyn Fn(DatasetId) -> bool) -> Option<Node> {
        let candidates = self.candidates(text);
        let found = |dataset: DatasetId, column: &Option<Name>| match column {
            _ if !is_meant(dataset) => None,
            None => Some(Node::dataset(dataset)),
            Some(column) => self.column(dataset, column).map(|column| Node::column(dataset, column)),
        };
        let open = candidates.iter().find_map(|(name, column)| {
            self.graph.find(name, self.at).and_then(|dataset| found(dataset, column))
        });
        open.or_else(|| self.temporary(text).filter(|node| is_meant(node.dataset))).or_else(|| {
            candidates.iter().find_map(|(name, column)| {
                self.graph.find_all(name).into_iter().rev().find_map(|dataset| found(dataset, column))
            })
        })
    }

    fn column(&self, dataset: DatasetId, column: &Name) -> Option<ColumnId> {
        let open = self.graph.find_column(dataset, column, self.at);
        open.or_else(|| {
            let state = self.graph.dataset(dataset, self.at);
            state.columns.iter().rev().find(|known| known.name == *column).map(|known| known.id)
        })
    }

    /// A temporary table of any session; the first where several have one of that name.
    fn temporary(&self, text: &str) -> Option<Node> {
        let tables = table_candidates(text, self.database);
        self.graph.datasets(self.at).find_map(|dataset| {
            let name = self.graph.name(TraceSubject::Dataset(dataset), self.at)?;
            let DatasetName::Temporary { table, .. } = &name.dataset else { return None };
            let (_, column) = tables.iter().find(|(candidate, _)| candidate == table)?;
            match column {
                None => Some(Node::dataset(dataset)),
                Some(column) => Some(Node::column(dataset, self.column(dataset, column)?)),
            }
        })
    }

    /// What a text may stand for, the likeliest first.
    pub fn candidates(&self, text: &str) -> Vec<(DatasetName, Option<Name>)> {
        let tables = table_candidates(text, self.database).into_iter();
        let mut candidates: Vec<(DatasetName, Option<Name>)> =
            tables.map(|(table, column)| (DatasetName::Table(table), column)).collect();
        let is_name = !text.contains('/');
        if is_name && !text.contains('.') {
            candidates.push((DatasetName::Database(Name::fold(text)), None));
        }
        for (path, column) in std::iter::once((text, None))
            .chain(text.rsplit_once('#').map(|(path, column)| (path, Some(column))))
        {
            let column = column.map(Name::fold);
            if let Ok(place) = Uri::requested(path, self.file_system) {
                candidates.push((DatasetName::Path(place.to_string().into()), column.clone()));
            }
            candidates.push((DatasetName::Path(path.into()), column));
        }
        candidates
    }

    /// What a text names to somebody. What they may not know of looks as if it were not there.
    ///
    /// # Errors
    /// [`Unanswered::NotFound`] where that is nothing.
    pub fn find_for(&self, viewer: &Viewer, text: &str) -> Result<Node, Unanswered> {
        self.find_seen(viewer, text).ok_or_else(|| self.unknown(viewer, text))
    }

    /// That nobody knows the name, and what may have been meant. Names that are suggested may be ones that the viewer may
    /// not know: who does not see everything gets none.
    #[must_use]
    pub fn unknown(&self, viewer: &Viewer, text: &str) -> Unanswered {
        let message = format!("no table, view, column or path `{text}` in the recorded runs");
        let problem = Problem::new(UNKNOWN_DATASET, message);
        let suggestions = if viewer.sees_everything() { self.suggestions(text) } else { Vec::new() };
        let names: Vec<String> = suggestions.iter().map(|name| format!("`{name}`")).collect();
        Unanswered::NotFound(match names.is_empty() {
            true => problem,
            false => problem.with_hint(format!("did you mean {}?", names.join(" or "))),
        })
    }

    /// What a node is called.
    #[must_use]
    pub fn name(&self, node: Node) -> Option<NodeName> {
        self.graph.name(subject(node), self.at)
    }

    fn suggestions(&self, text: &str) -> Vec<String> {
        let name = |dataset| self.graph.name(TraceSubject::Dataset(dataset), self.at);
        let datasets = self.graph.datasets(self.at).filter_map(name);
        let mut names: Vec<String> = datasets
            .filter(|name| matches!(name.dataset, DatasetName::Table(_) | DatasetName::Path(_)))
            .map(|name| name.to_string())
            .collect();
        names.sort_unstable();
        names.dedup();
        let ending = format!(".{}", text.to_lowercase());
        let same_end: Vec<String> =
            names.iter().filter(|name| name.ends_with(&ending)).take(MOST_SUGGESTIONS).cloned().collect();
        if !same_end.is_empty() {
            return same_end;
        }
        nearest(text, names.iter().map(String::as_str)).map(str::to_owned).into_iter().collect()
    }
}

const fn subject(node: Node) -> TraceSubject {
    match node.column {
        None => TraceSubject::Dataset(node.dataset),
        Some(column) => TraceSubject::Column(node.dataset, column),
    }
}

/// What a dotted name may stand for, the likeliest first.
#[must_use]
pub fn table_candidates(text: &str, database: &str) -> Vec<(TableName, Option<Name>)> {
    let parts: Vec<Name> = text.splitn(3, '.').map(|part| Name::fold(part.trim_matches('`'))).collect();
    let table = |database: &str, table: &Name| TableName::new(Name::fold(database), table.clone());
    match parts.as_slice() {
        [name] => vec![(table(database, name), None)],
        [first, second] => {
            vec![(table(first, second), None), (table(database, first), Some(second.clone()))]
        }
        [first, second, third] => vec![(table(first, second), Some(third.clone()))],
        _ => Vec::new(),
    }
}
