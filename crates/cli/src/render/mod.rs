//! The formats that results are written in.

pub mod columns;
pub mod finding;
pub mod graph;
pub mod grid;
pub mod moment;
pub mod openlineage;
pub mod record;
pub mod recorded_tree;
pub mod table;
pub mod trace;
pub mod tree;
mod words;
