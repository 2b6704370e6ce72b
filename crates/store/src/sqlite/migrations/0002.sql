-- Credentials. Of secrets only hashes are kept, and those only here: never in the log.
CREATE TABLE token (
    id         TEXT    PRIMARY KEY,
    name       TEXT    NOT NULL,
    role       TEXT    NOT NULL,
    projects   TEXT    NOT NULL,
    hash       BLOB    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    created_by TEXT    NOT NULL,
    revoked_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE person (
    name       TEXT    PRIMARY KEY,
    role       TEXT    NOT NULL,
    email      TEXT,
    projects   TEXT    NOT NULL,
    password   TEXT,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
    hash       BLOB    PRIMARY KEY,
    person     TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_person ON session (person);

-- Signed links that have done their work, until they would be too old anyway.
CREATE TABLE used_link (
    nonce      TEXT    PRIMARY KEY,
    at         INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (name, value) VALUES ('auth_required', 0);
