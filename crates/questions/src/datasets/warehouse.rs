//! What is known of the datasets of a warehouse: from its catalog, else from what runs mention.

use std::sync::Arc;

use guardbee_analysis::Catalog;
use guardbee_analysis::catalog::{Table, TableKind};
use guardbee_lineage::{AsOf, DatasetName, Graph, NodeName};
use guardbee_model::Name;
use guardbee_policy::{Resource, Uri};

use crate::ground::{Ground, Unanswered};
use crate::names::Names;

/// Where datasets are looked up.
#[derive(Clone, Copy)]
pub struct Known<'k> {
    pub catalog: &'k Catalog,
    pub graph: &'k Graph,
}

/// What of a dataset is searched, tags aside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Searched {
    pub dataset: DatasetName,
    /// Its name with the database in front, or the path.
    pub text: String,
    pub columns: Vec<Name>,
    /// Its own, and those of its columns.
    pub comments: Vec<Arc<str>>,
    /// The one that the catalog names.
    pub owner: Option<Arc<str>>,
}

impl Searched {
    fn new(dataset: DatasetName) -> Self {
        let text = dataset.to_string();
        Self { dataset, text, columns: Vec::new(), comments: Vec::new(), owner: None }
    }

    /// Its name without what it lies in.
    pub fn own_name(&self) -> &str {
        match &self.dataset {
            DatasetName::Database(name) => name,
            DatasetName::Table(table) | DatasetName::Temporary { table, .. } => &table.table,
            DatasetName::Path(_) | DatasetName::Result(_) => {
                let path = self.text.trim_end_matches('/');
                path.rsplit('/').next().unwrap_or(path)
            }
        }
    }

    /// What it lies in.
    pub fn database(&self) -> Option<&str> {
        match &self.dataset {
            DatasetName::Table(table) => Some(&table.database),
            DatasetName::Path(_) => Some(self.text.strip_suffix(self.own_name()).unwrap_or(&self.text)),
            DatasetName::Database(_) | DatasetName::Temporary { .. } | DatasetName::Result(_) => None,
        }
    }
}

/// Can it be found at all? What belongs to a session or a client is nobody's to find.
pub const fn is_searched(dataset: &DatasetName) -> bool {
    matches!(dataset, DatasetName::Database(_) | DatasetName::Table(_) | DatasetName::Path(_))
}

/// The same for the policy.
pub fn resource_of(dataset: &DatasetName) -> Option<Resource> {
    match dataset {
        DatasetName::Database(name) => Some(Resource::Database(name.clone())),
        DatasetName::Table(table) => Some(Resource::Table(table.clone())),
        DatasetName::Path(path) => Some(Resource::Uri(Uri::from_normalised(path))),
        DatasetName::Temporary { .. } | DatasetName::Result(_) => None,
    }
}

/// What a text names to somebody, in the catalog or the recorded runs, and the column where it names one. What is no more
/// is found too, where nothing has taken its name since.
///
/// # Errors
/// [`Unanswered::NotFound`] where that is nothing, or they may not know of it.
pub fn named(
    ground: &Ground<'_>,
    text: &str,
    database: &str,
) -> Result<(DatasetName, Option<Name>), Unanswered> {
    let known = Known { catalog: ground.catalog, graph: ground.graph };
    let names = Names::of(ground, AsOf::Now, database);
    let is_meant = |(dataset, column): &(DatasetName, Option<Name>)| {
        ground.viewer.sees(dataset)
            && known
                .now(dataset)
                .is_some_and(|found| column.as_ref().is_none_or(|column| found.columns.contains(column)))
    };
    if let Some(found) = names.candidates(text).into_iter().find(is_meant) {
        return Ok(found);
    }
    let node = names.find_for(ground.viewer, text)?;
    let name = names.name(node).filter(|name| is_searched(&name.dataset));
    let NodeName { dataset, column } = name.ok_or_else(|| names.unknown(ground.viewer, text))?;
    Ok((dataset, column))
}

impl<'k> Known<'k> {
    /// Everything that was ever there under a name, for an index: what is there now, the graph says at any time.
    pub fn ever(self, dataset: &DatasetName) -> Option<Searched> {
        let is_mentioned = || !self.graph.find_all(dataset).is_empty();
        self.searched(dataset, |name| self.graph.mentioned_columns(name))
            .or_else(|| (is_searched(dataset) && is_mentioned()).then(|| self.mentioned(dataset)))
    }

    /// What there is under a name now; nothing where that is nothing.
    pub fn now(self, dataset: &DatasetName) -> Option<Searched> {
        self.searched(dataset, |name| {
            let id = self.graph.find(name, AsOf::Now);
            let is_there =
                |column: &Name| id.is_some_and(|id| self.graph.find_column(id, column, AsOf::Now).is_some());
            self.graph.mentioned_columns(name).into_iter().filter(is_there).collect()
        })
    }

    pub fn table(self, dataset: &DatasetName) -> Option<&'k Arc<Table>> {
        match dataset {
            DatasetName::Table(table) => self.catalog.table(&table.database, &table.table),
            _ => None,
        }
    }

    /// The word for what a dataset is.
    pub fn kind(self, dataset: &DatasetName) -> &'static str {
        match (dataset, self.table(dataset).map(|table| &table.kind)) {
            (DatasetName::Database(_), _) => "database",
            (DatasetName::Path(_), _) => "path",
            (_, Some(TableKind::View(_))) => "view",
            (_, Some(TableKind::MaterializedView(_))) => "materialized_view",
            (_, Some(_)) => "table",
            (_, None) if self.graph.was_view(dataset) => "view",
            (_, None) => "table",
        }
    }

    /// The comment on a dataset as a whole.
    pub fn comment(self, dataset: &DatasetName) -> Option<&'k Arc<str>> {
        match dataset {
            DatasetName::Database(name) => self.catalog.database(name)?.comment.as_ref(),
            _ => self.table(dataset)?.comment.as_ref(),
        }
    }

    /// Whom the catalog names as its owner.
    pub fn owner(self, dataset: &DatasetName) -> Option<&'k Arc<str>> {
        match dataset {
            DatasetName::Database(name) => self.catalog.database(name)?.owner.as_ref(),
            _ => self.table(dataset)?.owner.as_ref(),
        }
    }

    pub fn location(self, dataset: &DatasetName) -> Option<&'k Arc<str>> {
        match dataset {
            DatasetName::Database(name) => self.catalog.database(name)?.location.as_ref(),
            _ => self.table(dataset)?.location.as_ref(),
        }
    }

    pub fn is_in_catalog(self, dataset: &DatasetName) -> bool {
        match dataset {
            DatasetName::Database(name) => self.catalog.database(name).is_some(),
            _ => self.table(dataset).is_some(),
        }
    }

    /// Is it there, as far as anybody knows?
    pub fn is_there(self, dataset: &DatasetName) -> bool {
        self.is_in_catalog(dataset) || self.graph.find(dataset, AsOf::Now).is_some()
    }

    fn searched(
        self,
        dataset: &DatasetName,
        columns: impl Fn(&DatasetName) -> Vec<Name>,
    ) -> Option<Searched> {
        if !is_searched(dataset) || !self.is_there(dataset) {
            return None;
        }
        let mut searched = Searched::new(dataset.clone());
        searched.owner = self.owner(dataset).cloned();
        searched.comments.extend(self.comment(dataset).cloned());
        if let Some(table) = self.table(dataset) {
            searched.columns = table.all_columns().map(|column| column.name.clone()).collect();
            searched.comments.extend(table.all_columns().filter_map(|column| column.comment.clone()));
        } else {
            searched.columns = columns(dataset);
        }
        Some(searched)
    }

    fn mentioned(self, dataset: &DatasetName) -> Searched {
        Searched { columns: self.graph.mentioned_columns(dataset), ..Searched::new(dataset.clone()) }
    }

    /// The names of all that is in the catalog.
    pub fn catalogued(self) -> impl Iterator<Item = DatasetName> + use<'k> {
        self.catalog.databases().flat_map(move |database| {
            let tables = self.catalog.tables(&database.name);
            let tables = tables.map(|table| DatasetName::Table(table.name.clone()));
            std::iter::once(DatasetName::Database(database.name.clone())).chain(tables)
        })
    }
}
