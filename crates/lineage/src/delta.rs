//! The smaller part of a graph: what was recorded since the base was built, in persistent maps.
//!
//! Numbers go on after those of the base and are in order of arrival. A copy shares everything with the original,
//! so a snapshot costs nothing and recording a run costs as much as the run is large.

use std::sync::Arc;

use rpds::{HashTrieMapSync, VectorSync};
use rustc_hash::FxBuildHasher;

use crate::adjacency::Edge;
use crate::change::Change;
use crate::mark::Mark;
use crate::text::NewTexts;
use crate::timeline::Timeline;
use crate::write::Write;

pub(crate) type Map<V> = HashTrieMapSync<u32, V, FxBuildHasher>;

pub(crate) fn new_map<K: Eq + std::hash::Hash, V>() -> HashTrieMapSync<K, V, FxBuildHasher> {
    HashTrieMapSync::new_with_hasher_and_ptr_kind(FxBuildHasher)
}

#[derive(Clone)]
pub(crate) struct Delta {
    pub datasets: NewTexts,
    pub columns: NewTexts,
    pub scopes: NewTexts,
    pub operations: NewTexts,
    pub keys: NewTexts,
    pub runs: VectorSync<DeltaRun>,
    pub writes: VectorSync<Write>,
    /// Dataset and column of each node.
    pub nodes: VectorSync<(u32, u32)>,
    pub node_numbers: HashTrieMapSync<(u32, u32), u32, FxBuildHasher>,
    pub nodes_of: ListMap<u32>,
    pub columns_down: EdgeMap,
    pub columns_up: EdgeMap,
    pub datasets_down: EdgeMap,
    pub datasets_up: EdgeMap,
    pub writes_of: ListMap<u32>,
    pub reads_of: ListMap<u32>,
    pub bare_writes_of: ListMap<u32>,
    pub changes: VectorSync<Change>,
    pub changes_of: ListMap<u32>,
    /// Replaces those of the base.
    pub timelines: Map<Arc<Timeline>>,
    /// Names of datasets of which the base does not know any more what is gone.
    pub disturbed: Map<()>,
    /// Some of the runs come before some of the base.
    pub has_late_runs: bool,
    pub edge_count: usize,
}

impl Default for Delta {
    fn default() -> Self {
        Self {
            datasets: NewTexts::default(),
            columns: NewTexts::default(),
            scopes: NewTexts::default(),
            operations: NewTexts::default(),
            keys: NewTexts::default(),
            runs: VectorSync::new_sync(),
            writes: VectorSync::new_sync(),
            nodes: VectorSync::new_sync(),
            node_numbers: new_map(),
            nodes_of: ListMap::default(),
            columns_down: EdgeMap::default(),
            columns_up: EdgeMap::default(),
            datasets_down: EdgeMap::default(),
            datasets_up: EdgeMap::default(),
            writes_of: ListMap::default(),
            reads_of: ListMap::default(),
            bare_writes_of: ListMap::default(),
            changes: VectorSync::new_sync(),
            changes_of: ListMap::default(),
            timelines: new_map(),
            disturbed: new_map(),
            has_late_runs: false,
            edge_count: 0,
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct DeltaRun {
    pub ended: i64,
    pub operation: u32,
    /// How many runs of the base come before it.
    pub after: u32,
}

/// A list for each of many owners, most of which have none.
#[derive(Clone)]
pub(crate) struct ListMap<T>(Map<VectorSync<T>>);

pub(crate) type EdgeMap = ListMap<Half>;

/// An edge without the end that owns it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Half {
    pub other: u32,
    pub write: u32,
    pub mark: Mark,
}

impl<T> Default for ListMap<T> {
    fn default() -> Self {
        Self(new_map())
    }
}

impl<T: Clone> ListMap<T> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, owner: u32) -> impl Iterator<Item = &T> {
        self.0.get(&owner).into_iter().flat_map(|list| list.iter())
    }

    pub fn has(&self, owner: u32) -> bool {
        self.0.contains_key(&owner)
    }

    pub fn push(&mut self, owner: u32, item: T) {
        if let Some(list) = self.0.get_mut(&owner) {
            list.push_back_mut(item);
            return;
        }
        let mut list = VectorSync::new_sync();
        list.push_back_mut(item);
        self.0.insert_mut(owner, list);
    }

    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.0.iter().flat_map(|(owner, list)| list.iter().map(move |item| (*owner, item)))
    }
}

impl EdgeMap {
    pub fn push_edge(&mut self, edge: Edge) {
        self.push(edge.node, Half { other: edge.other, write: edge.write, mark: edge.mark });
    }

    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.iter().map(|(node, half)| Edge { node, other: half.other, write: half.write, mark: half.mark })
    }
}
