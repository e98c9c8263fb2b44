//! The greater part of a graph: flat arrays that never change, built when a graph is compacted.
//!
//! Here numbers are in order. Datasets and nodes are numbered by their names, runs by when they ended, writes by
//! their runs; so whatever is sorted by number is sorted by what it stands for. Columns, partitions and operations
//! are numbered as they came.
//!
//! A node is a name: a dataset's name as a whole, or with the name of a column. The nodes of a dataset stand in a
//! row, the whole of it first. What a name stood for at a moment is not known here: see `timeline`.

use std::sync::Arc;

use crate::adjacency::Adjacency;
use crate::change::Change;
use crate::lists::{Bits, Lists};
use crate::moment::Moment;
use crate::text::Texts;
use crate::timeline::Timeline;
use crate::write::{Write, WriteAct};

/// In place of a column: the dataset as a whole.
pub(crate) const ALL_COLUMNS: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub(crate) struct Base {
    pub datasets: Texts,
    pub columns: Texts,
    pub scopes: Texts,
    pub operations: Texts,
    pub runs: BaseRuns,
    pub writes: BaseWrites,
    pub nodes: BaseNodes,
    /// Between nodes, along and against the flow of data.
    pub columns_down: Adjacency,
    pub columns_up: Adjacency,
    /// Between names of datasets.
    pub datasets_down: Adjacency,
    pub datasets_up: Adjacency,
    pub writes_of: Lists,
    /// Those of them that make no version. It follows from the writes.
    pub unversioned_of: Lists,
    /// The names of datasets that were ever defined as views. It follows from the writes.
    pub defined: Bits,
    /// Those that were ever said to lie over a path.
    pub located: Bits,
    /// The runs that read a dataset though nothing of it went anywhere.
    pub reads_of: Lists,
    /// The writes that name a column which nothing goes into, by node.
    pub bare_writes_of: Lists,
    pub changes: Vec<Change>,
    pub changes_of: Lists,
    /// For each name of a dataset. None: it always stood for the same dataset.
    pub timelines: Vec<Option<Arc<Timeline>>>,
    /// The writes that nothing is left of, after all runs.
    pub ended: Bits,
    /// Those of them that nothing is left of in what was made of it either.
    pub gone: Bits,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BaseRuns {
    pub keys: Texts,
    pub ended: Vec<i64>,
    pub operations: Vec<u32>,
}

impl BaseRuns {
    pub fn len(&self) -> u32 {
        self.ended.len() as u32
    }

    pub fn ended(&self, run: u32) -> Option<i64> {
        self.ended.get(run as usize).copied()
    }

    /// How many runs come before one that ends at a moment and has a key.
    pub fn before(&self, ended: i64, key: &str) -> u32 {
        let mut before = self.ended.partition_point(|other| *other < ended) as u32;
        let mut end = self.ended.partition_point(|other| *other <= ended) as u32;
        while before < end {
            let middle = before + (end - before) / 2;
            if self.keys.get(middle) < key {
                before = middle + 1;
            } else {
                end = middle;
            }
        }
        before
    }

    pub fn memory_bytes(&self) -> usize {
        self.keys.memory_bytes() + self.ended.capacity() * 8 + self.operations.capacity() * 4
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BaseWrites {
    pub runs: Vec<u32>,
    pub steps: Vec<u16>,
    pub datasets: Vec<u32>,
    pub scopes: Vec<u32>,
    pub acts: Vec<u8>,
}

impl BaseWrites {
    pub fn len(&self) -> u32 {
        self.runs.len() as u32
    }

    pub fn get(&self, write: u32) -> Option<Write> {
        let place = write as usize;
        Some(Write {
            moment: Moment { run: *self.runs.get(place)?, step: *self.steps.get(place)? },
            dataset: *self.datasets.get(place)?,
            scope: *self.scopes.get(place)?,
            act: WriteAct::ALL.get(*self.acts.get(place)? as usize).copied().unwrap_or(WriteAct::Append),
        })
    }

    /// The writes to each dataset that are of such acts.
    pub fn by_dataset(&self, datasets: u32, is_meant: impl Fn(WriteAct) -> bool) -> Lists {
        let act = |act: u8| WriteAct::ALL.get(act as usize).copied().unwrap_or(WriteAct::Append);
        let writes = self.datasets.iter().copied().zip(0..).zip(&self.acts);
        let mut pairs: Vec<(u32, u32)> =
            writes.filter(|(_, one)| is_meant(act(**one))).map(|(pair, _)| pair).collect();
        pairs.sort_unstable();
        Lists::of(datasets, &pairs)
    }

    /// The names of datasets that some write of an act is to.
    pub fn having(&self, meant: WriteAct, datasets: u32) -> Bits {
        let mut having = Bits::of(datasets as usize);
        let writes = self.datasets.iter().zip(&self.acts).filter(|(_, act)| **act == meant as u8);
        writes.for_each(|(dataset, _)| having.set(*dataset));
        having
    }

    pub fn run(&self, write: u32) -> u32 {
        self.runs.get(write as usize).copied().unwrap_or(0)
    }

    pub fn push(&mut self, write: Write) {
        self.runs.push(write.moment.run);
        self.steps.push(write.moment.step);
        self.datasets.push(write.dataset);
        self.scopes.push(write.scope);
        self.acts.push(write.act as u8);
    }

    pub fn memory_bytes(&self) -> usize {
        (self.runs.capacity() + self.datasets.capacity() + self.scopes.capacity()) * 4
            + self.steps.capacity() * 2
            + self.acts.capacity()
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BaseNodes {
    /// The first node of each dataset, which is the whole of it, and after the last one where its nodes end.
    pub firsts: Vec<u32>,
    pub datasets: Vec<u32>,
    pub columns: Vec<u32>,
}

impl BaseNodes {
    pub fn len(&self) -> u32 {
        self.datasets.len() as u32
    }

    pub fn get(&self, node: u32) -> Option<(u32, u32)> {
        Some((*self.datasets.get(node as usize)?, *self.columns.get(node as usize)?))
    }

    pub fn of_dataset(&self, dataset: u32) -> std::ops::Range<u32> {
        let dataset = dataset as usize;
        match self.firsts.get(dataset..dataset + 2) {
            Some(&[first, end]) => first..end,
            _ => 0..0,
        }
    }

    pub fn memory_bytes(&self) -> usize {
        (self.firsts.capacity() + self.datasets.capacity() + self.columns.capacity()) * 4
    }
}

impl Base {
    /// The node of a name, if there is one.
    pub fn node(&self, dataset: u32, column: u32) -> Option<u32> {
        let nodes = self.nodes.of_dataset(dataset);
        if column == ALL_COLUMNS {
            return (!nodes.is_empty()).then_some(nodes.start);
        }
        let named = nodes.start as usize + 1..nodes.end as usize;
        let candidates = self.nodes.columns.get(named.clone())?;
        let text = self.columns.get(column);
        let place = candidates.binary_search_by(|other| self.columns.get(*other).cmp(text)).ok()?;
        u32::try_from(named.start + place).ok()
    }

    pub fn timeline(&self, dataset: u32) -> Option<&Arc<Timeline>> {
        self.timelines.get(dataset as usize)?.as_ref()
    }

    pub fn memory_bytes(&self) -> usize {
        let texts = [&self.datasets, &self.columns, &self.scopes, &self.operations];
        let adjacencies = [&self.columns_down, &self.columns_up, &self.datasets_down, &self.datasets_up];
        let lists =
            [&self.writes_of, &self.unversioned_of, &self.reads_of, &self.bare_writes_of, &self.changes_of];
        texts.iter().map(|one| one.memory_bytes()).sum::<usize>()
            + adjacencies.iter().map(|one| one.memory_bytes()).sum::<usize>()
            + lists.iter().map(|one| one.memory_bytes()).sum::<usize>()
            + self.runs.memory_bytes()
            + self.writes.memory_bytes()
            + self.nodes.memory_bytes()
            + self.changes.capacity() * size_of::<Change>()
            + self.timelines.capacity() * size_of::<Option<Arc<Timeline>>>()
            + self.timelines.iter().flatten().map(|one| one.memory_bytes()).sum::<usize>()
            + [&self.ended, &self.gone, &self.defined, &self.located]
                .iter()
                .map(|bits| bits.0.capacity() * 8)
                .sum::<usize>()
    }
}
