-- The key pair by which push services know this store: one row, made once, the same for all nodes.
CREATE TABLE push_key (
    id    INTEGER PRIMARY KEY,
    pkcs8 BLOB    NOT NULL
) STRICT;

-- Browsers to which people are notified. The endpoint is a capability: who knows it and the keys can notify its owner.
CREATE TABLE push_subscription (
    id         TEXT    PRIMARY KEY,
    person     TEXT    NOT NULL,
    endpoint   TEXT    NOT NULL UNIQUE,
    p256dh     TEXT    NOT NULL,
    auth       TEXT    NOT NULL,
    browser    TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX push_subscription_person ON push_subscription (person);
