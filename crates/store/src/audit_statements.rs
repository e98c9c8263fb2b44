//! The SQL of the audit log.

use guardbee_engine::audit::{AuditCursor, AuditFilter};

use crate::audit_body::{kind_number, verdict_number};
use crate::checksum;
use crate::rows::{Kind, Value};
use crate::statements::{Dialect, Writer};

/// So many objects are searched by their index; more are told apart when the records are read.
const MOST_OBJECTS: usize = 500;

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
        format!("SELECT seq, hash FROM {}audit ORDER BY seq DESC LIMIT 1", self.prefix)
    }

    const AUDIT: &'static str = "seq, at, actor, kind, verdict, body, hash";

    pub const AUDIT_KINDS: &'static [Kind] = &[
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Bytes,
        Kind::Bytes,
    ];

    /// With the hash of the record before.
    pub const AUDIT_KINDS_AND_HASH: &'static [Kind] = &[
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Integer,
        Kind::Bytes,
        Kind::Bytes,
        Kind::Bytes,
    ];

    pub fn add_audit(self, rows: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("audit (").push(Self::AUDIT);
        writer.push(") VALUES ").tuples(rows, Self::AUDIT_KINDS.len()).finish()
    }

    /// Parameters: object and place of each.
    pub fn add_audit_objects(self, rows: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("audit_objects (object, seq) VALUES ");
        writer.tuples(rows, 2).finish()
    }

    /// The whole log, oldest first.
    pub fn audit(self) -> String {
        format!("SELECT {} FROM {}audit ORDER BY seq", Self::AUDIT, self.prefix)
    }

    pub fn audit_objects(self) -> String {
        format!("SELECT object, seq FROM {}audit_objects", self.prefix)
    }

    /// Records that may fit, and the hash of the one before each. Parameters: the place that they come behind, those
    /// that [`find_audit_values`](Self::find_audit_values) gives, how many.
    pub fn find_audit(self, filter: &AuditFilter, cursor: AuditCursor) -> String {
        let (comparison, order) = match cursor {
            AuditCursor::Newest | AuditCursor::Before(_) => ("<", " DESC"),
            AuditCursor::After(_) => (">", ""),
        };
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::AUDIT).push(", (SELECT hash FROM ").push(self.prefix);
        writer.push("audit AS before WHERE before.seq = record.seq - 1) FROM ").push(self.prefix);
        writer.push("audit AS record WHERE seq ").push(comparison).push(" ").parameter();
        let parts = [
            ("actor =", filter.actor.is_some()),
            ("kind =", filter.kind.is_some()),
            ("verdict =", filter.verdict.is_some()),
            ("at >=", filter.from.is_some()),
            ("at <", filter.until.is_some()),
        ];
        for (part, _) in parts.into_iter().filter(|(_, is_given)| *is_given) {
            writer.push(" AND ").push(part).push(" ").parameter();
        }
        let objects = indexed_objects(filter);
        if !objects.is_empty() {
            writer.push(" AND seq IN (SELECT seq FROM ").push(self.prefix);
            writer.push("audit_objects WHERE object IN ").tuples(1, objects.len()).push(")");
        }
        writer.push(" ORDER BY seq").push(order).push(" LIMIT ").parameter().finish()
    }

    pub fn find_audit_values(filter: &AuditFilter) -> Vec<Value<'static>> {
        let mut values = Vec::new();
        values.extend(filter.actor.as_deref().map(checksum::of_name));
        values.extend(filter.kind.map(kind_number));
        values.extend(filter.verdict.map(verdict_number));
        values.extend([filter.from, filter.until].into_iter().flatten().map(|at| at.0));
        values.extend(indexed_objects(filter));
        values.into_iter().map(Value::Integer).collect()
    }
}

fn indexed_objects(filter: &AuditFilter) -> Vec<i64> {
    let mut objects: Vec<i64> = filter.objects.iter().map(|object| checksum::of_name(&object.name)).collect();
    objects.sort_unstable();
    objects.dedup();
    if objects.len() > MOST_OBJECTS { Vec::new() } else { objects }
}
