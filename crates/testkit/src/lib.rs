//! What tests are made of: golden runners, generators of statements, naive oracles.
//!
//! Everything here serves tests and measurements; the `guardbee` binary contains none of it.

pub mod generate;
pub mod mutations;
pub mod score;
