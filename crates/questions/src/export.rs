//! A trace in the forms that other tools read.

use guardbee_lineage::export::{csv, dot, graphml, mermaid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::excerpt;
use crate::ground::{Ground, Unanswered};
use crate::trace::{TraceQuestion, Traced, traced};
use crate::{openlineage, prov};

/// A form of a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TraceFormat {
    /// A graph for Graphviz.
    Dot,
    /// A graph for Mermaid.
    Mermaid,
    /// One edge a line.
    Csv,
    /// XML for yEd, Gephi and others.
    Graphml,
    /// OpenLineage run events, one a line.
    Openlineage,
    /// W3C PROV-JSON.
    Prov,
}

impl TraceFormat {
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Dot => "text/vnd.graphviz; charset=utf-8",
            Self::Mermaid => "text/vnd.mermaid; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Graphml => "application/graphml+xml",
            Self::Openlineage => "application/x-ndjson",
            Self::Prov => "application/provenance+json",
        }
    }
}

/// A trace as another tool reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Export {
    pub text: String,
    pub media_type: &'static str,
    /// A limit cut something off; the text has no place to say so.
    pub truncated: bool,
}

/// The answer to a question in a form; it is one piece, so that there is no rest of an earlier one.
///
/// # Errors
/// [`Unanswered`].
pub async fn export(
    ground: &Ground<'_>,
    question: &TraceQuestion,
    format: TraceFormat,
) -> Result<Export, Unanswered> {
    let whole = TraceQuestion { cursor_nodes: 0, cursor_edges: 0, ..question.clone() };
    let Traced { trace, runs, at } = traced(ground, &whole).await?;
    let excerpt = excerpt::excerpt(ground.graph, &trace, at, &runs);
    let text = match format {
        TraceFormat::Dot => dot(&excerpt),
        TraceFormat::Mermaid => mermaid(&excerpt),
        TraceFormat::Csv => csv(&excerpt),
        TraceFormat::Graphml => graphml(&excerpt),
        TraceFormat::Openlineage => openlineage::events(&excerpt),
        TraceFormat::Prov => prov::text(&excerpt),
    };
    Ok(Export { text, media_type: format.media_type(), truncated: trace.truncated.is_some() })
}
