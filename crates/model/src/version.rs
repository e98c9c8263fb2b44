//! The versions of Hive that Guardbee reads.

use std::fmt;
use std::str::FromStr;

/// A version of Hive whose grammar and built-in functions are known. Later ones compare greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum HiveVersion {
    V2_3,
    V3_1,
    #[default]
    V4_0,
    V4_1,
    V4_2,
}

impl HiveVersion {
    pub const ALL: [Self; 5] = [Self::V2_3, Self::V3_1, Self::V4_0, Self::V4_1, Self::V4_2];

    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::V2_3 => "2.3",
            Self::V3_1 => "3.1",
            Self::V4_0 => "4.0",
            Self::V4_1 => "4.1",
            Self::V4_2 => "4.2",
        }
    }
}

impl fmt::Display for HiveVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text named no version of Hive that is known here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVersion(String);

impl fmt::Display for UnknownVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown Hive version `{}`: known are 2.3, 3.1, 4.0, 4.1 and 4.2", self.0)
    }
}

impl std::error::Error for UnknownVersion {}

impl FromStr for HiveVersion {
    type Err = UnknownVersion;

    /// Takes `3.1`, the bare major version (`3`) and any patch release (`3.1.3`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts = text.trim().split('.');
        let known = match (parts.next(), parts.next()) {
            (Some("2"), None | Some("3")) => Some(Self::V2_3),
            (Some("3"), None | Some("1")) => Some(Self::V3_1),
            (Some("4"), None | Some("0")) => Some(Self::V4_0),
            (Some("4"), Some("1")) => Some(Self::V4_1),
            (Some("4"), Some("2")) => Some(Self::V4_2),
            _ => None,
        };
        let patch_is_a_number =
            parts.all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
        known.filter(|_| patch_is_a_number).ok_or_else(|| UnknownVersion(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_major_minor_and_patch() {
        for (text, version) in [
            ("2", HiveVersion::V2_3),
            ("2.3.9", HiveVersion::V2_3),
            ("3.1", HiveVersion::V3_1),
            ("4", HiveVersion::V4_0),
            ("4.1.0", HiveVersion::V4_1),
            ("4.2", HiveVersion::V4_2),
        ] {
            assert_eq!(text.parse(), Ok(version), "{text}");
        }
        for text in ["", "1.2", "2.1", "4.9", "4.0.x", "four", "3.1."] {
            assert!(text.parse::<HiveVersion>().is_err(), "{text}");
        }
    }
}
