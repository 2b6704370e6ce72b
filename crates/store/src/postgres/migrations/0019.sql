-- The key pair by which push services know this store: one row, made once, the same for all nodes.
CREATE TABLE hp.push_key (
    id    BIGINT PRIMARY KEY,
    pkcs8 BYTEA  NOT NULL
);

-- Browsers to which people are notified. The endpoint is a capability: who knows it and the keys can notify its owner.
CREATE TABLE hp.push_subscription (
    id         TEXT   PRIMARY KEY,
    person     TEXT   NOT NULL,
    endpoint   TEXT   NOT NULL UNIQUE,
    p256dh     TEXT   NOT NULL,
    auth       TEXT   NOT NULL,
    browser    TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX push_subscription_person ON hp.push_subscription (person);
