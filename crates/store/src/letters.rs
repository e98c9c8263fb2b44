//! Keeps what could not be recorded, each once, until it is revived or removed.

use guardbee_engine::run_store::{Appended, BuriedLetter, DeadLetter, LetterBounds, LetterId, LetterUse};
use guardbee_engine::store::StoreError;
use guardbee_lineage::Run;
use guardbee_model::Timestamp;
use sha2::{Digest, Sha256};

use crate::batches::batches;
use crate::checksum::{self, Kept};
use crate::database::Database;
use crate::encoding::{Decoder, Encoder};
use crate::rows::{Kind, Value};
use crate::runs::{self, Body, MOST_BYTES, RunState};
use crate::session::{Failure, Session};
use crate::statements::{Dialect, News};

pub async fn bury(
    database: &dyn Database,
    letters: &[DeadLetter],
    bounds: LetterBounds,
) -> Result<Vec<Option<LetterId>>, Failure> {
    let size = |letter: &DeadLetter| letter.payload.len() + letter.source.len() + letter.reason.len();
    if letters.iter().any(|letter| size(letter) > MOST_BYTES) {
        let message = format!("a dead letter has more than {} MiB", MOST_BYTES >> 20);
        return Err(StoreError::Unstorable(message).into());
    }
    let mut transaction = database.write().await?;
    let session = transaction.session();
    let mut state = RunState::lock(session, database.dialect()).await?;
    let mut room = Room { used: count(session, database.dialect()).await?, bounds, is_full: false };
    let mut ids = Vec::with_capacity(letters.len());
    for letter in letters {
        ids.push(bury_one(session, database.dialect(), &mut state, &mut room, letter).await?);
    }
    state.write(session, database.dialect()).await?;
    transaction.commit().await?;
    Ok(ids)
}

/// What may still come. Where one letter found no room, no other does.
struct Room {
    used: LetterUse,
    bounds: LetterBounds,
    is_full: bool,
}

impl Room {
    fn take(&mut self, bytes: u64) -> bool {
        self.is_full |= !self.used.has_room(bytes, self.bounds);
        if !self.is_full {
            self.used.count += 1;
            self.used.bytes += bytes;
        }
        !self.is_full
    }
}

pub async fn in_use(database: &dyn Database) -> Result<LetterUse, Failure> {
    let mut transaction = database.read().await?;
    let used = count(transaction.session(), database.dialect()).await?;
    transaction.commit().await?;
    Ok(used)
}

async fn count(session: &mut dyn Session, dialect: Dialect) -> Result<LetterUse, Failure> {
    let mut used = LetterUse::default();
    session
        .rows(&dialect.letter_use(), &[], &[Kind::Integer, Kind::Integer], &mut |row| {
            if let [Value::Integer(count), Value::Integer(bytes)] = *row {
                used = LetterUse { count: count.cast_unsigned(), bytes: bytes.cast_unsigned() };
            }
            Ok(())
        })
        .await?;
    Ok(used)
}

async fn bury_one(
    session: &mut dyn Session,
    dialect: Dialect,
    state: &mut RunState,
    room: &mut Room,
    letter: &DeadLetter,
) -> Result<Option<LetterId>, Failure> {
    let body = write_body(letter);
    let digest = digest(letter);
    let before = read(session, &dialect.letter_of_digest(), &[Value::Bytes(&digest)]).await?.pop();
    let (id, times) = match before {
        Some(before) => {
            let id = before.id.0.cast_signed();
            remove_some(session, dialect, &[Value::Integer(id)]).await?;
            (id, before.times.saturating_add(1).cast_signed())
        }
        None if !room.take(body.len() as u64) => return Ok(None),
        None => {
            state.next_letter = state.next_letter.saturating_add(1);
            (state.next_letter - 1, 1)
        }
    };
    let values = [
        Value::Integer(id),
        Value::Bytes(&digest),
        Value::Integer(letter.received_at.0),
        Value::Integer(times),
        Value::Bytes(&body),
    ];
    let sum = Value::Integer(checksum::of_kept(Kept::Letter, &values));
    let [id_value, digest_value, received_at, times_value, body_value] = values;
    let row = [id_value, digest_value, received_at, times_value, body_value, sum];
    session.execute(&dialect.add_letter(), &row).await?;
    Ok(Some(LetterId(id.cast_unsigned())))
}

/// Tells letters apart by where they came from and what they hold.
fn digest(letter: &DeadLetter) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update((letter.source.len() as u64).to_le_bytes());
    digest.update(letter.source.as_bytes());
    digest.update(&letter.payload);
    digest.finalize().into()
}

fn write_body(letter: &DeadLetter) -> Vec<u8> {
    let mut encoder = Encoder::new(&[]);
    encoder.literal(&letter.source);
    encoder.literal(&letter.reason);
    encoder.bytes(&letter.payload);
    encoder.finish()
}

fn read_body(received_at: i64, body: &[u8]) -> Option<DeadLetter> {
    let mut decoder = Decoder::new(body, &[]);
    let letter = DeadLetter {
        received_at: Timestamp(received_at),
        source: decoder.literal()?.into(),
        reason: decoder.literal()?.into(),
        payload: decoder.bytes()?.into(),
    };
    decoder.end()?;
    Some(letter)
}

async fn read(
    session: &mut dyn Session,
    sql: &str,
    values: &[Value<'_>],
) -> Result<Vec<BuriedLetter>, Failure> {
    let mut letters = Vec::new();
    session
        .rows(sql, values, Dialect::LETTER_KINDS, &mut |row| {
            letters.push(read_row(row)?);
            Ok(())
        })
        .await?;
    Ok(letters)
}

fn read_row(row: &[Value<'_>]) -> Result<BuriedLetter, StoreError> {
    let damaged = || StoreError::Damaged("a dead letter is not what was written".into());
    let (Value::Integer(sum), values) = row.split_last().ok_or_else(damaged)? else {
        return Err(damaged());
    };
    if checksum::of_kept(Kept::Letter, values) != *sum {
        return Err(damaged());
    }
    match *values {
        [
            Value::Integer(id),
            Value::Bytes(_),
            Value::Integer(received_at),
            Value::Integer(times),
            Value::Bytes(body),
        ] => Ok(BuriedLetter {
            id: LetterId(id.cast_unsigned()),
            letter: read_body(received_at, body).ok_or_else(damaged)?,
            times: times.cast_unsigned(),
        }),
        _ => Err(damaged()),
    }
}

pub async fn after(
    database: &dyn Database,
    after: LetterId,
    limit: u32,
) -> Result<Vec<BuriedLetter>, Failure> {
    let values = [Value::Integer(integer(after)), Value::Integer(limit.into())];
    let mut transaction = database.read().await?;
    let letters = read(transaction.session(), &database.dialect().letters_after(), &values).await?;
    transaction.commit().await?;
    Ok(letters)
}

pub async fn one(database: &dyn Database, id: LetterId) -> Result<Option<BuriedLetter>, Failure> {
    let mut transaction = database.read().await?;
    let values = [Value::Integer(integer(id))];
    let letter = read(transaction.session(), &database.dialect().letter(), &values).await?.pop();
    transaction.commit().await?;
    Ok(letter)
}

pub async fn revive(
    database: &dyn Database,
    id: LetterId,
    runs: &[Run],
) -> Result<Option<Vec<Appended>>, Failure> {
    let bodies = Body::of_all(runs);
    let mut transaction = database.write().await?;
    let session = transaction.session();
    // The lock comes first: of two who revive the same letter, one finds it.
    let (appended, state) = runs::add(session, database.dialect(), &bodies).await?;
    let values = [Value::Integer(integer(id))];
    let is_there = !read(session, &database.dialect().letter(), &values).await?.is_empty();
    if !is_there {
        return Ok(None);
    }
    let is_whole = !appended.iter().any(|appended| matches!(appended, Appended::Refused(_)));
    if is_whole {
        remove_some(session, database.dialect(), &values).await?;
    }
    transaction.commit().await?;
    database.feed(News::Runs).made(state.changes());
    Ok(Some(appended))
}

pub async fn remove(database: &dyn Database, ids: &[LetterId]) -> Result<u64, Failure> {
    let values: Vec<Value<'_>> = ids.iter().map(|id| Value::Integer(integer(*id))).collect();
    let mut transaction = database.write().await?;
    let mut count = 0;
    for batch in batches(&values) {
        count += remove_some(transaction.session(), database.dialect(), batch).await?;
    }
    transaction.commit().await?;
    Ok(count)
}

async fn remove_some(session: &mut dyn Session, dialect: Dialect, ids: &[Value<'_>]) -> Result<u64, Failure> {
    let mut count = 0;
    session
        .rows(&dialect.remove_letters(ids.len()), ids, &[Kind::Integer], &mut |_| {
            count += 1;
            Ok(())
        })
        .await?;
    Ok(count)
}

fn integer(id: LetterId) -> i64 {
    i64::try_from(id.0).unwrap_or(i64::MAX)
}
