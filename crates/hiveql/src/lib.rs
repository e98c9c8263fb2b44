//! HiveQL as text and as tree: lexer, parser, syntax tree and printer for Hive 2.3 to 4.2.
//!
//! This crate knows no catalog: it cannot tell a table from a view, or a column from a struct. It
//! does no IO and never panics on bad input: what cannot be read comes back as a
//! [`guardbee_model::Diagnostic`] with its place in the text.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::string_slice
    )
)]

mod blank;
pub mod command;
pub mod keyword;
pub mod lexer;
pub mod literal;
pub mod parser;
pub mod printer;
pub mod script;
pub mod token;
pub mod tree;
pub mod variables;
