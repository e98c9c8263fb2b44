//! A database as a whole: where transactions come from, and what its errors mean.

use async_trait::async_trait;
use guardbee_engine::store::StoreError;

use crate::audit::OpenGroup;
use crate::feed::Feed;
use crate::rows::Value;
use crate::session::{Failure, Session};
use crate::statements::{Dialect, News};

#[async_trait]
pub trait Database: Send + Sync {
    fn dialect(&self) -> Dialect;

    /// Begins a transaction that sees one moment and writes nothing.
    async fn read(&self) -> Result<Box<dyn Transaction>, Failure>;

    /// Begins a transaction that writes.
    async fn write(&self) -> Result<Box<dyn Transaction>, Failure>;

    /// Names the place in what went wrong.
    fn error(&self, failure: Failure) -> StoreError;

    /// What is known here of the group that the audit log is in.
    fn open_group(&self) -> &OpenGroup;

    /// Tells those who wait for news in this process.
    fn feed(&self, news: News) -> &Feed;

    /// Waits until the number of some news is larger than `after`.
    async fn wait_for(&self, news: News, after: u64) -> Result<u64, StoreError>;
}

/// Tells other processes of some news, as soon as the transaction is committed.
pub async fn tell(
    session: &mut dyn Session,
    dialect: Dialect,
    news: News,
    number: i64,
) -> Result<(), Failure> {
    let Some(sql) = dialect.tell else { return Ok(()) };
    session.execute(sql, &[Value::Text(news.channel()), Value::Text(&number.to_string())]).await
}

/// Changes that count when they are committed. Dropped before, none of them was made.
#[async_trait]
pub trait Transaction: Send {
    fn session(&mut self) -> &mut dyn Session;

    async fn commit(self: Box<Self>) -> Result<(), Failure>;
}
