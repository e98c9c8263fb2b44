//! Finds records of the audit log: whole groups that cannot fit are passed over, then blocks, and what is left is held to
//! the question record by record.

use guardbee_engine::audit::{AuditCursor, AuditEntry, AuditFilter, AuditHash, AuditSeq};
use guardbee_engine::store::StoreError;

use crate::audit_block::{BlockRow, Summary};
use crate::audit_body::{self, Searched};
use crate::audit_group::{self, Group};
use crate::audit_statements::{NamesOf, Order};
use crate::checksum;
use crate::database::Database;
use crate::rows::{Kind, Value};
use crate::session::{Failure, Session};
use crate::statements::Dialect;

/// So many groups are asked for at once.
const GROUPS_AT_ONCE: usize = 256;
/// So many blocks are asked for at first, and at most.
const FIRST_BLOCKS: usize = 2;
const MOST_BLOCKS: usize = 64;

pub async fn read(
    database: &dyn Database,
    filter: &AuditFilter,
    cursor: AuditCursor,
    limit: u32,
) -> Result<Vec<AuditEntry>, Failure> {
    let mut transaction = database.read().await?;
    let dialect = database.dialect();
    let head = crate::audit::read_head(transaction.session(), &dialect.audit_head()).await?;
    let newest = head.seq.0.cast_signed();
    let place = |seq: AuditSeq| i64::try_from(seq.0).unwrap_or(i64::MAX);
    let (order, range) = match cursor {
        AuditCursor::Newest => (Order::NewestFirst, Places { from: 1, to: newest }),
        AuditCursor::Before(seq) => {
            (Order::NewestFirst, Places { from: 1, to: newest.min(place(seq).saturating_sub(1)) })
        }
        AuditCursor::After(seq) => {
            (Order::OldestFirst, Places { from: place(seq).saturating_add(1), to: newest })
        }
    };
    let mut search =
        Search { filter, keys: Keys::of(filter), order, dialect, limit: limit as usize, found: Vec::new() };
    search.through(transaction.session(), range).await?;
    transaction.commit().await?;
    Ok(search.found)
}

/// Some records of the log, by the first and last place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Places {
    from: i64,
    to: i64,
}

impl Places {
    const fn is_empty(self) -> bool {
        self.from > self.to
    }
}

/// What the names of a group have to hold.
struct Keys {
    actor: Option<i64>,
    /// One of these; none: any.
    objects: Vec<i64>,
}

impl Keys {
    fn of(filter: &AuditFilter) -> Self {
        let mut objects: Vec<i64> =
            filter.objects.iter().map(|object| checksum::of_name(&object.name)).collect();
        objects.sort_unstable();
        objects.dedup();
        Self { actor: filter.actor.as_deref().map(checksum::of_name), objects }
    }

    const fn are_none(&self) -> bool {
        self.actor.is_none() && self.objects.is_empty()
    }

    fn may_be_in(&self, names: &[u8]) -> bool {
        self.actor.is_none_or(|actor| audit_group::may_hold(names, actor))
            && (self.objects.is_empty()
                || self.objects.iter().any(|object| audit_group::may_hold(names, *object)))
    }
}

struct Search<'f> {
    filter: &'f AuditFilter,
    keys: Keys,
    order: Order,
    dialect: Dialect,
    limit: usize,
    found: Vec<AuditEntry>,
}

impl Search<'_> {
    fn is_full(&self) -> bool {
        self.found.len() >= self.limit
    }

    /// Searches in some places; what no group covers is looked through.
    async fn through(&mut self, session: &mut dyn Session, mut rest: Places) -> Result<(), Failure> {
        if *self.filter == AuditFilter::default() {
            return self.look_through(session, rest).await;
        }
        while !rest.is_empty() && !self.is_full() {
            let groups = self.groups(session, rest).await?;
            let is_last = groups.len() < GROUPS_AT_ONCE;
            for Covered { places, may_fit } in groups {
                let (uncovered, behind) = self.cut(rest, places);
                self.look_through(session, uncovered).await?;
                if may_fit {
                    let inside = Places { from: places.from.max(rest.from), to: places.to.min(rest.to) };
                    self.look_through(session, inside).await?;
                }
                rest = behind;
                if self.is_full() {
                    return Ok(());
                }
            }
            if is_last {
                return self.look_through(session, rest).await;
            }
        }
        Ok(())
    }

    /// What lies on this side of a group, and what on the other.
    fn cut(&self, rest: Places, group: Places) -> (Places, Places) {
        let above = Places { from: rest.from.max(group.to.saturating_add(1)), to: rest.to };
        let below = Places { from: rest.from, to: rest.to.min(group.from.saturating_sub(1)) };
        match self.order {
            Order::NewestFirst => (above, below),
            Order::OldestFirst => (below, above),
        }
    }

    async fn groups(&self, session: &mut dyn Session, rest: Places) -> Result<Vec<Covered>, Failure> {
        let names = if self.keys.are_none() { NamesOf::None } else { NamesOf::Fitting };
        let sql = self.dialect.find_audit_groups(self.filter, self.order, names);
        let values =
            Dialect::find_audit_groups_values(self.filter, names, rest.from, rest.to, GROUPS_AT_ONCE);
        let mut groups = Vec::new();
        session
            .rows(&sql, &values, Group::KINDS, &mut |row| {
                let damaged = || StoreError::Damaged("a group of the audit log cannot be read".into());
                let (names, summary) = row.split_last().ok_or_else(damaged)?;
                let summary = Summary::read(summary).ok_or_else(damaged)?;
                let may_fit = summary.may_fit(self.filter)
                    && match names {
                        Value::Bytes(names) => self.keys.may_be_in(names),
                        _ => true,
                    };
                let places = Places { from: summary.oldest, to: summary.newest };
                groups.push(Covered { places, may_fit });
                Ok(())
            })
            .await?;
        Ok(groups)
    }

    /// Holds every record in some places to the question, block by block, until there are enough.
    async fn look_through(&mut self, session: &mut dyn Session, mut rest: Places) -> Result<(), Failure> {
        let sql = self.dialect.find_audit(self.filter, self.order);
        let mut blocks = FIRST_BLOCKS;
        while !rest.is_empty() && !self.is_full() {
            let values = Dialect::find_audit_values(self.filter, rest.from, rest.to, blocks);
            let (mut count, mut last) = (0, rest);
            session
                .rows(&sql, &values, Dialect::BLOCK_KINDS_AND_HASH, &mut |row| {
                    count += 1;
                    if self.is_full() {
                        return Ok(());
                    }
                    let damaged =
                        || StoreError::Damaged("a record of the audit log is not what was written".into());
                    let places = self.take(row, rest).ok_or_else(damaged)?;
                    last = self.cut(last, places).1;
                    Ok(())
                })
                .await?;
            if count < blocks {
                break;
            }
            rest = last;
            blocks = (blocks * 2).min(MOST_BLOCKS);
        }
        Ok(())
    }

    /// Takes the records of a block that fit and lie in some places. `None`: the block is not what was written.
    fn take(&mut self, row: &[Value<'_>], within: Places) -> Option<Places> {
        let (before, row) = row.split_last()?;
        let before = match *before {
            Value::Bytes(hash) => AuditHash(hash.try_into().ok()?),
            Value::Null(Kind::Bytes) if matches!(row.get(1), Some(Value::Integer(1))) => AuditHash::default(),
            _ => return None,
        };
        let row = BlockRow::read(row)?;
        let mut fitting: Vec<AuditEntry> = Vec::new();
        row.follow(before, |seq, body, hash| {
            let record = audit_body::read(body)?;
            let searched = Searched::of(&record);
            if (within.from..=within.to).contains(&seq) && self.filter.fits(&record) {
                fitting.push(AuditEntry { seq: AuditSeq(seq.cast_unsigned()), record, hash });
            }
            Some(searched)
        })?;
        let room = self.limit.saturating_sub(self.found.len());
        if self.order == Order::NewestFirst {
            fitting.reverse();
        }
        self.found.extend(fitting.into_iter().take(room));
        Some(Places { from: row.summary.oldest, to: row.summary.newest })
    }
}

/// A group, and whether a record of it may fit.
struct Covered {
    places: Places,
    may_fit: bool,
}
