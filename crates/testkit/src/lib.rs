//! What tests are made of: golden runners, generators of statements, naive oracles.
//!
//! Everything here serves tests and measurements; the `guardbee` binary contains none of it.

pub mod cases;
pub mod compare;
pub mod fidelity;
pub mod fuzz;
pub mod generate;
pub mod golden;
pub mod init;
pub mod judge;
pub mod lineage_load;
pub mod lineage_oracle;
pub mod mutations;
pub mod policy_load;
pub mod policy_oracle;
pub mod predict;
pub mod replay;
pub mod score;
pub mod shrink;
pub mod statement_files;
