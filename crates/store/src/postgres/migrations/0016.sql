-- Messages that channels keep up to date: about which decision, to whom, where, and what each shows now. The id is that of
-- the outbox row that ordered it.
CREATE TABLE hp.sent (
    id       BIGINT PRIMARY KEY,
    decision BIGINT NOT NULL,
    channel  TEXT   NOT NULL,
    address  TEXT   NOT NULL,
    place    TEXT   NOT NULL,
    message  TEXT,
    digest   TEXT   NOT NULL,
    open     BIGINT NOT NULL,
    controls TEXT   NOT NULL,
    at       BIGINT NOT NULL
);

CREATE INDEX sent_decision ON hp.sent (decision, channel);
CREATE INDEX sent_message ON hp.sent (channel, place, message);

-- What channels sent, took and refused.
CREATE TABLE hp.channel_log (
    id       BIGINT PRIMARY KEY,
    at       BIGINT NOT NULL,
    channel  TEXT   NOT NULL,
    address  TEXT   NOT NULL,
    decision BIGINT,
    what     TEXT   NOT NULL,
    words    TEXT   NOT NULL
);

CREATE INDEX channel_log_age ON hp.channel_log (at, id);

-- Which node listens to a channel, until when, and how far it has come.
CREATE TABLE hp.channel_lease (
    channel      TEXT   PRIMARY KEY,
    holder       TEXT   NOT NULL,
    leased_until BIGINT NOT NULL,
    position     BIGINT NOT NULL
);

-- The accounts of a person, by channel.
ALTER TABLE hp.person ADD COLUMN accounts TEXT NOT NULL DEFAULT '{}';
