//! What the tests of lineage share: histories as text, random histories, answers as text.

#![allow(dead_code)]

pub mod answer;
pub mod history;
pub mod random;
