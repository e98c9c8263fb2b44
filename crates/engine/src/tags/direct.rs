//! What one run hands on: the tags of what it reads, to what it writes and to what it gives another name.

use std::sync::Arc;

use guardbee_lineage::{DatasetChange, DatasetName, EdgeFilter, Graph, Influence, Run, Target, TargetColumn};
use guardbee_model::{ColumnName, Name};
use guardbee_policy::{Policy, Resource, TagAssignment, TagBoundary, Uri};

use super::boundaries::function_of;
use super::heritage::{Heritage, TagValue};
use super::views::ViewTags;

/// All that tags are looked up in.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    /// What was assigned.
    pub policy: &'k Policy,
    /// What came with data.
    pub heritage: &'k Heritage,
    pub edges: EdgeFilter,
    /// What was recorded.
    pub graph: &'k Graph,
    /// The statements that are pending and define a view.
    pub defining: &'k dyn Fn(&DatasetName) -> Vec<Arc<Run>>,
}

/// A tag and what it comes to.
pub(crate) type Arrival = (DatasetName, Option<Name>, TagValue);

impl Known<'_> {
    /// The tags that a run brings to what it writes.
    pub fn arrivals(&self, run: &Run) -> Vec<Arrival> {
        let mut arrivals = Vec::new();
        let mut views = ViewTags::new(*self, run);
        for target in &run.targets {
            if !matches!(target.dataset, DatasetName::Result(_)) {
                self.into_target(run, target, &mut views, &mut arrivals);
            }
        }
        for change in &run.changes {
            self.renamed(change, &mut arrivals);
        }
        arrivals
    }

    fn into_target(&self, run: &Run, target: &Target, views: &mut ViewTags<'_>, arrivals: &mut Vec<Arrival>) {
        for column in &target.columns {
            let mut tags = Vec::new();
            for source in &column.sources {
                if !source.masked {
                    self.tags_of(&source.dataset, Some(&source.column), &mut tags);
                }
                views.add(source.into(), &mut tags);
            }
            self.influencing(&column.influences, views, &mut tags);
            self.stop(run, target, column, &mut tags);
            let arrived =
                tags.into_iter().map(|tag| (target.dataset.clone(), Some(column.name.clone()), tag));
            arrivals.extend(arrived);
        }
        let mut tags = Vec::new();
        self.influencing(&target.influences, views, &mut tags);
        for dataset in &target.whole {
            self.tags_of(dataset, None, &mut tags);
            if target.columns.is_empty() {
                self.tags_inside(dataset, &mut tags);
            }
        }
        arrivals.extend(tags.into_iter().map(|tag| (target.dataset.clone(), None, tag)));
    }

    fn influencing(&self, influences: &[Influence], views: &mut ViewTags<'_>, tags: &mut Vec<TagValue>) {
        let influences = influences.iter().filter(|_| self.edges == EdgeFilter::All);
        for influence in influences {
            if !influence.masked {
                self.tags_of(&influence.dataset, Some(&influence.column), tags);
            }
            views.add(influence.into(), tags);
        }
    }

    /// Takes out what ends at the column or at the function that made it.
    fn stop(&self, run: &Run, target: &Target, column: &TargetColumn, tags: &mut Vec<TagValue>) {
        let declassifiers = &self.policy.settings().declassifiers;
        if tags.is_empty() || declassifiers.is_empty() {
            return;
        }
        if let DatasetName::Table(table) = &target.dataset {
            let at = TagBoundary::Column(ColumnName::new(table.clone(), column.name.clone()));
            tags.retain(|(tag, _)| declassifiers.get(tag, &at).is_none());
        }
        // What decides about the column does not pass the function.
        let is_influenced = self.edges == EdgeFilter::All && !column.influences.is_empty();
        if let Some((database, function)) = function_of(run, column).filter(|_| !is_influenced) {
            let at = TagBoundary::Function { database, function };
            tags.retain(|(tag, _)| declassifiers.get(tag, &at).is_none());
        }
    }

    /// What has another name after a statement has its tags under that as well.
    fn renamed(&self, change: &DatasetChange, arrivals: &mut Vec<Arrival>) {
        match change {
            DatasetChange::Rename { from, to } => {
                let mut tags: Vec<TagValue> = self.heritage.on(from).cloned().collect();
                tags.extend(resource_of(from, None).iter().flat_map(|resource| self.assigned(resource)));
                arrivals.extend(tags.into_iter().map(|tag| (to.clone(), None, tag)));
                let (DatasetName::Table(table), DatasetName::Table(_)) = (from, to) else { return };
                for assignment in self.policy.tags_inside(table) {
                    if let Resource::Column(column) = &assignment.resource {
                        let tag = (assignment.tag.clone(), assignment.value.clone());
                        arrivals.push((to.clone(), Some(column.column.clone()), tag));
                    }
                }
                for (column, tag) in self.heritage.columns(from) {
                    arrivals.push((to.clone(), Some(column.clone()), tag.clone()));
                }
            }
            DatasetChange::RenameColumn { dataset, from, to } => {
                let mut tags: Vec<TagValue> = self.heritage.on_column(dataset, from).cloned().collect();
                tags.extend(resource_of(dataset, Some(from)).iter().flat_map(|column| self.assigned(column)));
                arrivals.extend(tags.into_iter().map(|tag| (dataset.clone(), Some(to.clone()), tag)));
            }
            _ => {}
        }
    }

    fn assigned(&self, resource: &Resource) -> impl Iterator<Item = TagValue> {
        let assigned = self.policy.tags_on(resource);
        assigned.map(|TagAssignment { tag, value, .. }| (tag.clone(), value.clone()))
    }

    /// The tags of a dataset or column, and of all that it lies in.
    pub fn tags_of(&self, dataset: &DatasetName, column: Option<&Name>, tags: &mut Vec<TagValue>) {
        let mut add = |tag: TagValue| {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        };
        if let Some(column) = column {
            self.heritage.on_column(dataset, column).cloned().for_each(&mut add);
        }
        self.heritage.on(dataset).cloned().for_each(&mut add);
        self.assigned(&Resource::Server).for_each(&mut add);
        match dataset {
            DatasetName::Table(table) => {
                self.assigned(&Resource::Database(table.database.clone())).for_each(&mut add);
                self.assigned(&Resource::Table(table.clone())).for_each(&mut add);
                if let Some(column) = column {
                    let column = ColumnName::new(table.clone(), column.clone());
                    self.assigned(&Resource::Column(column)).for_each(&mut add);
                }
            }
            DatasetName::Path(path) => {
                // Files have no names of columns: what is read may be any of what was written. A directory is read
                // with all that is in it.
                for near in self.heritage.paths_around(path) {
                    self.heritage.on(&near).cloned().for_each(&mut add);
                    self.heritage.columns(&near).for_each(|(_, tag)| add(tag.clone()));
                }
                let uri = Uri::from_normalised(path);
                for place in uri.and_ancestors().map(Uri::from_normalised) {
                    self.assigned(&Resource::Uri(place)).for_each(&mut add);
                }
            }
            DatasetName::Database(database) => {
                self.assigned(&Resource::Database(database.clone())).for_each(&mut add);
            }
            DatasetName::Temporary { .. } | DatasetName::Result(_) => {}
        }
    }

    /// The tags of all columns of a dataset.
    fn tags_inside(&self, dataset: &DatasetName, tags: &mut Vec<TagValue>) {
        let mut add = |tag: TagValue| {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        };
        self.heritage.columns(dataset).for_each(|(_, tag)| add(tag.clone()));
        if let DatasetName::Table(table) = dataset {
            let assigned = self.policy.tags_inside(table);
            assigned.for_each(|assignment| add((assignment.tag.clone(), assignment.value.clone())));
        }
    }
}

fn resource_of(dataset: &DatasetName, column: Option<&Name>) -> Option<Resource> {
    match dataset {
        DatasetName::Table(_) => super::heritage::resource(dataset, column),
        _ => None,
    }
}
