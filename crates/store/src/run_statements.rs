//! The SQL of runs, of the index made of them, and of dead letters.

use guardbee_engine::run_store::RunFilter;
use guardbee_model::Operation;

use crate::rows::{Kind, Value};
use crate::statements::{Dialect, Writer};

impl Dialect {
    pub const RUN_STATE_KINDS: &'static [Kind] = &[Kind::Integer; 4];

    /// Where the runs stand: newest, forgotten, next letter, next index.
    pub fn run_state(self) -> String {
        format!(
            "SELECT newest, forgotten, next_letter, next_index FROM {}run_state WHERE id = 1",
            self.prefix
        )
    }

    /// The same, to be held until the transaction ends.
    pub fn lock_run_state(self) -> String {
        self.run_state() + self.row_lock
    }

    /// Parameters: those that [`run_state`](Self::run_state) gives.
    pub fn set_run_state(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push("run_state SET newest = ").parameter();
        writer.push(", forgotten = ").parameter().push(", next_letter = ").parameter();
        writer.push(", next_index = ").parameter().push(" WHERE id = 1").finish()
    }

    /// How many runs came, and how many were forgotten, in one number.
    pub fn run_changes(self) -> String {
        format!("SELECT newest + forgotten FROM {}run_state WHERE id = 1", self.prefix)
    }

    /// By how many the place of the newest run and its row are apart.
    pub fn run_drift(self) -> String {
        let prefix = self.prefix;
        format!(
            "SELECT newest - (SELECT coalesce(max(seq), 0) FROM {prefix}runs) FROM {prefix}run_state WHERE id = 1"
        )
    }

    /// The columns of a run, in the order of their checksum.
    const RUN: &'static str = "seq, run_key, ended_at, user_name, operation, body";

    pub const RUN_KINDS: &'static [Kind] =
        &[Kind::Integer, Kind::Text, Kind::Integer, Kind::Text, Kind::Text, Kind::Bytes, Kind::Integer];

    pub fn add_runs(self, rows: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("runs (").push(Self::RUN);
        writer.push(", checksum) VALUES ").tuples(rows, Self::RUN_KINDS.len()).finish()
    }

    /// Keys and places. Parameters: the keys.
    pub fn known_runs(self, keys: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT run_key, seq FROM ").push(self.prefix).push("runs WHERE run_key IN ");
        writer.tuples(1, keys).finish()
    }

    fn runs(self) -> Writer {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::RUN).push(", checksum FROM ").push(self.prefix).push("runs WHERE ");
        writer
    }

    /// Parameters: the place that they come after, the last place, how many.
    pub fn runs_after(self) -> String {
        let mut writer = self.runs();
        writer.push("seq > ").parameter().push(" AND seq <= ").parameter();
        writer.push(" ORDER BY seq LIMIT ").parameter().finish()
    }

    /// Parameters: the places.
    pub fn runs_by_seq(self, count: usize) -> String {
        self.runs().push("seq IN ").tuples(1, count).finish()
    }

    /// Parameters: the keys.
    pub fn runs_by_key(self, count: usize) -> String {
        self.runs().push("run_key IN ").tuples(1, count).finish()
    }

    /// Those that are not forgotten and fit, last ended first. Parameters: those that
    /// [`find_runs_values`](Self::find_runs_values) gives, how many.
    pub fn find_runs(self, filter: &RunFilter) -> String {
        let mut writer = self.runs();
        writer.push("body IS NOT NULL AND (ended_at, seq) < ").tuples(1, 2);
        let parts = [
            ("user_name =", filter.user.is_some()),
            ("operation =", filter.operation.is_some()),
            ("ended_at >=", filter.from.is_some()),
            ("ended_at <", filter.until.is_some()),
        ];
        for (part, _) in parts.into_iter().filter(|(_, is_given)| *is_given) {
            writer.push(" AND ").push(part).push(" ").parameter();
        }
        // The index by operation leaves queries out: said like this, it is known to hold all that is asked for.
        if filter.operation.as_deref().is_some_and(|operation| operation != Operation::Query.as_str()) {
            writer.push(" AND operation <> 'QUERY'");
        }
        writer.push(" ORDER BY ended_at DESC, seq DESC LIMIT ").parameter().finish()
    }

    /// `ended_at`, `seq`: where the page begins.
    pub fn find_runs_values(filter: &RunFilter, ended_at: i64, seq: i64) -> Vec<Value<'_>> {
        let mut values = vec![Value::Integer(ended_at), Value::Integer(seq)];
        values.extend(filter.user.as_deref().map(Value::Text));
        values.extend(filter.operation.as_deref().map(Value::Text));
        values.extend([filter.from, filter.until].into_iter().flatten().map(|at| Value::Integer(at.0)));
        values
    }

    /// Parameters: the place and checksum of each.
    pub fn forget_runs(self, rows: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix);
        writer.push(
            "runs SET body = NULL, user_name = NULL, operation = NULL, checksum = gone.column2 FROM (VALUES ",
        );
        writer.tuples(rows, 2).push(") AS gone WHERE seq = gone.column1").finish()
    }

    pub const INDEX_KINDS: &'static [Kind] = &[Kind::Integer; 6];

    /// The newest index that is whole: id, newest, forgotten, parts, chunks, checksum.
    pub fn whole_index(self) -> String {
        format!(
            "SELECT id, newest, forgotten, parts, chunks, checksum FROM {}run_indexes WHERE parts IS NOT NULL \
             ORDER BY id DESC LIMIT 1",
            self.prefix
        )
    }

    /// Parameters: id, newest, forgotten.
    pub fn begin_index(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("run_indexes (id, newest, forgotten) VALUES ");
        writer.tuples(1, 3).finish()
    }

    /// Parameters: parts, chunks, checksum, id.
    pub fn end_index(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("UPDATE ").push(self.prefix).push("run_indexes SET parts = ").parameter();
        writer.push(", chunks = ").parameter().push(", checksum = ").parameter();
        writer.push(" WHERE id = ").parameter().finish()
    }

    /// How many there are with an id. Parameter: the id.
    pub fn count_index(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT count(*) FROM ").push(self.prefix).push("run_indexes WHERE id = ");
        writer.parameter().finish()
    }

    pub fn outdate_indexes(self) -> String {
        format!("UPDATE {}run_indexes SET parts = NULL WHERE parts IS NOT NULL", self.prefix)
    }

    /// Parameters: index, chunk, part, its size, bytes, checksum.
    pub fn add_index_chunk(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix);
        writer
            .push("run_index_chunks (index_id, chunk, part, part_size, bytes, checksum) VALUES ")
            .tuples(1, 6)
            .finish()
    }

    pub const INDEX_CHUNK_KINDS: &'static [Kind] =
        &[Kind::Integer, Kind::Integer, Kind::Integer, Kind::Integer, Kind::Bytes, Kind::Integer];

    /// Parameter: the index.
    pub fn index_chunks(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT index_id, chunk, part, part_size, bytes, checksum FROM ").push(self.prefix);
        writer.push("run_index_chunks WHERE index_id = ").parameter().push(" ORDER BY chunk").finish()
    }

    /// The least index that has chunks.
    pub fn oldest_index_chunks(self) -> String {
        format!("SELECT coalesce(min(index_id), 0) FROM {}run_index_chunks", self.prefix)
    }

    /// Parameters: the index, up to which chunk.
    pub fn remove_index_chunks(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("run_index_chunks WHERE index_id = ").parameter();
        writer.push(" AND chunk < ").parameter().finish()
    }

    /// The least chunk of an index. Parameter: the index.
    pub fn first_index_chunk(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("SELECT min(chunk) FROM ").push(self.prefix);
        writer.push("run_index_chunks WHERE index_id = ").parameter().finish()
    }

    /// Parameter: before which id.
    pub fn remove_indexes_before(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("run_indexes WHERE id < ").parameter().finish()
    }

    /// The columns of a letter, in the order of their checksum.
    const LETTER: &'static str = "id, digest, received_at, times, body";

    pub const LETTER_KINDS: &'static [Kind] =
        &[Kind::Integer, Kind::Bytes, Kind::Integer, Kind::Integer, Kind::Bytes, Kind::Integer];

    pub fn add_letter(self) -> String {
        let mut writer = Writer::new(self);
        writer.push("INSERT INTO ").push(self.prefix).push("dead_letters (").push(Self::LETTER);
        writer.push(", checksum) VALUES ").tuples(1, Self::LETTER_KINDS.len()).finish()
    }

    fn letters(self) -> Writer {
        let mut writer = Writer::new(self);
        writer.push("SELECT ").push(Self::LETTER).push(", checksum FROM ").push(self.prefix);
        writer.push("dead_letters WHERE ");
        writer
    }

    /// Parameters: the letter that they come after, how many.
    pub fn letters_after(self) -> String {
        self.letters().push("id > ").parameter().push(" ORDER BY id LIMIT ").parameter().finish()
    }

    /// How many letters there are, and the bytes of their bodies.
    pub fn letter_use(self) -> String {
        format!(
            "SELECT count(*), CAST(coalesce(sum(length(body)), 0) AS BIGINT) FROM {}dead_letters",
            self.prefix
        )
    }

    /// Parameter: the digest.
    pub fn letter_of_digest(self) -> String {
        self.letters().push("digest = ").parameter().finish()
    }

    /// Parameter: the id.
    pub fn letter(self) -> String {
        self.letters().push("id = ").parameter().finish()
    }

    /// Gives the ids that were there. Parameters: the ids.
    pub fn remove_letters(self, count: usize) -> String {
        let mut writer = Writer::new(self);
        writer.push("DELETE FROM ").push(self.prefix).push("dead_letters WHERE id IN ").tuples(1, count);
        writer.push(" RETURNING id").finish()
    }
}
