//! Moments in time.

/// A moment, in milliseconds since the beginning of 1970 (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Timestamp(pub i64);
