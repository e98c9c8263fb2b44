//! Questions that a policy answers, wherever it comes from.

mod asked;
mod what_can;
mod who_can;
mod why;

pub use asked::object;
pub use what_can::{WhatCanQuestion, what_can};
pub use who_can::{WhoCanQuestion, who_can};
pub use why::{WhyQuestion, why};
