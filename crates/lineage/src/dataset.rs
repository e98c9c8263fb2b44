//! Datasets one by one: what a name stands for, what a dataset was called, which versions it has.

use guardbee_model::Name;

use crate::base::ALL_COLUMNS;
use crate::graph::{Between, Graph, Until, Way};
use crate::identity::{column_at, segment_at};
use crate::moment::{Moment, Order, RunIndex};
use crate::name_text;
use crate::question::{AsOf, NodeName, TraceSubject};
use crate::run::DatasetName;
use crate::timeline::{ColumnId, DatasetId, Span};

/// What is known of a dataset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatasetState {
    /// In order of time.
    pub names: Vec<NamePeriod>,
    /// The run that closed it.
    pub closed_by: Option<RunIndex>,
    /// What the name stood for before.
    pub predecessor: Option<DatasetId>,
    /// Versions until the moment asked for.
    pub versions: u32,
    /// In order of their names; those that were gone then come too.
    pub columns: Vec<ColumnState>,
    pub temporary: bool,
}

/// A name for as long as it held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamePeriod {
    pub name: DatasetName,
    /// None: since before all runs.
    pub since: Option<RunIndex>,
    pub until: Option<RunIndex>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnState {
    pub id: ColumnId,
    pub name: Name,
    pub closed: bool,
}

impl Graph {
    /// What a name stood for.
    #[must_use]
    pub fn find(&self, name: &DatasetName, at: AsOf) -> Option<DatasetId> {
        let number = self.dataset_number(name)?;
        let until = self.until(at);
        let born = match self.timeline(number) {
            None => self.is_mentioned(number).then_some((number, 0))?,
            Some(timeline) => {
                let holds = |from: Moment, end: Moment| {
                    self.is_until(from.run, until) && !self.is_until(end.run, until)
                };
                timeline.segments.iter().find(|segment| holds(segment.from, segment.until))?.born
            }
        };
        Some(DatasetId { name: born.0, life: born.1 })
    }

    /// Every dataset that a name ever stood for, in order of time.
    #[must_use]
    pub fn find_all(&self, name: &DatasetName) -> Vec<DatasetId> {
        let Some(number) = self.dataset_number(name) else { return Vec::new() };
        match self.timeline(number) {
            None => {
                self.is_mentioned(number).then_some(DatasetId { name: number, life: 0 }).into_iter().collect()
            }
            Some(timeline) => {
                let ids = timeline.segments.iter().map(|segment| segment.born);
                ids.map(|born| DatasetId { name: born.0, life: born.1 }).collect()
            }
        }
    }

    /// Which column of a dataset a name meant.
    #[must_use]
    pub fn find_column(&self, dataset: DatasetId, name: &Name, at: AsOf) -> Option<ColumnId> {
        let until = self.until(at);
        let column = self.column_number(name)?;
        let born = (dataset.name, dataset.life);
        let columns = self.life(born).and_then(|life| life.columns.as_ref());
        let Some(columns) = columns else {
            let is_there = self.spans(born).iter().any(|span| self.node(span.name, column).is_some());
            return is_there.then_some(ColumnId { name: column, life: 0 });
        };
        let holds = |span: &Span| {
            span.name == column
                && self.is_until(span.from.run, until)
                && !self.is_until(span.until.run, until)
        };
        let life = columns.lives.iter().find(|life| life.spans.iter().any(holds))?;
        Some(ColumnId { name: life.born.0, life: life.born.1 })
    }

    /// Every column of a dataset that a name ever meant, in order of time.
    #[must_use]
    pub fn find_all_columns(&self, dataset: DatasetId, name: &Name) -> Vec<ColumnId> {
        let Some(column) = self.column_number(name) else { return Vec::new() };
        let born = (dataset.name, dataset.life);
        match self.life(born).and_then(|life| life.columns.as_ref()) {
            None => self.find_column(dataset, name, AsOf::Now).into_iter().collect(),
            Some(columns) => {
                let meant = columns.segments.iter().filter(|(named, _)| *named == column);
                meant.map(|(_, segment)| ColumnId { name: segment.born.0, life: segment.born.1 }).collect()
            }
        }
    }

    /// All datasets that were open at a moment, in order of the names that they were born under.
    pub fn datasets(&self, at: AsOf) -> impl Iterator<Item = DatasetId> {
        let until = self.until(at);
        let mut names: Vec<u32> = (0..self.dataset_names()).collect();
        if self.delta.datasets.len() > 0 {
            names.sort_by(|one, other| self.compare_datasets(*one, *other));
        }
        names.into_iter().flat_map(move |name| {
            let lives = match self.timeline(name) {
                None => u32::from(self.is_mentioned(name)),
                Some(timeline) => timeline.lives.len() as u32,
            };
            let ids = (0..lives).map(move |life| DatasetId { name, life });
            ids.filter(move |id| self.is_open(*id, until))
        })
    }

    fn is_open(&self, dataset: DatasetId, until: Until) -> bool {
        self.life((dataset.name, dataset.life)).is_none_or(|life| {
            let opened = life.life.spans.first().is_some_and(|span| self.is_until(span.from.run, until));
            opened && !life.life.is_closed(self, until)
        })
    }

    pub(crate) fn is_closed(&self, born: (u32, u32), until: Until) -> bool {
        self.life(born).is_some_and(|life| life.life.is_closed(self, until))
    }

    /// A database is named wherever a table of it is, which says nothing about it.
    fn is_mentioned(&self, dataset: u32) -> bool {
        self.base.nodes.of_dataset(dataset).len() > 1
            || self.delta.nodes_of.has(dataset)
            || !self.dataset_text(dataset).starts_with(name_text::DATABASE)
            || !self.writes_of(dataset).is_empty()
            || !self.reads_of(dataset).is_empty()
            || self.edges(Between::Datasets, Way::Down, dataset).next().is_some()
    }

    /// What is known of a dataset, as of a moment where that matters.
    #[must_use]
    pub fn dataset(&self, dataset: DatasetId, at: AsOf) -> DatasetState {
        let until = self.until(at);
        let born = (dataset.name, dataset.life);
        let spans = self.spans(born);
        let life = self.life(born).map(|life| &life.life);
        let names = spans.iter().map(|span| NamePeriod {
            name: self.dataset_name(span.name),
            since: span.from.run_index(),
            until: span.until.run_index(),
        });
        DatasetState {
            names: names.collect(),
            closed_by: life.and_then(|life| life.closed?.run_index()),
            predecessor: life.and_then(|life| life.predecessor).map(|(name, life)| DatasetId { name, life }),
            versions: self.version_until(&spans, |write| self.is_until(write.run, until)),
            columns: self.columns_of(born, &spans, until),
            temporary: spans.iter().all(|span| name_text::is_temporary(self.dataset_text(span.name))),
        }
    }

    fn columns_of(&self, born: (u32, u32), spans: &[Span], until: Until) -> Vec<ColumnState> {
        let columns = self.life(born).and_then(|life| life.columns.as_ref());
        let mut states: Vec<ColumnState> = match columns {
            Some(columns) => columns
                .lives
                .iter()
                .map(|life| ColumnState {
                    id: ColumnId { name: life.born.0, life: life.born.1 },
                    name: self.column_name(self.name_at(&life.spans, until).unwrap_or(life.born.0)),
                    closed: life.is_closed(self, until),
                })
                .collect(),
            None => {
                let nodes = spans.iter().flat_map(|span| self.column_nodes(span.name));
                let state = |node: u32| {
                    let column = self.node_parts(node).1;
                    let id = ColumnId { name: column, life: 0 };
                    ColumnState { id, name: self.column_name(column), closed: false }
                };
                nodes.map(state).collect()
            }
        };
        states.sort_by(|one, other| {
            one.name
                .cmp(&other.name)
                .then_with(|| self.compare_columns(one.id.name, other.id.name))
                .then_with(|| one.id.life.cmp(&other.id.life))
        });
        states.dedup();
        states
    }

    /// The last name until then, else the first there was.
    fn name_at(&self, spans: &[Span], until: Until) -> Option<u32> {
        let held = spans.iter().rev().find(|span| self.is_until(span.from.run, until));
        held.or(spans.first()).map(|span| span.name)
    }

    /// What a dataset or column was called: its last name until then, else the first it had. A run has no name.
    #[must_use]
    pub fn name(&self, subject: TraceSubject, at: AsOf) -> Option<NodeName> {
        let until = self.until(at);
        let (dataset, column) = match subject {
            TraceSubject::Dataset(dataset) => (dataset, None),
            TraceSubject::Column(dataset, column) => (dataset, Some(column)),
            TraceSubject::Run(_) => return None,
        };
        let born = (dataset.name, dataset.life);
        let name = match self.life(born) {
            None => born.0,
            Some(life) => self.name_at(&life.life.spans, until)?,
        };
        let column = column.filter(|column| *column != ColumnId::UNNAMED);
        let column = column.map(|column| self.name_of_column(dataset, column, at));
        Some(NodeName { dataset: self.dataset_name(name), column })
    }

    /// What a column is called, or was when it was last there.
    #[must_use]
    pub fn name_of_column(&self, dataset: DatasetId, column: ColumnId, at: AsOf) -> Name {
        let born = (dataset.name, dataset.life);
        let is_renamed = self.life(born).is_some_and(|life| life.columns.is_some());
        let name = if is_renamed {
            let spans = self.column_spans(born, (column.name, column.life));
            self.name_at(&spans, self.until(at))
        } else {
            None
        };
        self.column_name(name.unwrap_or(column.name))
    }

    /// The version of a dataset that a run found when it read; 0 where nothing was written before.
    #[must_use]
    pub fn version_read(&self, dataset: DatasetId, run: RunIndex) -> u32 {
        let spans = self.spans((dataset.name, dataset.life));
        self.version_until(&spans, |moment| self.is_before(moment, Moment::reads(run.0)))
    }

    /// The version of a dataset that a run left behind.
    #[must_use]
    pub fn version_left(&self, dataset: DatasetId, run: RunIndex) -> u32 {
        let spans = self.spans((dataset.name, dataset.life));
        self.version_until(&spans, |moment| !self.is_before(Moment::writes(run.0), moment))
    }

    /// Versions that were made while `is_until` holds, which is until some moment.
    fn version_until(&self, spans: &[Span], is_until: impl Fn(Moment) -> bool) -> u32 {
        let under = |name: u32, end: Moment| {
            self.versions_under(name, |moment| self.is_before(moment, end) && is_until(moment))
        };
        spans.iter().map(|span| under(span.name, span.until) - under(span.name, span.from)).sum()
    }

    /// The dataset that a name stood for when a run read it, and when a run wrote it.
    #[must_use]
    pub fn dataset_read_by(&self, name: &DatasetName, run: RunIndex) -> Option<DatasetId> {
        self.dataset_at(name, Moment::reads(run.0))
    }

    #[must_use]
    pub fn dataset_written_by(&self, name: &DatasetName, run: RunIndex) -> Option<DatasetId> {
        self.dataset_at(name, Moment::writes(run.0))
    }

    fn dataset_at(&self, name: &DatasetName, moment: Moment) -> Option<DatasetId> {
        let number = self.dataset_number(name)?;
        let born = match self.timeline(number) {
            None => (number, 0),
            Some(timeline) => segment_at(self, &timeline.segments, moment)?.born,
        };
        Some(DatasetId { name: born.0, life: born.1 })
    }

    /// The column that a name meant when a run read it.
    #[must_use]
    pub fn column_read_by(&self, dataset: DatasetId, name: &Name, run: RunIndex) -> Option<ColumnId> {
        self.column_of(dataset, name, Moment::reads(run.0))
    }

    /// The column that a name meant when a run wrote it.
    #[must_use]
    pub fn column_written_by(&self, dataset: DatasetId, name: &Name, run: RunIndex) -> Option<ColumnId> {
        self.column_of(dataset, name, Moment::writes(run.0))
    }

    fn column_of(&self, dataset: DatasetId, name: &Name, moment: Moment) -> Option<ColumnId> {
        let column = self.column_number(name)?;
        debug_assert!(column != ALL_COLUMNS);
        let columns = self.life((dataset.name, dataset.life)).and_then(|life| life.columns.as_ref());
        let born = match columns {
            None => (column, 0),
            Some(columns) => column_at(self, columns, column, moment)?,
        };
        Some(ColumnId { name: born.0, life: born.1 })
    }
}
