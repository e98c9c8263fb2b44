//! A second opinion on policy: slow, obvious, and written from the specification alone.
//!
//! Nothing here shares code with what the policy crate decides by: only its plain data types are used. The
//! matching of names and addresses, the closure of roles, the inheritance of tags, the order of masks are
//! all done again, by scanning lists. [`World`] holds what the changes say, [`decide`] answers, and
//! [`random`] draws worlds and questions small enough that everything in them collides.

pub mod build;
pub mod compare;
pub mod count;
mod data;
mod judge;
mod matching;
pub mod names;
pub mod random;
pub mod reduce;
pub mod reverse;
mod soundness;
mod subject;
mod text;
mod world;

pub use data::{Filter, Mask, obligations};
pub use judge::{Answer, Judged, decide, decide_one};
pub use matching::{
    carries, encloses, file_name_matches, name_matches, scope_covers, scope_inside, scope_reached,
};
pub use subject::{Active, Asker, Standing};
pub use text::{asker_text, change_text, requirement_text};
pub use world::World;

#[cfg(test)]
mod tests;
