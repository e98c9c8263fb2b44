-- The audit log by the block: records that were written together are one row, packed. A row says of which places its
-- records are, between which moments they were made, and has a bit for each kind and verdict among them. Rows are
-- never changed and never deleted; the hash is that of the last record, and each record's is, as before, the SHA-256
-- of the hash of the record before, of its place as eight bytes (the low ones first) and of its bytes.
CREATE TABLE guardbee.audit_blocks (
    newest BIGINT PRIMARY KEY,
    oldest BIGINT NOT NULL,
    earliest BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    kinds BIGINT NOT NULL,
    verdicts BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    body BYTEA NOT NULL
);

INSERT INTO guardbee.audit_blocks (newest, oldest, earliest, latest, kinds, verdicts, hash, body)
SELECT seq, seq, at, at, 1::BIGINT << kind::INTEGER, 1::BIGINT << verdict::INTEGER, hash, body FROM guardbee.audit ORDER BY seq;

DROP TABLE guardbee.audit_objects;
DROP TABLE guardbee.audit;

-- Some thousand records together, once they are there: what tells whether any of them can be about a name, in place of
-- an index of each.
CREATE TABLE guardbee.audit_groups (
    newest BIGINT PRIMARY KEY,
    oldest BIGINT NOT NULL,
    earliest BIGINT NOT NULL,
    latest BIGINT NOT NULL,
    kinds BIGINT NOT NULL,
    verdicts BIGINT NOT NULL,
    names BYTEA NOT NULL
);

-- They are packed already.
ALTER TABLE guardbee.audit_blocks ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE guardbee.audit_groups ALTER COLUMN names SET STORAGE EXTERNAL;
