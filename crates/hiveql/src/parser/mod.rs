//! The parser: hand-written recursive descent, with precedence climbing for expressions.
//!
//! It takes exactly what the real parser of the chosen Hive version takes. It knows no catalog and
//! stops at the first mistake of a statement; [`crate::script`] goes on with the next one.
//!
//! Tokens are read on demand into a window, so that a statement of a hundred million bytes needs no
//! token list of its own. Nesting is bounded by [`MAXIMUM_DEPTH`]; everything that repeats without
//! nesting (operators of one level, set operations, lists, rows) is read in a loop.

mod alter;
mod alter_partition;
mod alter_table;
mod call;
mod constraint;
mod create;
mod create_database;
mod create_function;
mod create_table;
mod create_view;
mod cursor;
mod data_type;
mod describe;
mod dml;
mod drop;
mod explain;
mod expression;
mod extension;
mod form;
mod from;
mod index;
mod insert;
mod lateral;
mod literal;
mod lock;
mod mistake;
mod name;
mod operand;
mod operator;
mod partition;
mod policy;
mod prepare;
mod privilege;
mod query;
mod replication;
mod resource_plan;
mod role;
mod row_format;
mod scheduled_query;
mod select;
mod show;
mod snapshot;
mod statement;
mod table_clause;
mod table_data;
mod transaction;
mod transform;
mod values;
mod window;

use guardbee_model::{Diagnostic, HiveVersion};

use crate::keyword::Keyword;
use crate::lexer::QuotedIdentifiers;
use crate::tree::{Arena, Expression, Query, Statement};

pub(crate) use cursor::{Parse, Parser};

/// How many levels may nest, in the text and in the tree. An operator inside another one is a level;
/// what takes more stack to read counts for more (parentheses two, a subquery four). So two hundred
/// of anything always fit, and what fits is read on a stack of 2 MiB without optimization.
pub const MAXIMUM_DEPTH: u32 = 1200;

/// What has to be known before a text can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParserSettings {
    pub version: HiveVersion,
    pub dialect: Dialect,
    /// `hive.support.quoted.identifiers`.
    pub quoted_identifiers: QuotedIdentifiers,
}

impl ParserSettings {
    /// Is the word a keyword here? The words of our own statements are keywords of no Hive.
    fn knows(&self, keyword: Keyword) -> bool {
        keyword.is_known_in(self.version) || (self.dialect == Dialect::Guardbee && keyword.is_known_in_none())
    }
}

/// Whose statements are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Dialect {
    /// Those of the Hive version and, beside them, the statements by which Sentry, AuthDev and
    /// Guardbee manage privileges, row filters, column masks and tags.
    #[default]
    Guardbee,
    /// Exactly what the parser of the Hive version takes, which sees no `;`.
    Hive,
}

/// Reads one statement; a `;` may end it.
///
/// # Errors
/// What keeps the text from being a statement of this version, with its place in `text`.
pub fn parse_statement<'a>(
    arena: &'a Arena,
    text: &'a str,
    settings: ParserSettings,
) -> Result<Statement<'a>, Diagnostic> {
    let mut parser = Parser::new(arena, text, settings);
    parser.whole(Parser::statement)
}

/// Reads one query, such as the text of a view.
///
/// # Errors
/// As for [`parse_statement`].
pub fn parse_query<'a>(
    arena: &'a Arena,
    text: &'a str,
    settings: ParserSettings,
) -> Result<&'a Query<'a>, Diagnostic> {
    let mut parser = Parser::new(arena, text, settings);
    parser.whole(Parser::query)
}

/// Reads one expression, such as the body of a macro or the condition of a row filter.
///
/// # Errors
/// As for [`parse_statement`].
pub fn parse_expression<'a>(
    arena: &'a Arena,
    text: &'a str,
    settings: ParserSettings,
) -> Result<Expression<'a>, Diagnostic> {
    let mut parser = Parser::new(arena, text, settings);
    parser.whole(Parser::expression)
}
