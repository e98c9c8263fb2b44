//! The formats that results are written in.

pub mod finding;
pub mod graph;
pub mod openlineage;
pub mod table;
pub mod tree;

/// One analysed statement with the text it came from.
#[derive(Debug)]
pub struct Report<'t> {
    pub label: &'t str,
    /// The text of the whole file.
    pub text: &'t str,
    /// Where the statement stands in it, from its first to its last token.
    pub span: guardbee_model::Span,
    pub place: crate::place::Place,
    pub analysis: guardbee_analysis::Analysis,
}
