//! The lineage of a folder of scripts, held in memory for one run of the command.

pub mod graph;
pub mod walk;

pub use graph::{Dataset, Edge, Graph, NodeId, Process};
pub use walk::{Direction, Limits, Traversal, walk};
