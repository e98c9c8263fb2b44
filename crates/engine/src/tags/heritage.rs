//! What carries tags because of the data in it, by the names of this moment.

use std::collections::HashMap;

use guardbee_lineage::DatasetName;
use guardbee_model::{ColumnName, Name};
use guardbee_policy::{Policy, Resource, TagAssignment, Uri};
use smol_str::SmolStr;

/// A tag with its value.
pub(crate) type TagValue = (Name, Option<SmolStr>);

/// Tags by what carries them. Temporary tables are among that, though no policy knows them: what is made of them
/// inherits from them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Heritage(HashMap<DatasetName, Carried>);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Carried {
    whole: Vec<TagValue>,
    columns: HashMap<Name, Vec<TagValue>>,
}

/// A tag on a dataset or a column of it.
pub(crate) type Inherited<'h> = (&'h DatasetName, Option<&'h Name>, &'h TagValue);

impl Carried {
    fn of(&self, column: Option<&Name>) -> &[TagValue] {
        match column {
            None => &self.whole,
            Some(column) => self.columns.get(column).map(Vec::as_slice).unwrap_or_default(),
        }
    }
}

impl Heritage {
    /// Says whether it is new.
    pub fn add(&mut self, dataset: &DatasetName, column: Option<&Name>, tag: &TagValue) -> bool {
        if self.contains(dataset, column, tag) {
            return false;
        }
        if !self.0.contains_key(dataset) {
            self.0.insert(dataset.clone(), Carried::default());
        }
        if let Some(carried) = self.0.get_mut(dataset) {
            match column {
                None => carried.whole.push(tag.clone()),
                Some(column) => carried.columns.entry(column.clone()).or_default().push(tag.clone()),
            }
        }
        true
    }

    pub fn contains(&self, dataset: &DatasetName, column: Option<&Name>, tag: &TagValue) -> bool {
        self.on(dataset, column).contains(tag)
    }

    pub fn on(&self, dataset: &DatasetName, column: Option<&Name>) -> &[TagValue] {
        self.0.get(dataset).map(|carried| carried.of(column)).unwrap_or_default()
    }

    /// The tags on the columns of a dataset.
    pub fn columns<'h>(
        &'h self,
        dataset: &DatasetName,
    ) -> impl Iterator<Item = (&'h Name, &'h TagValue)> + use<'h> {
        let columns = self.0.get(dataset).into_iter().flat_map(|carried| &carried.columns);
        columns.flat_map(|(column, tags)| tags.iter().map(move |tag| (column, tag)))
    }

    pub fn iter(&self) -> impl Iterator<Item = Inherited<'_>> {
        self.0.iter().flat_map(|(dataset, carried)| {
            let whole = carried.whole.iter().map(move |tag| (dataset, None, tag));
            let columns = carried.columns.iter();
            whole.chain(
                columns
                    .flat_map(move |(column, tags)| tags.iter().map(move |tag| (dataset, Some(column), tag))),
            )
        })
    }

    pub fn extend(&mut self, other: &Self) {
        for (dataset, column, tag) in other.iter() {
            self.add(dataset, column, tag);
        }
    }

    /// Has a policy carry it beside what it carries.
    pub fn inherit(&self, policy: &mut Policy) {
        let assignments = self.iter().filter_map(|(dataset, column, tag)| assignment(dataset, column, tag));
        assignments.for_each(|assignment| policy.inherit_tag(assignment));
    }

    /// Has a policy that carries this carry `other` instead.
    pub fn exchange(&self, policy: &mut Policy, other: &Self) {
        for (dataset, column, tag) in self.iter() {
            if !other.contains(dataset, column, tag)
                && let Some(assignment) = assignment(dataset, column, tag)
            {
                policy.disinherit_tag(&assignment);
            }
        }
        // What is on a column of a path is on the path, and may have gone with another column.
        for (dataset, column, tag) in other.iter() {
            let is_of_a_path = matches!(dataset, DatasetName::Path(_));
            if (is_of_a_path || !self.contains(dataset, column, tag))
                && let Some(assignment) = assignment(dataset, column, tag)
            {
                policy.inherit_tag(assignment);
            }
        }
    }
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
