//! A record of the audit log as bytes, and back. The hashes of the log are over these bytes: how a record is written
//! never changes but with another first byte.

use guardbee_engine::audit::{AuditKind, AuditObject, AuditRecord, Verdict};
use guardbee_engine::store::PolicyVersion;
use guardbee_model::Timestamp;

use crate::encoding::{Decoder, Encoder, codes};

/// How bodies are written today.
const FORM: u8 = 1;

codes!(kind_code, kind: AuditKind { 0 => Decision, 1 => Failure, 2 => Change, 3 => Read });

codes!(verdict_code, verdict: Verdict { 0 => Denied, 1 => Allowed });

/// As the log's tables write it.
pub fn kind_number(kind: AuditKind) -> i64 {
    kind_code(kind).into()
}

/// As the log's tables write it.
pub fn verdict_number(verdict: Verdict) -> i64 {
    verdict_code(verdict).into()
}

pub fn write(record: &AuditRecord) -> Vec<u8> {
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
    let mut encoder = Encoder::new(&[]);
    encoder.byte(FORM);
    encoder.signed(at.0);
    encoder.text(actor);
    encoder.count(groups.len());
    groups.iter().for_each(|group| encoder.text(group));
    encoder.byte(kind_code(*kind));
    encoder.literal(statement);
    encoder.text(operation);
    encoder.count(objects.len());
    for AuditObject { name, access, columns } in objects {
        encoder.text(name);
        encoder.text(access);
        encoder.count(columns.len());
        columns.iter().for_each(|column| encoder.text(column));
    }
    encoder.byte(verdict_code(*verdict));
    for texts in [reasons, missing] {
        encoder.count(texts.len());
        texts.iter().for_each(|text| encoder.text(text));
    }
    encoder.number(policy_version.0);
    encoder.optional_text(client.as_deref());
    encoder.finish()
}

/// `None`: that is no body of a record.
pub fn read(body: &[u8]) -> Option<AuditRecord> {
    let mut decoder = Decoder::new(body, &[]);
    if decoder.byte()? != FORM {
        return None;
    }
    let record = AuditRecord {
        at: Timestamp(decoder.signed()?),
        actor: decoder.small()?,
        groups: decoder.list(Decoder::small)?,
        kind: kind(decoder.byte()?)?,
        statement: decoder.literal()?.into(),
        operation: decoder.small()?,
        objects: decoder.list(object)?,
        verdict: verdict(decoder.byte()?)?,
        reasons: decoder.list(Decoder::shared)?,
        missing: decoder.list(Decoder::shared)?,
        policy_version: PolicyVersion(decoder.number()?),
        client: decoder.optional_small()?,
    };
    decoder.end()?;
    Some(record)
}

fn object(decoder: &mut Decoder<'_>) -> Option<AuditObject> {
    Some(AuditObject {
        name: decoder.small()?,
        access: decoder.small()?,
        columns: decoder.list(Decoder::name)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Value;
    use crate::run_sample;
    use crate::sample::{Dice, spoil};

    #[test]
    fn every_part_of_a_record_comes_back() {
        let mut dice = Dice::new(1);
        for _ in 0..2000 {
            let record = run_sample::record(&mut dice);
            assert_eq!(read(&write(&record)), Some(record));
        }
    }

    #[test]
    fn bytes_may_be_anything() {
        let mut dice = Dice::new(2);
        let mut nothing = 0;
        for _ in 0..20_000 {
            let mut bytes = write(&run_sample::record(&mut dice));
            spoil(&mut dice, &mut bytes);
            nothing += u32::from(read(&bytes).is_none());
        }
        assert!(nothing > 8_000, "{nothing} of them were no record");
    }

    /// The hashes of every log there is are over these bytes.
    #[test]
    fn the_form_never_changes() {
        let mut dice = Dice::new(3);
        let bytes: Vec<u8> = (0..200).flat_map(|_| write(&run_sample::record(&mut dice))).collect();
        assert_eq!(crate::checksum::of_record(&[Value::Bytes(&bytes)]), PINNED);
    }

    const PINNED: i64 = -3417840083690278347;
}
