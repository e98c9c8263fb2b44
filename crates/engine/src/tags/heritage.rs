//! What carries tags because of the data in it, by the names of this moment.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::Arc;

use guardbee_lineage::DatasetName;
use guardbee_model::{ColumnName, Name};
use guardbee_policy::{Policy, Resource, TagAssignment, Uri};
use smol_str::SmolStr;

/// A tag with its value.
pub(crate) type TagValue = (Name, Option<SmolStr>);

/// Tags by what carries them. Temporary tables are among that, though no policy knows them: what is made of them
/// inherits from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heritage {
    datasets: HashMap<DatasetName, Arc<Carried>>,
    /// The paths among them.
    paths: BTreeSet<Arc<str>>,
}

/// What one dataset carries: as a whole, and its columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Carried {
    whole: BTreeSet<TagValue>,
    columns: BTreeSet<(Name, TagValue)>,
}

/// A tag on a dataset or a column of it.
type Inherited<'h> = (Option<&'h Name>, &'h TagValue);

impl Carried {
    fn add(&mut self, column: Option<Name>, tag: TagValue) {
        match column {
            None => self.whole.insert(tag),
            Some(column) => self.columns.insert((column, tag)),
        };
    }

    fn contains(&self, column: Option<&Name>, tag: &TagValue) -> bool {
        match column {
            None => self.whole.contains(tag),
            Some(column) => self.columns.contains(&(column.clone(), tag.clone())),
        }
    }

    fn iter(&self) -> impl Iterator<Item = Inherited<'_>> {
        let whole = self.whole.iter().map(|tag| (None, tag));
        whole.chain(self.columns.iter().map(|(column, tag)| (Some(column), tag)))
    }

    /// Those that another does not have.
    fn without<'c>(&'c self, other: &'c Self) -> impl Iterator<Item = Inherited<'c>> {
        let whole = self.whole.difference(&other.whole).map(|tag| (None, tag));
        whole.chain(self.columns.difference(&other.columns).map(|(column, tag)| (Some(column), tag)))
    }
}

impl Heritage {
    fn of(&mut self, dataset: DatasetName) -> &mut Arc<Carried> {
        if let DatasetName::Path(path) = &dataset
            && !self.paths.contains(path)
        {
            self.paths.insert(path.clone());
        }
        self.datasets.entry(dataset).or_default()
    }

    /// The paths among what carries tags that are read with a path: itself, those above it and those beneath it.
    pub fn paths_around<'h>(&'h self, path: &str) -> impl Iterator<Item = DatasetName> + use<'h> {
        let above: Vec<Arc<str>> =
            and_above(path).filter_map(|above| self.paths.get(above)).cloned().collect();
        let within = format!("{path}/");
        let beneath = self.paths.range::<str, _>((Bound::Excluded(within.as_str()), Bound::Unbounded));
        let beneath: Vec<Arc<str>> =
            beneath.take_while(|inner| inner.starts_with(&within)).cloned().collect();
        above.into_iter().chain(beneath).map(DatasetName::Path)
    }

    pub fn add(&mut self, dataset: &DatasetName, column: Option<&Name>, tag: &TagValue) {
        if !self.contains(dataset, column, tag) {
            let carried = self.of(dataset.clone());
            Arc::make_mut(carried).add(column.cloned(), tag.clone());
        }
    }

    /// Adds what a dataset and its columns carry.
    pub fn add_all(&mut self, dataset: DatasetName, tags: impl Iterator<Item = (Option<Name>, TagValue)>) {
        let carried = Arc::make_mut(self.of(dataset));
        tags.for_each(|(column, tag)| carried.add(column, tag));
    }

    pub fn contains(&self, dataset: &DatasetName, column: Option<&Name>, tag: &TagValue) -> bool {
        self.datasets.get(dataset).is_some_and(|carried| carried.contains(column, tag))
    }

    /// The tags on a dataset as a whole.
    pub fn on<'h>(&'h self, dataset: &DatasetName) -> impl Iterator<Item = &'h TagValue> + use<'h> {
        self.datasets.get(dataset).into_iter().flat_map(|carried| &carried.whole)
    }

    /// The tags on a column itself.
    pub fn on_column<'h>(
        &'h self,
        dataset: &DatasetName,
        column: &Name,
    ) -> impl Iterator<Item = &'h TagValue> + use<'h> {
        let first = (column.clone(), TagValue::default());
        let carried = self.datasets.get(dataset).into_iter();
        let from = carried.flat_map(move |carried| carried.columns.range(first.clone()..));
        let column = column.clone();
        from.take_while(move |(of, _)| *of == column).map(|(_, tag)| tag)
    }

    /// The tags on the columns of a dataset.
    pub fn columns<'h>(
        &'h self,
        dataset: &DatasetName,
    ) -> impl Iterator<Item = (&'h Name, &'h TagValue)> + use<'h> {
        let columns = self.datasets.get(dataset).into_iter().flat_map(|carried| &carried.columns);
        columns.map(|(column, tag)| (column, tag))
    }

    pub fn extend(&mut self, other: &Self) {
        for (dataset, carried) in &other.datasets {
            match self.datasets.get_mut(dataset) {
                Some(known) => {
                    let new = carried.without(known).map(|(column, tag)| (column.cloned(), tag.clone()));
                    let new: Vec<(Option<Name>, TagValue)> = new.collect();
                    if !new.is_empty() {
                        let known = Arc::make_mut(known);
                        new.into_iter().for_each(|(column, tag)| known.add(column, tag));
                    }
                }
                None => *self.of(dataset.clone()) = Arc::clone(carried),
            }
        }
    }

    /// Has a policy carry it beside what it carries.
    pub fn inherit(&self, policy: &mut Policy) {
        for (dataset, carried) in &self.datasets {
            policy.inherit_tags(assignments(dataset, carried.iter()));
        }
    }

    /// Has a policy that carries this carry `other` instead.
    pub fn exchange(&self, policy: &mut Policy, other: &Self) {
        let nothing = Carried::default();
        for (dataset, carried) in &self.datasets {
            let stays = other.datasets.get(dataset).map_or(&nothing, |stays| &**stays);
            policy.disinherit_tags(assignments(dataset, carried.without(stays)));
        }
        for (dataset, carried) in &other.datasets {
            let known = match dataset {
                // What is on a column of a path is on the path, and may have gone with another column.
                DatasetName::Path(_) => &nothing,
                _ => self.datasets.get(dataset).map_or(&nothing, |known| &**known),
            };
            policy.inherit_tags(assignments(dataset, carried.without(known)));
        }
    }
}

/// A path and those above it, up to its file system.
fn and_above(path: &str) -> impl Iterator<Item = &str> {
    let root = path.find("://").map_or(0, |scheme| scheme + "://".len());
    std::iter::successors(Some(path), move |here| {
        here.rfind('/').filter(|slash| *slash >= root).and_then(|slash| path.get(..slash))
    })
}

fn assignments<'h>(
    dataset: &DatasetName,
    tags: impl Iterator<Item = Inherited<'h>>,
) -> impl Iterator<Item = TagAssignment> {
    tags.filter_map(move |(column, tag)| assignment(dataset, column, tag))
}

fn assignment(
    dataset: &DatasetName,
    column: Option<&Name>,
    (tag, value): &TagValue,
) -> Option<TagAssignment> {
    let resource = resource(dataset, column)?;
    Some(TagAssignment { tag: tag.clone(), value: value.clone(), resource })
}

/// What policies call it; nothing where they do not know it.
pub(crate) fn resource(dataset: &DatasetName, column: Option<&Name>) -> Option<Resource> {
    match (dataset, column) {
        (DatasetName::Table(table), None) => Some(Resource::Table(table.clone())),
        (DatasetName::Table(table), Some(column)) => {
            Some(Resource::Column(ColumnName::new(table.clone(), column.clone())))
        }
        (DatasetName::Database(database), _) => Some(Resource::Database(database.clone())),
        (DatasetName::Path(path), _) => Some(Resource::Uri(Uri::from_normalised(path))),
        (DatasetName::Temporary { .. } | DatasetName::Result(_), _) => None,
    }
}
