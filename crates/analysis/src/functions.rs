//! Hive's built-in functions: which there are in which version, and of what kind.

use std::sync::LazyLock;

use guardbee_model::HiveVersion;
use rustc_hash::FxHashMap;

/// One built-in function or operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BuiltIn {
    pub name: &'static str,
    pub kind: FunctionKind,
    /// May it stand before `OVER`?
    pub over: bool,
    pub determinism: Determinism,
    /// A set of versions, one bit each.
    versions: u8,
}

/// What a function makes of how many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// One value for each row.
    Scalar,
    /// One value for many rows.
    Aggregate,
    /// Many rows for each row.
    Table,
    /// A table function that takes a whole partition, such as `noop` and `matchpath`.
    Partitioned,
}

/// Does the same call give the same value?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Determinism {
    Deterministic,
    Nondeterministic,
    /// Depends on the rows before.
    Stateful,
}

impl BuiltIn {
    /// Does this version of Hive have it?
    #[must_use]
    pub const fn is_in(&self, version: HiveVersion) -> bool {
        self.versions & (1 << version as u8) != 0
    }
}

/// The function of that name (in lower case) in that version.
#[must_use]
pub fn built_in(name: &str, version: HiveVersion) -> Option<&'static BuiltIn> {
    BUILT_INS.get(name).filter(|function| function.is_in(version))
}

/// All of them, in no order.
pub fn all() -> impl Iterator<Item = &'static BuiltIn> {
    BUILT_INS.values()
}

static BUILT_INS: LazyLock<FxHashMap<&'static str, BuiltIn>> = LazyLock::new(|| {
    include_str!("functions.tsv").lines().skip(1).filter_map(read_line).map(|f| (f.name, f)).collect()
});

/// A line is name, kind, `over` or nothing, a flag or nothing, and versions.
fn read_line(line: &'static str) -> Option<BuiltIn> {
    let mut fields = line.split('\t');
    Some(BuiltIn {
        name: fields.next()?,
        kind: match fields.next()? {
            "scalar" => FunctionKind::Scalar,
            "aggregate" => FunctionKind::Aggregate,
            "table" => FunctionKind::Table,
            "other" => FunctionKind::Partitioned,
            _ => return None,
        },
        over: match fields.next()? {
            "over" => true,
            "" => false,
            _ => return None,
        },
        determinism: match fields.next()? {
            "" => Determinism::Deterministic,
            "nondeterministic" => Determinism::Nondeterministic,
            "stateful" => Determinism::Stateful,
            _ => return None,
        },
        versions: read_versions(fields.next()?)?,
    })
}

/// The registries of 4.1 and 4.2 hold at least what 4.0 has.
fn read_versions(text: &str) -> Option<u8> {
    let bit = |version: HiveVersion| 1_u8 << version as u8;
    text.split(' ').try_fold(0, |versions, version| {
        Some(
            versions
                | match version {
                    "2.3" => bit(HiveVersion::V2_3),
                    "3.1" => bit(HiveVersion::V3_1),
                    "4.0" => bit(HiveVersion::V4_0) | bit(HiveVersion::V4_1) | bit(HiveVersion::V4_2),
                    _ => return None,
                },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_read() {
        let lines = include_str!("functions.tsv").lines().skip(1).count();
        assert_eq!(all().count(), lines);
    }

    #[test]
    fn versions_and_kinds_are_told_apart() {
        let kind = |name, version| built_in(name, version).map(|function| function.kind);
        assert_eq!(kind("count", HiveVersion::V2_3), Some(FunctionKind::Aggregate));
        assert_eq!(kind("explode", HiveVersion::V4_2), Some(FunctionKind::Table));
        assert_eq!(kind("noop", HiveVersion::V3_1), Some(FunctionKind::Partitioned));
        assert_eq!(kind("approx_distinct", HiveVersion::V3_1), None);
        assert_eq!(kind("approx_distinct", HiveVersion::V4_0), Some(FunctionKind::Aggregate));
        assert_eq!(kind("no_such_function", HiveVersion::V4_0), None);
        assert_eq!(
            built_in("rand", HiveVersion::V2_3).map(|function| function.determinism),
            Some(Determinism::Nondeterministic)
        );
        assert!(built_in("lead", HiveVersion::V3_1).is_some_and(|function| function.over));
    }
}
