//! What makes a policy quick to ask and cheap to change.
//!
//! Everything here is a value with structural sharing: a clone costs a few reference counts, and a change of
//! a shared value copies the blocks that it touches and no more. A value that is not shared is changed in
//! place, which is what makes loading quick.

pub(crate) mod cell;
pub(crate) mod data;
pub(crate) mod hashed;
pub(crate) mod node;
pub(crate) mod principals;
pub(crate) mod slots;
pub(crate) mod sorted;
pub(crate) mod tags;
