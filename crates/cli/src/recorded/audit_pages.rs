//! All records of an audit log, oldest first, page by page.

use guardbee_questions::{AuditPages, AuditQuestion};
use guardbee_wire::audit::{AuditDocument, AuditLine};

use super::answerable::Answerable as _;
use super::asking::Asking;
use crate::client::Client;
use crate::policy::source::NoPolicy;

/// So many records are asked for at once.
const PAGE: u32 = 1000;

/// The pages. A service gives the newest first, so that what it has is held until the oldest came.
pub enum RecordPages<'p> {
    Store(AuditPages<'p>),
    Service { pages: Vec<Vec<AuditLine>>, is_unnoted: bool },
}

impl<'p> RecordPages<'p> {
    /// Before the first page.
    ///
    /// # Errors
    /// What the store or the service says.
    pub async fn of(asking: &'p Asking, question: AuditQuestion) -> Result<Self, NoPolicy> {
        match asking {
            Asking::Store(store) => Ok(Self::Store(AuditPages::of(store.ground(), &question).await?)),
            Asking::Service(client) => of_service(client, question),
        }
    }

    /// That these are read is not in the audit log.
    #[must_use]
    pub const fn is_unnoted(&self) -> bool {
        match self {
            Self::Store(pages) => pages.is_unnoted(),
            Self::Service { is_unnoted, .. } => *is_unnoted,
        }
    }

    /// The next page; empty at the end.
    ///
    /// # Errors
    /// What the store says.
    pub async fn next(&mut self) -> anyhow::Result<Vec<AuditLine>> {
        match self {
            Self::Store(pages) => Ok(pages.next().await?.iter().map(AuditLine::of).collect()),
            Self::Service { pages, .. } => Ok(pages.pop().unwrap_or_default()),
        }
    }
}

fn of_service<'p>(client: &Client, mut question: AuditQuestion) -> Result<RecordPages<'p>, NoPolicy> {
    question.limit = PAGE;
    let (mut pages, mut is_unnoted) = (Vec::new(), false);
    loop {
        let AuditDocument { mut records, unnoted, .. } = client.get(AuditQuestion::PATH, &question)?;
        is_unnoted |= unnoted;
        let Some(oldest) = records.last() else { break };
        question.before = Some(oldest.number);
        records.reverse();
        pages.push(records);
    }
    Ok(RecordPages::Service { pages, is_unnoted })
}
