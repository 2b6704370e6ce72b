-- The log: what happened, in order, each event bound to the one before by its hash.
CREATE TABLE hp.event (
    seq       BIGINT PRIMARY KEY,
    stream    TEXT COLLATE "C" NOT NULL,
    version   BIGINT NOT NULL,
    type      TEXT   NOT NULL,
    at        BIGINT NOT NULL,
    body      TEXT,
    body_hash BYTEA  NOT NULL,
    prev      BYTEA  NOT NULL,
    hash      BYTEA  NOT NULL,
    UNIQUE (stream, version)
);

-- Where the log ends. Whoever writes locks this row first, so that events are committed in the order of their seq.
CREATE TABLE hp.head (
    one  BOOLEAN PRIMARY KEY DEFAULT true CHECK (one),
    seq  BIGINT NOT NULL,
    hash BYTEA  NOT NULL,
    at   BIGINT
) WITH (fillfactor = 10);

INSERT INTO hp.head (seq, hash, at) VALUES (0, decode(repeat('00', 32), 'hex'), NULL);

-- Decisions as they stand. The row number is what the id is a permutation of, so the id needs no index.
CREATE TABLE hp.decision (
    n            BIGINT PRIMARY KEY,
    id           TEXT   NOT NULL,
    project      TEXT   NOT NULL,
    status       TEXT   NOT NULL,
    source       TEXT   NOT NULL,
    owner        TEXT COLLATE "C",
    requested_by TEXT,
    created_at   BIGINT NOT NULL,
    deadline     BIGINT,
    settled_at   BIGINT,
    version      BIGINT NOT NULL,
    doc          TEXT   NOT NULL
);

CREATE INDEX decision_pending ON hp.decision (n) WHERE status = 'pending';
CREATE INDEX decision_deadline ON hp.decision (deadline, n) WHERE status = 'pending' AND deadline IS NOT NULL;
CREATE INDEX decision_owner ON hp.decision (owner, n) WHERE owner IS NOT NULL;
CREATE INDEX decision_settled ON hp.decision (settled_at, n) WHERE settled_at IS NOT NULL;

CREATE TABLE hp.item (
    project    TEXT COLLATE "C" NOT NULL,
    id         TEXT COLLATE "C" NOT NULL,
    title      TEXT,
    pending    BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (project, id)
);

CREATE TABLE hp.project (
    name        TEXT COLLATE "C" PRIMARY KEY,
    min_timeout BIGINT NOT NULL
);

-- How many decisions have each status, kept and not counted.
CREATE TABLE hp.counter (
    project TEXT COLLATE "C" NOT NULL,
    status  TEXT   NOT NULL,
    n       BIGINT NOT NULL,
    PRIMARY KEY (project, status)
) WITH (fillfactor = 50);

-- What waits to be sent. The id is built from the event's place in the log and never given twice.
CREATE TABLE hp.outbox (
    id           BIGINT PRIMARY KEY,
    seq          BIGINT NOT NULL,
    lane         TEXT   NOT NULL,
    target       TEXT   NOT NULL,
    decision     BIGINT,
    not_before   BIGINT NOT NULL,
    not_after    BIGINT NOT NULL,
    attempts     BIGINT NOT NULL DEFAULT 0,
    leased_by    TEXT,
    leased_until BIGINT,
    state        TEXT   NOT NULL DEFAULT 'queued',
    last_error   TEXT
);

CREATE INDEX outbox_queued ON hp.outbox (lane, not_before) WHERE state = 'queued';
CREATE INDEX outbox_decision ON hp.outbox (decision) WHERE decision IS NOT NULL;

CREATE TABLE hp.idempotency (
    project    TEXT   NOT NULL,
    credential TEXT   NOT NULL,
    key        TEXT   NOT NULL,
    digest     TEXT   NOT NULL,
    n          BIGINT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (project, credential, key)
);

-- Public halves of the keys that signed checkpoints.
CREATE TABLE hp.key (
    id         TEXT PRIMARY KEY,
    public_key TEXT NOT NULL
);

CREATE TABLE hp.checkpoint (
    seq       BIGINT PRIMARY KEY,
    hash      TEXT   NOT NULL,
    at        BIGINT NOT NULL,
    key       TEXT   NOT NULL REFERENCES hp.key (id),
    signature TEXT   NOT NULL
);

-- What the store knows of itself: its schema's version, the key of its numbering, and the last number it gave.
CREATE TABLE hp.meta (
    name  TEXT   PRIMARY KEY,
    value BIGINT NOT NULL
) WITH (fillfactor = 10);

-- What time it is: never before the last event.
CREATE FUNCTION hp.clock() RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT greatest(floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint, (SELECT at FROM hp.head))
$$;

-- One row per work item: the newest decision on it, in the columns that issue trackers know.
-- A text with a zero character can be kept as JSON, but not be shown: it is shown as a replacement character.
CREATE VIEW hp.decision_points AS
WITH newest AS (
    SELECT max(n) AS n FROM hp.decision WHERE owner >= 'item:' AND owner < 'item;' GROUP BY project, owner
), point AS (
    SELECT d.owner, d.requested_by,
           regexp_replace(d.doc, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g')::json AS doc
    FROM hp.decision d JOIN newest USING (n)
), part AS (
    SELECT owner, requested_by, doc, doc -> 'answer' AS answer,
           CASE json_typeof(doc #> '{answer,values}') WHEN 'object' THEN doc #> '{answer,values}' END AS given,
           CASE json_typeof(doc -> 'default') WHEN 'object' THEN doc -> 'default' END AS preset,
           CASE json_typeof(doc -> 'fields') WHEN 'array' THEN doc -> 'fields' END AS fields
    FROM point
), said AS (
    SELECT part.*,
           (SELECT value #>> '{}' FROM json_each(given) WHERE json_typeof(value) = 'string' LIMIT 1) AS picked,
           (SELECT value ->> 'text' FROM json_each(given) WHERE json_typeof(value) = 'object' LIMIT 1) AS written,
           fields #>> '{0,kind}' IN ('choice', 'confirm') AS picks
    FROM part
)
SELECT substr(owner, 6) AS issue_id,
       coalesce(doc ->> 'prompt', doc ->> 'title') AS prompt,
       (SELECT coalesce(json_agg(json_build_object(
                   'id', o ->> 'id', 'short', o ->> 'short', 'label', o ->> 'label',
                   'description', o ->> 'description')), '[]')::text
        FROM json_array_elements(fields) AS f,
             json_array_elements(CASE json_typeof(f -> 'options') WHEN 'array' THEN f -> 'options' END) AS o) AS options,
       (SELECT value #>> '{}' FROM json_each(preset) WHERE json_typeof(value) = 'string' LIMIT 1) AS default_option,
       coalesce(answer ->> 'out', CASE WHEN picks THEN picked END) AS selected_option,
       coalesce(written, CASE WHEN picks THEN NULL ELSE picked END, answer ->> 'message')
           AS response_text,
       -- Null exactly while it is pending, however it was settled.
       doc ->> 'settled_at' AS responded_at,
       answer ->> 'by' AS responded_by,
       (doc ->> 'iteration')::bigint AS iteration,
       (doc ->> 'max_iterations')::bigint AS max_iterations,
       CASE WHEN doc ->> 'prior' IS NOT NULL THEN substr(owner, 6) END AS prior_id,
       doc ->> 'guidance' AS guidance,
       requested_by,
       doc ->> 'created_at' AS created_at
FROM said;
