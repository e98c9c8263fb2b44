//! What is put on views: it goes along with what is read through them.
//!
//! A run names the column behind a view, and the view on the way. So a column that is read through a view brings what is
//! put on each column that the view makes of the same one, as the graph and the statements know it that are pending.

use std::collections::HashMap;

use guardbee_lineage::{
    AsOf, ColumnSource, DatasetName, EdgeFilter, Influence, Run, RunIndex, TargetColumn, ViewSource,
    WriteKind,
};
use guardbee_model::{ColumnName, Name, TableName};
use guardbee_policy::{Resource, TagAssignment};

use super::direct::Known;
use super::flow::node;
use super::heritage::TagValue;

/// A column that is read, and the views on the way to it.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    dataset: &'r DatasetName,
    column: &'r Name,
    masked: bool,
    through: &'r [TableName],
}

impl<'r> From<&'r ColumnSource> for Reading<'r> {
    fn from(source: &'r ColumnSource) -> Self {
        let ColumnSource { dataset, column, masked, through, .. } = source;
        Self { dataset, column, masked: *masked, through }
    }
}

impl<'r> From<&'r Influence> for Reading<'r> {
    fn from(influence: &'r Influence) -> Self {
        let Influence { dataset, column, masked, through, .. } = influence;
        Self { dataset, column, masked: *masked, through }
    }
}

/// What is put on the views that one run reads through.
pub(super) struct ViewTags<'k> {
    known: Known<'k>,
    /// The run, where the graph has it.
    reader: Option<RunIndex>,
    views: HashMap<TableName, Vec<PutTag>>,
}

/// A tag on a view, or on a column of it.
struct PutTag {
    tag: TagValue,
    is_on_view: bool,
    recorded: Vec<ViewSource>,
    pending: Vec<PendingSource>,
}

/// What a pending statement makes a column of a view of.
struct PendingSource {
    dataset: DatasetName,
    column: Name,
    masked: bool,
}

impl<'k> ViewTags<'k> {
    pub fn new(known: Known<'k>, run: &Run) -> Self {
        Self { known, reader: known.graph.run_of_key(&run.key), views: HashMap::new() }
    }

    /// Adds what a column brings by the views that it is read through.
    pub fn add(&mut self, read: Reading<'_>, tags: &mut Vec<TagValue>) {
        for view in read.through {
            if !self.views.contains_key(view) {
                self.views.insert(view.clone(), self.put_on(view));
            }
            let put = self.views.get(view).map(Vec::as_slice).unwrap_or_default();
            if put.is_empty() {
                continue;
            }
            let source = node(self.known.graph, read.dataset, Some(read.column), AsOf::Now);
            for one in put {
                let is_recorded =
                    |shown: &ViewSource| Some(shown.node) == source && (shown.masked || !read.masked);
                let goes = one.is_on_view && !read.masked
                    || one.recorded.iter().any(is_recorded)
                    || one.pending.iter().any(|shown| shown.is_read(read));
                if goes && !tags.contains(&one.tag) {
                    tags.push(one.tag.clone());
                }
            }
        }
    }

    fn put_on(&self, view: &TableName) -> Vec<PutTag> {
        let policy = self.known.policy;
        let around =
            [Resource::Server, Resource::Database(view.database.clone()), Resource::Table(view.clone())];
        let on_view = around.iter().flat_map(|resource| policy.tags_on(resource)).map(|put| (None, put));
        let inside = policy.tags_inside(view).filter_map(|put| match &put.resource {
            Resource::Column(ColumnName { column, .. }) => Some((Some(column), put)),
            _ => None,
        });
        let all = on_view.chain(inside);
        all.map(|(column, put)| self.put_tag(view, column, put)).collect()
    }

    fn put_tag(&self, view: &TableName, column: Option<&Name>, put: &TagAssignment) -> PutTag {
        let Known { graph, edges, defining, .. } = self.known;
        let view = DatasetName::Table(view.clone());
        let shown = node(graph, &view, column, AsOf::Now);
        let mut pending = Vec::new();
        for run in defining(&view) {
            let definitions = run
                .targets
                .iter()
                .filter(|target| target.write == WriteKind::Define && target.dataset == view);
            let columns = definitions.flat_map(|target| &target.columns);
            for made in columns.filter(|made| column.is_none_or(|column| *column == made.name)) {
                add_sources(made, edges, &mut pending);
            }
        }
        PutTag {
            tag: (put.tag.clone(), put.value.clone()),
            is_on_view: column.is_none(),
            recorded: shown.map(|shown| graph.view_sources(shown, edges, self.reader)).unwrap_or_default(),
            pending,
        }
    }
}

impl PendingSource {
    fn is_read(&self, read: Reading<'_>) -> bool {
        self.dataset == *read.dataset && self.column == *read.column && (self.masked || !read.masked)
    }
}

fn add_sources(made: &TargetColumn, edges: EdgeFilter, sources: &mut Vec<PendingSource>) {
    let influences = made.influences.iter().filter(|_| edges == EdgeFilter::All).map(Reading::from);
    let all = made.sources.iter().map(Reading::from).chain(influences);
    sources.extend(all.map(|Reading { dataset, column, masked, .. }| PendingSource {
        dataset: dataset.clone(),
        column: column.clone(),
        masked,
    }));
}
