//! Keeps the index made of runs: large, written as a whole now and then, read as a whole at a start.
//!
//! It is cut into chunks and written with many transactions, so that runs are appended meanwhile and the log of the
//! database stays short; the last of them makes it count. What is left of one that was given up, or of an older one, goes
//! when the next is saved.

use guardbee_engine::run_store::{IndexSaved, RunHead, RunSeq};
use guardbee_engine::store::StoreError;

use crate::checksum::{self, Kept};
use crate::database::Database;
use crate::rows::{Kind, Value};
use crate::runs::RunState;
use crate::session::{Failure, Session};
use crate::statements::Dialect;

/// The size of a chunk.
const CHUNK: usize = 1 << 20;

/// So many chunks go with one transaction.
const CHUNKS_AT_ONCE: usize = 16;

pub async fn save(
    database: &dyn Database,
    made_of: RunHead,
    parts: &mut (dyn Iterator<Item = Vec<u8>> + Send),
) -> Result<IndexSaved, Failure> {
    let Some(id) = begin(database, made_of).await? else { return Ok(IndexSaved::Outdated) };
    let mut writing = Writing { database, id, part: 0, chunk: 0 };
    for part in parts {
        writing.part(&part).await?;
    }
    let saved = writing.end(made_of).await?;
    remove_leftovers(database, id, saved).await?;
    Ok(saved)
}

/// Begins an index, where it would be of use.
async fn begin(database: &dyn Database, made_of: RunHead) -> Result<Option<i64>, Failure> {
    let dialect = database.dialect();
    let mut transaction = database.write().await?;
    let session = transaction.session();
    let mut state = RunState::lock(session, dialect).await?;
    if is_outdated(session, dialect, state, made_of).await? {
        return Ok(None);
    }
    let id = state.next_index;
    state.next_index = id.saturating_add(1);
    state.write(session, dialect).await?;
    let values = [id, integer(made_of.newest.0), integer(made_of.forgotten)].map(Value::Integer);
    session.execute(&dialect.begin_index(), &values).await?;
    transaction.commit().await?;
    Ok(Some(id))
}

async fn is_outdated(
    session: &mut dyn Session,
    dialect: Dialect,
    state: RunState,
    made_of: RunHead,
) -> Result<bool, Failure> {
    let head = state.head();
    if made_of.forgotten != head.forgotten || made_of.newest > head.newest {
        return Ok(true);
    }
    let newest = whole(session, dialect).await?;
    Ok(newest.is_some_and(|index| index.made_of.newest > made_of.newest))
}

/// An index that is whole.
struct Whole {
    id: i64,
    made_of: RunHead,
    parts: i64,
    chunks: i64,
}

impl Whole {
    fn checksum(&self) -> i64 {
        let values = [
            self.id,
            integer(self.made_of.newest.0),
            integer(self.made_of.forgotten),
            self.parts,
            self.chunks,
        ];
        checksum::of_kept(Kept::Index, &values.map(Value::Integer))
    }
}

async fn whole(session: &mut dyn Session, dialect: Dialect) -> Result<Option<Whole>, Failure> {
    let mut found = None;
    session
        .rows(&dialect.whole_index(), &[], Dialect::INDEX_KINDS, &mut |row| {
            let [
                Value::Integer(id),
                Value::Integer(newest),
                Value::Integer(forgotten),
                Value::Integer(parts),
                Value::Integer(chunks),
                Value::Integer(sum),
            ] = *row
            else {
                return Err(damaged());
            };
            let made_of =
                RunHead { newest: RunSeq(newest.cast_unsigned()), forgotten: forgotten.cast_unsigned() };
            let index = Whole { id, made_of, parts, chunks };
            if index.checksum() != sum {
                return Err(damaged());
            }
            found = Some(index);
            Ok(())
        })
        .await?;
    Ok(found)
}

fn damaged() -> StoreError {
    StoreError::Damaged("its saved index is not what was written".into())
}

/// Numbers of this crate count things that there are; none is beyond what a store can write.
fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// An index that is being written.
struct Writing<'d> {
    database: &'d dyn Database,
    id: i64,
    part: i64,
    chunk: i64,
}

impl Writing<'_> {
    async fn part(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        // A part without bytes is a part as well.
        let chunks: Vec<&[u8]> = if bytes.is_empty() { vec![bytes] } else { bytes.chunks(CHUNK).collect() };
        for some in chunks.chunks(CHUNKS_AT_ONCE) {
            let mut transaction = self.database.write().await?;
            for chunk in some {
                self.chunk(transaction.session(), chunk, integer(bytes.len() as u64)).await?;
            }
            transaction.commit().await?;
        }
        self.part += 1;
        Ok(())
    }

    async fn chunk(
        &mut self,
        session: &mut dyn Session,
        bytes: &[u8],
        part_size: i64,
    ) -> Result<(), Failure> {
        let [id, chunk, part, size] = [self.id, self.chunk, self.part, part_size].map(Value::Integer);
        let sum = checksum::of_kept(Kept::IndexChunk, &[id, chunk, part, size, Value::Bytes(bytes)]);
        let values = [id, chunk, part, size, Value::Bytes(bytes), Value::Integer(sum)];
        session.execute(&self.database.dialect().add_index_chunk(), &values).await?;
        self.chunk += 1;
        Ok(())
    }

    /// Makes it count, where it is still of use.
    async fn end(self, made_of: RunHead) -> Result<IndexSaved, Failure> {
        let dialect = self.database.dialect();
        let mut transaction = self.database.write().await?;
        let session = transaction.session();
        let state = RunState::lock(session, dialect).await?;
        let is_there = count(session, dialect, self.id).await? == 1;
        if !is_there || is_outdated(session, dialect, state, made_of).await? {
            return Ok(IndexSaved::Outdated);
        }
        let index = Whole { id: self.id, made_of, parts: self.part, chunks: self.chunk };
        let values = [index.parts, index.chunks, index.checksum(), index.id].map(Value::Integer);
        session.execute(&dialect.end_index(), &values).await?;
        session.execute(&dialect.remove_indexes_before(), &[Value::Integer(self.id)]).await?;
        transaction.commit().await?;
        Ok(IndexSaved::Saved)
    }
}

async fn count(session: &mut dyn Session, dialect: Dialect, id: i64) -> Result<i64, Failure> {
    let mut found = 0;
    session
        .rows(&dialect.count_index(), &[Value::Integer(id)], &[Kind::Integer], &mut |row| {
            if let [Value::Integer(count)] = *row {
                found = count;
            }
            Ok(())
        })
        .await?;
    Ok(found)
}

/// Removes the chunks of indexes before one, and its own where it is of no use, some at a time.
async fn remove_leftovers(database: &dyn Database, id: i64, saved: IndexSaved) -> Result<(), Failure> {
    let dialect = database.dialect();
    let before = match saved {
        IndexSaved::Saved => id,
        IndexSaved::Outdated => id.saturating_add(1),
    };
    loop {
        let mut transaction = database.write().await?;
        let session = transaction.session();
        let oldest = session.integer(&dialect.oldest_index_chunks()).await?;
        if oldest == 0 || oldest >= before {
            return transaction.commit().await;
        }
        let mut first = 0;
        session
            .rows(&dialect.first_index_chunk(), &[Value::Integer(oldest)], &[Kind::Integer], &mut |row| {
                if let [Value::Integer(chunk)] = *row {
                    first = chunk;
                }
                Ok(())
            })
            .await?;
        let end = first.saturating_add(4 * integer(CHUNKS_AT_ONCE as u64));
        session.execute(&dialect.remove_index_chunks(), &[oldest, end].map(Value::Integer)).await?;
        transaction.commit().await?;
    }
}

pub async fn load(
    database: &dyn Database,
    each: &mut (dyn FnMut(Vec<u8>) + Send),
) -> Result<Option<RunHead>, Failure> {
    let dialect = database.dialect();
    let mut transaction = database.read().await?;
    let session = transaction.session();
    let Some(index) = whole(session, dialect).await? else {
        transaction.commit().await?;
        return Ok(None);
    };
    let mut reading = Reading { chunk: 0, part: 0, bytes: Vec::new(), each };
    session
        .rows(&dialect.index_chunks(), &[Value::Integer(index.id)], Dialect::INDEX_CHUNK_KINDS, &mut |row| {
            reading.chunk(row)
        })
        .await?;
    reading.end(&index)?;
    transaction.commit().await?;
    Ok(Some(index.made_of))
}

/// Puts chunks together to parts.
struct Reading<'e> {
    /// The chunk that comes next.
    chunk: i64,
    part: i64,
    bytes: Vec<u8>,
    each: &'e mut (dyn FnMut(Vec<u8>) + Send),
}

impl Reading<'_> {
    fn chunk(&mut self, row: &[Value<'_>]) -> Result<(), StoreError> {
        let (Value::Integer(sum), values) = row.split_last().ok_or_else(damaged)? else {
            return Err(damaged());
        };
        let [
            Value::Integer(_),
            Value::Integer(chunk),
            Value::Integer(part),
            Value::Integer(part_size),
            Value::Bytes(bytes),
        ] = *values
        else {
            return Err(damaged());
        };
        if checksum::of_kept(Kept::IndexChunk, values) != *sum || chunk != self.chunk {
            return Err(damaged());
        }
        if part != self.part {
            (self.each)(std::mem::take(&mut self.bytes));
            self.part = part;
        }
        if self.bytes.is_empty() {
            // A part may have gigabytes: growing into them would take as many again.
            let size = usize::try_from(part_size).map_err(|_| damaged())?;
            self.bytes.try_reserve_exact(size).map_err(|_| damaged())?;
        }
        self.bytes.extend_from_slice(bytes);
        self.chunk += 1;
        Ok(())
    }

    fn end(mut self, index: &Whole) -> Result<(), StoreError> {
        if self.chunk != index.chunks {
            return Err(damaged());
        }
        if index.parts > 0 {
            (self.each)(std::mem::take(&mut self.bytes));
        }
        Ok(())
    }
}
