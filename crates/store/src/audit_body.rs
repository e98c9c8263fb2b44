//! A record of the audit log as bytes, and back. The hashes of the log are over these bytes: how a record is written
//! never changes but with another first byte.

use guardbee_engine::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use guardbee_engine::store::PolicyVersion;
use guardbee_model::{Name, Timestamp};

use crate::checksum;
use crate::encoding::{Decoder, Encoder, codes};

/// How the first logs were written: a text that came before in the same record is told by its number. Read, not written.
const NUMBERED: u8 = 1;
/// How records are written today: every text in full. They are packed many together, where repeated texts cost little.
const FULL: u8 = 2;

codes!(kind_code, kind: AuditKind { 0 => Decision, 1 => Failure, 2 => Change, 3 => Read });

codes!(verdict_code, verdict: Verdict { 0 => Denied, 1 => Allowed });

/// As the log's tables write it: a bit for each, so that a row can tell of several.
pub const fn kind_bit(kind: AuditKind) -> i64 {
    1 << kind_code(kind)
}

/// As the log's tables write it, as [`kind_bit`].
pub const fn verdict_bit(verdict: Verdict) -> i64 {
    1 << verdict_code(verdict)
}

/// Writes a record behind what is there.
pub fn write(record: &AuditRecord, encoder: &mut Encoder<'_>) {
    let AuditRecord {
        at,
        actor,
        groups,
        kind,
        statement,
        operation,
        objects,
        verdict,
        reasons,
        missing,
        policy_version,
        client,
    } = record;
    encoder.byte(FULL);
    encoder.signed(at.0);
    encoder.byte(kind_code(*kind));
    encoder.byte(verdict_code(*verdict));
    // What is searched by comes first.
    encoder.literal(actor);
    encoder.count(objects.len());
    for AuditObject { name, access, columns } in objects {
        encoder.literal(name);
        encoder.literal(access);
        encoder.count(columns.len());
        columns.iter().for_each(|column| encoder.literal(column));
    }
    encoder.count(groups.len());
    groups.iter().for_each(|group| encoder.literal(group));
    encoder.literal(statement);
    encoder.literal(operation);
    for texts in [reasons, missing] {
        encoder.count(texts.len());
        texts.iter().for_each(|text| encoder.literal(text));
    }
    encoder.number(policy_version.0);
    encoder.optional_number(client.as_ref().map(|client| client.len() as u64));
    client.iter().for_each(|client| encoder.raw(client.as_bytes()));
}

/// `None`: that is no body of a record.
pub fn read(body: &[u8]) -> Option<AuditRecord> {
    let mut decoder = Decoder::new(body, &[]);
    let record = match decoder.byte()? {
        NUMBERED => numbered(&mut decoder)?,
        FULL => full(&mut decoder)?,
        _ => return None,
    };
    decoder.end()?;
    Some(record)
}

/// What a record is searched by; goes behind what is there.
pub fn keys(record: &AuditRecord, keys: &mut Vec<i64>) {
    keys.push(checksum::of_name(&record.actor));
    keys.extend(record.objects.iter().map(|object| checksum::of_name(&object.name)));
}

/// When a record was made and of what kind it is, as the log's tables write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Searched {
    pub at: i64,
    pub kind: i64,
    pub verdict: i64,
}

impl Searched {
    pub const fn of(record: &AuditRecord) -> Self {
        Self { at: record.at.0, kind: kind_bit(record.kind), verdict: verdict_bit(record.verdict) }
    }
}

/// Reads no more of a record than what it is searched by; the keys go behind those that are there. `None`: that is no
/// body of a record, as far as it was read.
pub fn searched(body: &[u8], keys: &mut Vec<i64>) -> Option<Searched> {
    let mut decoder = Decoder::new(body, &[]);
    if decoder.byte()? != FULL {
        let record = read(body)?;
        self::keys(&record, keys);
        return Some(Searched::of(&record));
    }
    let at = decoder.signed()?;
    let kind = kind_bit(kind(decoder.byte()?)?);
    let verdict = verdict_bit(verdict(decoder.byte()?)?);
    keys.push(checksum::of_name(decoder.literal()?));
    for _ in 0..decoder.count()? {
        keys.push(checksum::of_name(decoder.literal()?));
        decoder.bytes()?;
        for _ in 0..decoder.count()? {
            decoder.bytes()?;
        }
    }
    Some(Searched { at, kind, verdict })
}

fn full(decoder: &mut Decoder<'_>) -> Option<AuditRecord> {
    let at = Timestamp(decoder.signed()?);
    let kind = kind(decoder.byte()?)?;
    let verdict = verdict(decoder.byte()?)?;
    let actor = decoder.literal()?.into();
    let objects = decoder.list(|decoder| {
        Some(AuditObject {
            name: decoder.literal()?.into(),
            access: decoder.literal()?.into(),
            columns: decoder.list(|decoder| decoder.literal().map(Name::fold))?,
        })
    })?;
    Some(AuditRecord {
        at,
        actor,
        groups: decoder.list(|decoder| decoder.literal().map(Into::into))?,
        kind,
        statement: decoder.literal()?.into(),
        operation: decoder.literal()?.into(),
        objects,
        verdict,
        reasons: decoder.list(|decoder| decoder.literal().map(Into::into))?,
        missing: decoder.list(|decoder| decoder.literal().map(Into::into))?,
        policy_version: PolicyVersion(decoder.number()?),
        client: match decoder.optional_number()? {
            Some(length) => Some(decoder.text_of(length)?.into()),
            None => None,
        },
    })
}

fn numbered(decoder: &mut Decoder<'_>) -> Option<AuditRecord> {
    Some(AuditRecord {
        at: Timestamp(decoder.signed()?),
        actor: decoder.small()?,
        groups: decoder.list(Decoder::small)?,
        kind: kind(decoder.byte()?)?,
        statement: decoder.literal()?.into(),
        operation: decoder.small()?,
        objects: decoder.list(|decoder| {
            Some(AuditObject {
                name: decoder.small()?,
                access: decoder.small()?,
                columns: decoder.list(Decoder::name)?,
            })
        })?,
        verdict: verdict(decoder.byte()?)?,
        reasons: decoder.list(Decoder::shared)?,
        missing: decoder.list(Decoder::shared)?,
        policy_version: PolicyVersion(decoder.number()?),
        client: decoder.optional_small()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Value;
    use crate::run_sample;
    use crate::sample::{Dice, spoil};

    fn written(record: &AuditRecord) -> Vec<u8> {
        let mut encoder = Encoder::new(&[]);
        write(record, &mut encoder);
        encoder.finish()
    }

    #[test]
    fn every_part_of_a_record_comes_back() {
        let mut dice = Dice::new(1);
        for _ in 0..2000 {
            let record = run_sample::record(&mut dice);
            let body = written(&record);
            assert_eq!(read(&body).as_ref(), Some(&record));
            let mut keys = Vec::new();
            assert_eq!(searched(&body, &mut keys), Some(Searched::of(&record)));
            let mut expected = Vec::new();
            self::keys(&record, &mut expected);
            assert_eq!(keys, expected);
        }
    }

    #[test]
    fn bytes_may_be_anything() {
        let mut dice = Dice::new(2);
        let mut nothing = 0;
        for _ in 0..20_000 {
            let mut bytes = written(&run_sample::record(&mut dice));
            spoil(&mut dice, &mut bytes);
            nothing += u32::from(read(&bytes).is_none());
            let _ = searched(&bytes, &mut Vec::new());
        }
        assert!(nothing > 6_000, "{nothing} of them were no record");
    }

    /// The hashes of every log there is are over these bytes.
    #[test]
    fn the_form_never_changes() {
        let mut dice = Dice::new(3);
        let bytes: Vec<u8> = (0..200).flat_map(|_| written(&run_sample::record(&mut dice))).collect();
        assert_eq!(crate::checksum::of_record(&[Value::Bytes(&bytes)]), PINNED);
    }

    const PINNED: i64 = 996400185672286487;
}
