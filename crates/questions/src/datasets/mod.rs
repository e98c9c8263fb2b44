//! Datasets as such: searched for by what is known of them, described, and who can do what with them.
//!
//! What is known comes from the catalog, the recorded runs and the policy. What may not be known of is not found.

mod access;
mod cursor;
mod describe;
mod index;
mod near;
mod search;
mod segment;
mod term;
mod warehouse;

pub use access::{AccessQuestion, access};
pub use describe::{DescribeQuestion, describe};
pub use index::DatasetIndex;
pub use search::{DatasetsQuestion, datasets};
