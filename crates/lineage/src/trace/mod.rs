//! Where something came from and where it went.
//!
//! A walk goes breadth first from the start, one way; both ways are two walks, and what both come to is in the answer
//! once. An edge counts that is current at the moment asked for, of a run in the window, and of a kind that is asked
//! for. What is known of a whole dataset holds for each of its columns: from a column, a walk takes the edges of the
//! column and those of the whole; from the whole, those of all columns too. A column that was not reached itself is
//! in the answer where such an edge hangs on it, as deep as what it was taken for. Whatever is in the answer keeps the
//! depth that it came in with, so that a page is the same whatever pages follow.
//!
//! A dataset to stop at is reached and not left. Temporary tables that are collapsed cost no step: the edges through
//! them become one, and the run of that is the one that wrote its target. What the start names is always shown.
//!
//! The order of an answer follows from names alone, not from numbers or from when runs arrived.

mod answer;
pub(crate) mod places;
mod sorted_out;
mod table;
mod walk;

use crate::graph::{Graph, Way};
use crate::question::{Direction, Question, Trace};

pub(crate) use walk::{Merged, Walk};

impl Graph {
    /// Answers a question; see the module for what an answer holds.
    #[must_use]
    pub fn trace(&self, question: &Question<'_>) -> Trace {
        let mut walk = Walk::new(self, question);
        match question.direction {
            Direction::Up => walk.go(Way::Up),
            Direction::Down => walk.go(Way::Down),
            Direction::Both => {
                walk.go(Way::Up);
                walk.turn();
                walk.go(Way::Down);
            }
        }
        walk.finish()
    }
}
