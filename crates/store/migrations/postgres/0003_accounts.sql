-- Who may call the service. Times are milliseconds since 1970 (UTC). No secret is here: of a password what argon2 makes
-- of it, of a token its SHA-256.

-- changes counts the changes to accounts and tokens; tokens below next_token have been given their numbers. One row,
-- which writers lock.
CREATE TABLE guardbee.account_state (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    changes BIGINT NOT NULL,
    next_token BIGINT NOT NULL
);

INSERT INTO guardbee.account_state (id, changes, next_token) VALUES (1, 0, 1);

-- permissions has one bit for each permission: see crates/engine, accounts.
CREATE TABLE guardbee.accounts (
    name TEXT PRIMARY KEY,
    permissions BIGINT NOT NULL,
    password TEXT,
    must_change_password BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    checksum BIGINT NOT NULL
);

CREATE TABLE guardbee.tokens (
    id BIGINT PRIMARY KEY,
    digest BYTEA NOT NULL UNIQUE,
    account TEXT NOT NULL,
    label TEXT NOT NULL,
    permissions BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    checksum BIGINT NOT NULL
);
