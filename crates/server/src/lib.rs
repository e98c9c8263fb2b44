//! `guardbee serve`: policy, lineage and audit log over HTTP.
//!
//! One table of [endpoints](endpoint::Endpoint) says all there is to say of each: its route, who may call it, what it takes
//! and answers. The router, the OpenAPI document and the test of who may do what are made of it. Whoever calls is known, and
//! let through, before an endpoint sees the call; what comes in is bounded before it is held.
//!
//! The crate opens no store and knows no rule of policy or lineage: it is given a [`Storage`](guardbee_engine::store::Storage)
//! and asks the engine.
//!
//! ```no_run
//! # async fn serve(storage: std::sync::Arc<dyn guardbee_engine::store::Storage>) -> Result<(), guardbee_server::ServeError> {
//! use guardbee_server::{Options, Server};
//!
//! let server = Server::start(storage, Options::default()).await?;
//! println!("listening on {}", server.address());
//! server.run_until(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod api;
mod connection;
mod contact;
mod dispatch;
pub mod endpoint;
mod following;
mod identity;
mod jobs;
mod lines;
mod metrics;
pub mod openapi;
mod options;
mod patience;
mod problem;
mod reports;
mod server;
mod service;
mod stated;
mod tls;
mod trail;

pub use api::endpoints;
pub use jobs::JobOptions;
pub use options::{Limits, Options, TlsFiles, TrustedProxy};
pub use problem::Problem;
pub use server::{FirstAccount, STACK_BYTES, ServeError, Server};
