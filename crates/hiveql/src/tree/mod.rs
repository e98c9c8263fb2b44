//! The syntax tree: what a statement says, before anything is known of the tables it names.
//!
//! Nodes are plain `Copy` data that borrow from an [`Arena`] and from the statement's text, so a tree
//! is built without reference counts and dropped at once. The tree keeps what the text said
//! (parentheses, spelling of literals and names), so that the printer can give it back; it holds
//! no resolved name, no type and no default.
//!
//! Lists of operators of one level are flat ([`Chain`], [`SetChain`]): a hundred thousand `AND`s
//! or `UNION` arms are one node, not a hundred thousand levels.

mod administration;
mod alter;
mod create;
mod data;
mod expression;
mod insert;
mod name;
mod query;
mod show;
mod statement;
mod types;

use guardbee_model::Span;

pub use administration::*;
pub use alter::*;
pub use create::*;
pub use data::*;
pub use expression::*;
pub use insert::*;
pub use name::*;
pub use query::*;
pub use show::*;
pub use statement::*;
pub use types::*;

/// The memory that trees live in. One arena serves many statements: [`Arena::reset`] drops them all
/// and keeps the memory for the next.
#[derive(Debug, Default)]
pub struct Arena {
    memory: bumpalo::Bump,
}

impl Arena {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts one value into the arena.
    pub fn alloc<T: Copy>(&self, value: T) -> &T {
        self.memory.alloc(value)
    }

    /// Puts a copy of a list into the arena.
    pub fn list<T: Copy>(&self, items: &[T]) -> &[T] {
        if items.is_empty() { &[] } else { self.memory.alloc_slice_copy(items) }
    }

    /// Puts a copy of a text into the arena.
    pub fn text(&self, text: &str) -> &str {
        self.memory.alloc_str(text)
    }

    /// Drops everything in the arena and keeps its largest piece of memory.
    pub fn reset(&mut self) {
        self.memory.reset();
    }
}

/// Where a node stands in its statement's text.
///
/// It takes no part in comparisons: two trees are equal if they say the same, wherever.
#[derive(Clone, Copy, Default)]
pub struct Location(pub Span);

impl Location {
    #[must_use]
    pub const fn span(self) -> Span {
        self.0
    }
}

impl From<Span> for Location {
    fn from(span: Span) -> Self {
        Self(span)
    }
}

impl PartialEq for Location {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Location {}

impl std::fmt::Debug for Location {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}..{}", self.0.start, self.0.end)
    }
}

/// The piece of text that a node was read from, for those who must keep it as it was written.
///
/// As [`Location`], it takes no part in comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceText<'a>(pub &'a str);

impl std::ops::Deref for SourceText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl PartialEq for SourceText<'_> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SourceText<'_> {}
