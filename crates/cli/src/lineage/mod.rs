//! The lineage of a folder of scripts, held in memory for one run of the command.

mod dataset;
mod graph;
mod record;
mod walk;

pub use dataset::{Dataset, Relation};
pub use graph::{Edge, Graph, NodeId, Process};
pub use record::{Recorder, Step};
pub use walk::{Direction, Follow, Limits, Traversal, far_end, walk};
