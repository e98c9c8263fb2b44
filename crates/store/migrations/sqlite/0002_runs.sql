-- What was run, what could not be read as a run, and who asked for what. Times are milliseconds since 1970 (UTC).

-- Where the runs stand; one row, which writers lock. newest is the place of the newest run, forgotten counts those
-- whose body is gone. Letters below next_letter and indexes below next_index have been given their numbers.
CREATE TABLE run_state (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    newest BIGINT NOT NULL,
    forgotten BIGINT NOT NULL,
    next_letter BIGINT NOT NULL,
    next_index BIGINT NOT NULL
);

INSERT INTO run_state (id, newest, forgotten, next_letter, next_index) VALUES (1, 0, 0, 1, 1);

-- Runs in the order in which they arrived, without a gap. Rows are never deleted and only changed when a run is
-- forgotten: then the body and all that tells of it is NULL. For the form of a body see crates/store, run_body.
CREATE TABLE runs (
    seq INTEGER PRIMARY KEY,
    run_key TEXT NOT NULL UNIQUE,
    ended_at BIGINT NOT NULL,
    user_name TEXT,
    operation TEXT,
    body BLOB,
    checksum BIGINT NOT NULL
);

CREATE INDEX runs_ended ON runs (ended_at, seq);

-- Indexes made of the runs up to newest. Where parts is NULL, it is being written, or is out of date. An index is
-- parts, and a part is chunks; part_size is in bytes.
CREATE TABLE run_indexes (
    id INTEGER PRIMARY KEY,
    newest BIGINT NOT NULL,
    forgotten BIGINT NOT NULL,
    parts BIGINT,
    chunks BIGINT,
    checksum BIGINT
);

CREATE TABLE run_index_chunks (
    index_id BIGINT NOT NULL,
    chunk BIGINT NOT NULL,
    part BIGINT NOT NULL,
    part_size BIGINT NOT NULL,
    bytes BLOB NOT NULL,
    checksum BIGINT NOT NULL,
    UNIQUE (index_id, chunk)
);

-- What could not be recorded. The digest is the SHA-256 of source and payload: what comes again is counted.
CREATE TABLE dead_letters (
    id INTEGER PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE,
    received_at BIGINT NOT NULL,
    times BIGINT NOT NULL,
    body BLOB NOT NULL,
    checksum BIGINT NOT NULL
);

-- Where the audit log ends: its newest record, and that one's hash.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    newest BIGINT NOT NULL,
    hash BLOB NOT NULL
);

INSERT INTO audit_head (id, newest, hash)
VALUES (1, 0, x'0000000000000000000000000000000000000000000000000000000000000000');

-- The audit log, without a gap; rows are never changed and never deleted. The hash is the SHA-256 of the hash of the
-- row before, of seq as eight bytes (the low ones first) and of the body, which says everything; the other columns
-- repeat what is searched for. Names are searched by their checksum, for an index holds no names of any length.
CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at BIGINT NOT NULL,
    actor BIGINT NOT NULL,
    kind BIGINT NOT NULL,
    verdict BIGINT NOT NULL,
    body BLOB NOT NULL,
    hash BLOB NOT NULL
);

CREATE INDEX audit_at ON audit (at, seq);
CREATE INDEX audit_actor ON audit (actor, seq);

-- Which records are about which object.
CREATE TABLE audit_objects (
    object BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (object, seq)
) WITHOUT ROWID;
