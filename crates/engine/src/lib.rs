//! The service itself: one engine that holds the current snapshots, sessions that ask it, administration
//! by SQL, and the ports through which it meets the world: store, clock, group mapping.
//!
//! The engine knows no wire format, no terminal and no database; those come from outside, as
//! implementations of its traits.

pub mod clock;
pub mod groups;
mod named;
pub mod request;
pub mod store;
