//! Where tags go with the data.
//!
//! Who asks says which nodes carry which tags from the start, and numbers the tags as they like; a tag means nothing
//! here. A tag goes along an edge from what carries it, unless a function hides the value on the way or somebody
//! stops it there:
//! - A tag on a whole dataset goes with each of its columns. What a column carries goes along the edges of the whole
//!   dataset as well where the write names no columns: files, and inputs of which no column is known. Where a write
//!   names columns, the whole goes in for its number of rows, and takes no column's tag along.
//! - Files have no names of columns. Where a column is read from a path under a name that none was written to it
//!   under, it may be any of those that were. A directory is read with all that is in it: what was written to a path
//!   is read from those beneath it and above it as well.
//! - An edge takes along what its source carried when the run read it. So a table that was filled from a secret keeps
//!   the tag when the table in between is emptied or dropped afterwards, and one that was filled again from something
//!   clean is free.
//! - What carries a tag now hands it on to all that is current, whenever that was made. A view has no data of its
//!   own: it carries at each moment what it shows then.
//! - What is read through a view is read from what is behind it. Where a run makes something of a column through a view,
//!   it takes along what was put on the view, and on each of its columns that the definition which the run found makes
//!   of the same column. What hides a value within the view hides nothing of what was put on the view.
//!
//! Of what is found, each thing knows what it got the tag from and by which run, back to where it was put.

mod arrivals;
mod files;
mod flow;
mod own_places;
mod views;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::graph::Graph;
use crate::moment::RunIndex;
use crate::question::{AsOf, EdgeFilter, Node};

use flow::Flow;

/// A tag, under the number that whoever asks gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TagNumber(pub u32);

/// What carries a tag of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TagSource {
    pub node: Node,
    pub tag: TagNumber,
}

/// A tag on its way along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TagStep {
    pub tag: TagNumber,
    pub from: Node,
    pub to: Node,
    pub run: RunIndex,
}

/// How tags go.
#[derive(Clone, Copy, Default)]
pub struct TagRules<'r> {
    /// Along direct edges, or along those as well that only decide about rows and values.
    pub edges: EdgeFilter,
    /// What carries a tag then.
    pub as_of: AsOf,
    /// Says of a step that it is not taken.
    pub stops: Option<&'r dyn Fn(TagStep) -> bool>,
}

/// A node that carries a tag, and what it got it from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DerivedTag {
    pub node: Node,
    pub tag: TagNumber,
    pub from: Node,
    pub run: RunIndex,
}

/// What a view makes one of its columns of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ViewSource {
    pub node: Node,
    /// Does the view hide the value?
    pub masked: bool,
}

/// Where tags went.
#[derive(Debug, Clone, Default)]
pub struct TagFlow {
    carried: Vec<Carried>,
    /// The places of what is carried now or was put, once somebody asks.
    places: OnceLock<FxHashMap<(Node, TagNumber), u32>>,
}

#[derive(Debug, Clone, Copy)]
struct Carried {
    node: Node,
    tag: TagNumber,
    /// The place in the list of what it came from, and the run; none where the tag was put.
    came: Option<(u32, RunIndex)>,
    carries: Carries,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carries {
    /// It is there and has the tag.
    Now,
    /// It had it for a while, or is no more.
    Before,
}

impl Graph {
    /// Follows tags from where they were put to all that is made of it.
    #[must_use]
    pub fn tag_flow(&self, sources: &[TagSource], rules: TagRules<'_>) -> TagFlow {
        Flow::run(self, sources, rules)
    }

    /// What a view makes a column of, or any of its columns where the whole of it is asked about: by the definition that
    /// a run found, or by the one there is now.
    #[must_use]
    pub fn view_sources(&self, column: Node, edges: EdgeFilter, reader: Option<RunIndex>) -> Vec<ViewSource> {
        views::sources(self, column, edges, reader)
    }
}

impl TagFlow {
    /// What carries a tag that was not put there, each once.
    pub fn derived(&self) -> impl Iterator<Item = DerivedTag> {
        let now = self.carried.iter().filter(|carried| carried.carries == Carries::Now);
        now.filter_map(|carried| {
            let (from, run) = carried.came?;
            let from = self.carried.get(from as usize)?.node;
            Some(DerivedTag { node: carried.node, tag: carried.tag, from, run })
        })
    }

    /// How a tag came to a node, from where it was put on; none where it did not come, empty where it was put there.
    #[must_use]
    pub fn path(&self, node: Node, tag: TagNumber) -> Option<Vec<TagStep>> {
        let place = *self.places.get_or_init(|| self.places()).get(&(node, tag))?;
        let mut at = self.carried.get(place as usize)?;
        let mut steps = Vec::new();
        while let Some((from, run)) = at.came {
            let before = self.carried.get(from as usize)?;
            steps.push(TagStep { tag, from: before.node, to: at.node, run });
            at = before;
        }
        steps.reverse();
        Some(steps)
    }

    fn places(&self) -> FxHashMap<(Node, TagNumber), u32> {
        let told = self.carried.iter().zip(0..);
        let told = told.filter(|(carried, _)| carried.carries == Carries::Now || carried.came.is_none());
        told.map(|(carried, place)| ((carried.node, carried.tag), place)).collect()
    }
}
