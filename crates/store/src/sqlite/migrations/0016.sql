-- Messages that channels keep up to date: about which decision, to whom, where, and what each shows now. The id is that of
-- the outbox row that ordered it.
CREATE TABLE sent (
    id       INTEGER PRIMARY KEY,
    decision INTEGER NOT NULL,
    channel  TEXT    NOT NULL,
    address  TEXT    NOT NULL,
    place    TEXT    NOT NULL,
    message  TEXT,
    digest   TEXT    NOT NULL,
    open     INTEGER NOT NULL,
    controls TEXT    NOT NULL,
    at       INTEGER NOT NULL
) STRICT;

CREATE INDEX sent_decision ON sent (decision, channel);
CREATE INDEX sent_message ON sent (channel, place, message);

-- What channels sent, took and refused.
CREATE TABLE channel_log (
    id       INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    channel  TEXT    NOT NULL,
    address  TEXT    NOT NULL,
    decision INTEGER,
    what     TEXT    NOT NULL,
    words    TEXT    NOT NULL
) STRICT;

CREATE INDEX channel_log_age ON channel_log (at, id);

-- Which node listens to a channel, until when, and how far it has come.
CREATE TABLE channel_lease (
    channel      TEXT    PRIMARY KEY,
    holder       TEXT    NOT NULL,
    leased_until INTEGER NOT NULL,
    position     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The accounts of a person, by channel.
ALTER TABLE person ADD COLUMN accounts TEXT NOT NULL DEFAULT '{}';
