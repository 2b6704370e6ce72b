-- Credentials. Of secrets only hashes are kept, and those only here: never in the log.
CREATE TABLE hp.token (
    id         TEXT COLLATE "C" PRIMARY KEY,
    name       TEXT   NOT NULL,
    role       TEXT   NOT NULL,
    projects   TEXT   NOT NULL,
    hash       BYTEA  NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    created_by TEXT   NOT NULL,
    revoked_at BIGINT
);

CREATE TABLE hp.person (
    name       TEXT COLLATE "C" PRIMARY KEY,
    role       TEXT   NOT NULL,
    email      TEXT,
    projects   TEXT   NOT NULL,
    password   TEXT,
    created_at BIGINT NOT NULL
);

CREATE TABLE hp.session (
    hash       BYTEA  PRIMARY KEY,
    person     TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX session_person ON hp.session (person);

-- Signed links that have done their work, until they would be too old anyway.
CREATE TABLE hp.used_link (
    nonce      TEXT   PRIMARY KEY,
    at         BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

INSERT INTO hp.meta (name, value) VALUES ('auth_required', 0);
