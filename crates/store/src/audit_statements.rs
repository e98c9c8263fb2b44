//! The SQL of the audit log.

use guardbee_engine::audit::AuditFilter;

use crate::audit_block::{MOST_RECORDS, Summary};
use crate::audit_body::{kind_bit, verdict_bit};
use crate::audit_group::Group;
use crate::rows::{Kind, Value};
use crate::statements::{Dialect, Writer};

/// In which order records are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    OldestFirst,
    NewestFirst,
}

/// What is asked of groups beside their summaries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamesOf {
    /// Nothing.
    None,
    /// The names of those of which the summary fits.
    Fitting,
}

impl Dialect {
    pub const AUDIT_HEAD_KINDS: &'static [Kind] = &[Kind::Integer, Kind::Bytes];

    /// The newest record's place and hash.
    pub fn audit_head(self) -> String {
        format!("SELECT newest, hash FROM {}audit_head WHERE id = 1", self.prefix)
    }

    /// The same, to be held until the transaction ends.
    pub fn lock_audit_head(self) -> String {
        self.audit_head() + self.row_lock
    }

    /// Parameters: place, hash.
    pub fn set_audit_head(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push("audit_head SET newest = ").parameter();
        writer.push(", hash = ").parameter().push(" WHERE id = 1").finish()
    }

    /// The place and hash of the last record.
    pub fn last_audit(self) -> String {
        format!("SELECT newest, hash FROM {}audit_blocks ORDER BY newest DESC LIMIT 1", self.prefix)
    }

    /// The place of the last record that a group covers.
    pub fn last_audit_group(self) -> String {
        format!("SELECT coalesce(max(newest), 0) FROM {}audit_groups", self.prefix)
    }

    const SUMMARY: &'static str = "newest, oldest, earliest, latest, kinds, verdicts";

    /// Hash and body behind the summary.
    pub const BLOCK_KINDS: &'static [Kind] = Summary::kinds_with(2);

    /// With the hash of the block before.
    pub const BLOCK_KINDS_AND_HASH: &'static [Kind] = Summary::kinds_with(3);

    pub fn add_audit_block(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("audit_blocks (").push(Self::SUMMARY);
        writer.push(", hash, body) VALUES ").tuples(1, Self::BLOCK_KINDS.len()).finish()
    }

    pub fn add_audit_group(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("audit_groups (").push(Self::SUMMARY);
        writer.push(", names) VALUES ").tuples(1, Group::KINDS.len()).finish()
    }

    /// The whole log, oldest first.
    pub fn audit(self) -> String {
        format!("SELECT {}, hash, body FROM {}audit_blocks ORDER BY newest", Self::SUMMARY, self.prefix)
    }

    /// All groups, oldest first.
    pub fn audit_groups(self) -> String {
        format!("SELECT {}, names FROM {}audit_groups ORDER BY newest", Self::SUMMARY, self.prefix)
    }

    /// Blocks that start at a place or behind it, oldest first. Parameters: the place, how many.
    pub fn audit_from(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::SUMMARY).push(", hash, body FROM ").push(self.prefix);
        writer.push("audit_blocks WHERE newest >= ").parameter();
        writer.push(" ORDER BY newest LIMIT ").parameter().finish()
    }

    /// Blocks with records between two places that may fit, each with the hash of the block before. Parameters: those
    /// that [`find_audit_values`](Self::find_audit_values) gives.
    pub fn find_audit(self, filter: &AuditFilter, order: Order) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::SUMMARY).push(", hash, body, (SELECT hash FROM ").push(self.prefix);
        writer.push("audit_blocks AS before WHERE before.newest = block.oldest - 1) FROM ").push(self.prefix);
        writer.push("audit_blocks AS block WHERE newest >= ").parameter();
        // A block has a bound: what ends much later does not start here.
        writer.push(" AND newest <= ").parameter().push(" AND oldest <= ").parameter();
        push_summary(&mut writer, filter);
        writer.push(" ORDER BY newest").push(order.suffix()).push(" LIMIT ").parameter().finish()
    }

    pub fn find_audit_values(filter: &AuditFilter, from: i64, to: i64, limit: usize) -> Vec<Value<'static>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut values = vec![from, to.saturating_add(MOST_RECORDS as i64), to];
        values.extend(summary_values(filter));
        values.push(limit);
        values.into_iter().map(Value::Integer).collect()
    }

    /// Groups with records between two places. Parameters: those that
    /// [`find_audit_groups_values`](Self::find_audit_groups_values) gives.
    pub fn find_audit_groups(self, filter: &AuditFilter, order: Order, names: NamesOf) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::SUMMARY).push(", ");
        match names {
            NamesOf::None => writer.push("NULL"),
            NamesOf::Fitting => {
                writer.push("CASE WHEN newest >= oldest");
                push_summary(&mut writer, filter);
                writer.push(" THEN names END")
            }
        };
        writer.push(" FROM ").push(self.prefix).push("audit_groups WHERE newest >= ").parameter();
        writer.push(" AND newest <= ").parameter();
        writer.push(" ORDER BY newest").push(order.suffix()).push(" LIMIT ").parameter().finish()
    }

    pub fn find_audit_groups_values(
        filter: &AuditFilter,
        names: NamesOf,
        from: i64,
        to: i64,
        limit: usize,
    ) -> Vec<Value<'static>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut values = match names {
            NamesOf::None => Vec::new(),
            NamesOf::Fitting => summary_values(filter),
        };
        values.extend([from, to, limit]);
        values.into_iter().map(Value::Integer).collect()
    }
}

impl Order {
    const fn suffix(self) -> &'static str {
        match self {
            Self::OldestFirst => "",
            Self::NewestFirst => " DESC",
        }
    }
}

/// What [`Summary::may_fit`] says.
fn push_summary(writer: &mut Writer, filter: &AuditFilter) {
    let parts = [
        ("(kinds & ", ") <> 0", filter.kind.is_some()),
        ("(verdicts & ", ") <> 0", filter.verdict.is_some()),
        ("latest >= ", "", filter.from.is_some()),
        ("earliest < ", "", filter.until.is_some()),
    ];
    for (start, end, _) in parts.into_iter().filter(|(_, _, is_given)| *is_given) {
        writer.push(" AND ").push(start).parameter().push(end);
    }
}

fn summary_values(filter: &AuditFilter) -> Vec<i64> {
    let mut values = Vec::new();
    values.extend(filter.kind.map(kind_bit));
    values.extend(filter.verdict.map(verdict_bit));
    values.extend(filter.from.map(|at| at.0));
    values.extend(filter.until.map(|at| at.0));
    values
}
