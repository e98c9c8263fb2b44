//! The names of operations in rule books: those of Hive's own constants, which are words without blanks.

use guardbee_model::Operation;

/// Where Hive prints another name than that of the constant with blanks for underscores.
const NAMES: [(Operation, &str); 8] = [
    (Operation::LockDatabase, "LOCKDB"),
    (Operation::UnlockDatabase, "UNLOCKDB"),
    (Operation::AlterTableMerge, "ALTERTABLE_MERGEFILES"),
    (Operation::AlterPartitionMerge, "ALTERPARTITION_MERGEFILES"),
    (Operation::AlterDataConnectorUrl, "ALTERDATACONNECTOR_URL"),
    (Operation::AbortCompactions, "ABORT_COMPACTION"),
    (Operation::PrepareQuery, "PREPARE"),
    (Operation::ExecuteQuery, "EXECUTE"),
];

/// The name of an operation in rule books: `LOCKDB`, `KILL_QUERY`.
#[must_use]
pub fn rule_name(operation: Operation) -> String {
    special(operation).map_or_else(|| operation.as_str().replace(' ', "_"), str::to_owned)
}

/// The operation that a rule book means. Some of Hive's constants are no statements (`GET_TABLES`).
#[must_use]
pub fn operation_named(name: &str) -> Option<Operation> {
    Operation::ALL.iter().copied().find(|&operation| match special(operation) {
        Some(known) => known == name,
        None => is_same(operation.as_str(), name),
    })
}

fn special(operation: Operation) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| *known == operation).map(|(_, name)| *name)
}

fn is_same(printed: &str, name: &str) -> bool {
    let blank_as_underscore = |byte| if byte == b' ' { b'_' } else { byte };
    printed.bytes().map(blank_as_underscore).eq(name.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_one_name() {
        for &operation in Operation::ALL {
            assert_eq!(operation_named(&rule_name(operation)), Some(operation));
        }
        assert_eq!(operation_named("KILL_QUERY"), Some(Operation::KillQuery));
        assert_eq!(operation_named("LOCKDATABASE"), None);
        assert_eq!(operation_named("GET_TABLES"), None);
    }
}
