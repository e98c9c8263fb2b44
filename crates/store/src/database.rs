//! A database as a whole: where transactions come from, and what its errors mean.

use async_trait::async_trait;
use guardbee_engine::store::StoreError;

use crate::feed::Feed;
use crate::session::{Failure, Session};
use crate::statements::Dialect;

#[async_trait]
pub trait Database: Send + Sync {
    fn dialect(&self) -> Dialect;

    /// Begins a transaction that sees one moment and writes nothing.
    async fn read(&self) -> Result<Box<dyn Transaction>, Failure>;

    /// Begins a transaction that writes.
    async fn write(&self) -> Result<Box<dyn Transaction>, Failure>;

    /// Names the place in what went wrong.
    fn error(&self, failure: Failure) -> StoreError;

    /// Tells those who wait for runs.
    fn run_feed(&self) -> &Feed;
}

/// Changes that count when they are committed. Dropped before, none of them was made.
#[async_trait]
pub trait Transaction: Send {
    fn session(&mut self) -> &mut dyn Session;

    async fn commit(self: Box<Self>) -> Result<(), Failure>;
}
