//! Which type an expression has: literals, operators, functions, and values that come together.
//!
//! These are Hive's rules. What they cannot tell is [`Type::Unknown`], which never makes a statement wrong.

mod common;
mod function;
mod literal;
mod operator;

pub(crate) use common::common;
pub(crate) use function::{Arguments, result as function_result, table_columns};
pub(crate) use literal::literal;
pub(crate) use operator::binary;
