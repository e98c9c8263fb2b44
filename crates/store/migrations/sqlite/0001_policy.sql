-- A row of the tables of the policy is there from created_version on, up to but not including
-- removed_version; NULL: it is there today. Rows are never changed otherwise and never deleted, so every
-- version stays answerable. Times are milliseconds since 1970 (UTC).

-- The newest version; one row, which writers lock.
CREATE TABLE state (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    version BIGINT NOT NULL
);

INSERT INTO state (id, version) VALUES (1, 0);

-- Who made which version, when and why. The bits of touched say which tables have rows that begin or end with
-- it. Entry ids below next_entry_id have been given. The checksum is the sum over all rows that are there in the
-- version; the record's own covers the rest of its row.
CREATE TABLE versions (
    version BIGINT PRIMARY KEY,
    author TEXT NOT NULL,
    at BIGINT NOT NULL,
    reason TEXT NOT NULL,
    change_count BIGINT NOT NULL,
    idempotency_key TEXT UNIQUE,
    touched BIGINT NOT NULL,
    next_entry_id BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    record_checksum BIGINT NOT NULL
);

-- The rule book and the other settings.
CREATE TABLE settings (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (name, created_version)
) WITHOUT ROWID;

CREATE INDEX settings_created ON settings (created_version);
CREATE INDEX settings_removed ON settings (removed_version) WHERE removed_version IS NOT NULL;

CREATE TABLE roles (
    name TEXT NOT NULL,
    created_by TEXT,
    created_at BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (name, created_version)
) WITHOUT ROWID;

CREATE INDEX roles_created ON roles (created_version);
CREATE INDEX roles_removed ON roles (removed_version) WHERE removed_version IS NOT NULL;

-- Where allowed_values is NULL, a tag may have any.
CREATE TABLE tags (
    name TEXT NOT NULL,
    allowed_values TEXT,
    comment TEXT,
    created_by TEXT,
    created_at BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (name, created_version)
) WITHOUT ROWID;

CREATE INDEX tags_created ON tags (created_version);
CREATE INDEX tags_removed ON tags (removed_version) WHERE removed_version IS NOT NULL;

-- Who is in which role. A principal is written `user ana`, `group analysts`, `role reader`.
CREATE TABLE memberships (
    role TEXT NOT NULL,
    member TEXT NOT NULL,
    admin_option BIGINT NOT NULL,
    grantor TEXT,
    created_at BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (role, member, created_version)
) WITHOUT ROWID;

CREATE INDEX memberships_created ON memberships (created_version);
CREATE INDEX memberships_removed ON memberships (removed_version) WHERE removed_version IS NOT NULL;

-- Grants and denials. Bits of privileges: see crates/policy, Privilege; 4294967295 is ALL. Lists are JSON.
CREATE TABLE entries (
    id BIGINT NOT NULL,
    effect TEXT NOT NULL,
    principal TEXT NOT NULL,
    exempt TEXT,
    privileges BIGINT NOT NULL,
    scope TEXT NOT NULL,
    part_1 TEXT,
    part_2 TEXT,
    part_3 TEXT,
    grant_option BIGINT NOT NULL,
    grantor TEXT,
    created_at BIGINT NOT NULL,
    valid_from BIGINT,
    valid_until BIGINT,
    purpose TEXT,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (id, created_version)
) WITHOUT ROWID;

CREATE INDEX entries_created ON entries (created_version);
CREATE INDEX entries_removed ON entries (removed_version) WHERE removed_version IS NOT NULL;

-- Row filters and column masks.
CREATE TABLE data_policies (
    rule TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    part_1 TEXT,
    part_2 TEXT,
    part_3 TEXT,
    expression TEXT NOT NULL,
    principals TEXT,
    exempt TEXT,
    enabled BIGINT NOT NULL,
    created_by TEXT,
    created_at BIGINT NOT NULL,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (rule, name, created_version)
) WITHOUT ROWID;

CREATE INDEX data_policies_created ON data_policies (created_version);
CREATE INDEX data_policies_removed ON data_policies (removed_version) WHERE removed_version IS NOT NULL;

-- Parts of a name that a resource has not are empty.
CREATE TABLE tag_assignments (
    tag TEXT NOT NULL,
    resource TEXT NOT NULL,
    part_1 TEXT NOT NULL,
    part_2 TEXT NOT NULL,
    part_3 TEXT NOT NULL,
    value TEXT,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (tag, resource, part_1, part_2, part_3, created_version)
) WITHOUT ROWID;

CREATE INDEX tag_assignments_created ON tag_assignments (created_version);
CREATE INDEX tag_assignments_removed ON tag_assignments (removed_version) WHERE removed_version IS NOT NULL;

CREATE TABLE owners (
    resource TEXT NOT NULL,
    part_1 TEXT NOT NULL,
    part_2 TEXT NOT NULL,
    part_3 TEXT NOT NULL,
    owner TEXT NOT NULL,
    checksum BIGINT NOT NULL,
    created_version BIGINT NOT NULL,
    removed_version BIGINT,
    PRIMARY KEY (resource, part_1, part_2, part_3, created_version)
) WITHOUT ROWID;

CREATE INDEX owners_created ON owners (created_version);
CREATE INDEX owners_removed ON owners (removed_version) WHERE removed_version IS NOT NULL;

-- "GBEE": tells the file from those of other programs.
PRAGMA application_id = 1195525445;
