//! What is sent to the service beside questions, and what it answers.

pub mod accounts;
pub mod check;
pub mod execute;
pub mod jobs;
pub mod policy;
pub mod runs;
pub mod state;
