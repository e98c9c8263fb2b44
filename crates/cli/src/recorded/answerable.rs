//! Questions that a store and a service answer alike, each with the address that a service answers it at.

use guardbee_questions::{
    AuditQuestion, DatasetsQuestion, DescribeQuestion, Ground, HistoryQuestion, ImpactQuestion,
    LeaksQuestion, PathQuestion, RunQuestion, RunsQuestion, TagsQuestion, TraceQuestion, Unanswered,
    VerifyQuestion, WhoCouldQuestion, WhoDidQuestion,
};
use guardbee_wire::audit::{AuditDocument, VerifyDocument, WhoDidDocument};
use guardbee_wire::datasets::{DatasetsDocument, DescribeDocument};
use guardbee_wire::lineage::{HistoryDocument, ImpactDocument, PathDocument, TraceDocument};
use guardbee_wire::runs::{RunDocument, RunsDocument};
use guardbee_wire::tags::{LeaksDocument, TagsDocument, WhoCouldDocument};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::client::{Client, NotAnswered};

/// A question with its answer, wherever it is asked.
pub trait Answerable: Serialize + Sized {
    type Document: DeserializeOwned;

    /// Where a service answers it.
    const PATH: &'static str;

    /// The answer of a service.
    ///
    /// # Errors
    /// [`NotAnswered`].
    fn asked_of(&self, client: &Client) -> Result<Self::Document, NotAnswered> {
        client.get(Self::PATH, self)
    }

    /// The answer of a store.
    ///
    /// # Errors
    /// [`Unanswered`].
    async fn answer(&self, ground: &Ground<'_>) -> Result<Self::Document, Unanswered>;
}

macro_rules! answerable {
    ($($question:ty, $document:ty, $answer:ident, $path:literal;)*) => {$(
        impl Answerable for $question {
            type Document = $document;

            const PATH: &'static str = $path;

            async fn answer(&self, ground: &Ground<'_>) -> Result<$document, Unanswered> {
                guardbee_questions::$answer(ground, self).await
            }
        }
    )*};
}

answerable! {
    TraceQuestion, TraceDocument, trace, "/api/v1/trace";
    ImpactQuestion, ImpactDocument, impact, "/api/v1/impact";
    PathQuestion, PathDocument, path, "/api/v1/path";
    HistoryQuestion, HistoryDocument, history, "/api/v1/history";
    DatasetsQuestion, DatasetsDocument, datasets, "/api/v1/datasets";
    DescribeQuestion, DescribeDocument, describe, "/api/v1/dataset";
    RunsQuestion, RunsDocument, runs, "/api/v1/runs";
    TagsQuestion, TagsDocument, tags, "/api/v1/tags";
    LeaksQuestion, LeaksDocument, leaks, "/api/v1/leaks";
    WhoCouldQuestion, WhoCouldDocument, who_could, "/api/v1/who-could";
    WhoDidQuestion, WhoDidDocument, who_did, "/api/v1/who-did";
    AuditQuestion, AuditDocument, audit, "/api/v1/audit";
    VerifyQuestion, VerifyDocument, verify, "/api/v1/audit/verify";
}

/// The key is part of where it is answered.
impl Answerable for RunQuestion {
    type Document = RunDocument;

    const PATH: &'static str = "/api/v1/runs/";

    fn asked_of(&self, client: &Client) -> Result<RunDocument, NotAnswered> {
        let nothing: [(&str, &str); 0] = [];
        client.get(&format!("{}{}", Self::PATH, path_segment(&self.key)), &nothing)
    }

    async fn answer(&self, ground: &Ground<'_>) -> Result<RunDocument, Unanswered> {
        guardbee_questions::run(ground, self).await
    }
}

/// A text as one part of the path of an address.
fn path_segment(text: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'~' => char::from(byte).to_string(),
        // A part of nothing but dots would be read as a step.
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(byte).collect()
}
