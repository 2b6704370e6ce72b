-- The log: what happened, in order, each event bound to the one before by its hash.
CREATE TABLE event (
    seq       INTEGER PRIMARY KEY,
    stream    TEXT    NOT NULL,
    version   INTEGER NOT NULL,
    type      TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    body      TEXT,
    body_hash BLOB    NOT NULL,
    prev      BLOB    NOT NULL,
    hash      BLOB    NOT NULL,
    UNIQUE (stream, version)
) STRICT;

-- Decisions as they stand. The row number is what the id is a permutation of, so the id needs no index.
CREATE TABLE decision (
    n            INTEGER PRIMARY KEY,
    id           TEXT    NOT NULL,
    project      TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    owner        TEXT,
    requested_by TEXT,
    created_at   INTEGER NOT NULL,
    deadline     INTEGER,
    settled_at   INTEGER,
    version      INTEGER NOT NULL,
    doc          TEXT    NOT NULL
) STRICT;

CREATE INDEX decision_pending ON decision (n) WHERE status = 'pending';
CREATE INDEX decision_deadline ON decision (deadline, n) WHERE status = 'pending' AND deadline IS NOT NULL;
CREATE INDEX decision_owner ON decision (owner, n) WHERE owner IS NOT NULL;
CREATE INDEX decision_settled ON decision (settled_at, n) WHERE settled_at IS NOT NULL;

CREATE TABLE item (
    project    TEXT    NOT NULL,
    id         TEXT    NOT NULL,
    title      TEXT,
    pending    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
    name        TEXT    PRIMARY KEY,
    min_timeout INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many decisions have each status, kept and not counted.
CREATE TABLE counter (
    project TEXT    NOT NULL,
    status  TEXT    NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (project, status)
) STRICT, WITHOUT ROWID;

-- What waits to be sent. The id is built from the event's place in the log and never given twice.
CREATE TABLE outbox (
    id           INTEGER PRIMARY KEY,
    seq          INTEGER NOT NULL,
    lane         TEXT    NOT NULL,
    target       TEXT    NOT NULL,
    decision     INTEGER,
    not_before   INTEGER NOT NULL,
    not_after    INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    leased_by    TEXT,
    leased_until INTEGER,
    state        TEXT    NOT NULL DEFAULT 'queued',
    last_error   TEXT
) STRICT;

CREATE INDEX outbox_queued ON outbox (lane, not_before) WHERE state = 'queued';
CREATE INDEX outbox_decision ON outbox (decision) WHERE decision IS NOT NULL;

CREATE TABLE idempotency (
    project    TEXT    NOT NULL,
    credential TEXT    NOT NULL,
    key        TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    n          INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (project, credential, key)
) STRICT, WITHOUT ROWID;

-- Public halves of the keys that signed checkpoints.
CREATE TABLE key (
    id         TEXT PRIMARY KEY,
    public_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE checkpoint (
    seq       INTEGER PRIMARY KEY,
    hash      TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    key       TEXT    NOT NULL REFERENCES key (id),
    signature TEXT    NOT NULL
) STRICT;

-- What the store knows of itself: the key of its numbering, and the last number it gave.
CREATE TABLE meta (
    name  TEXT    PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row per work item: the newest decision on it, in the columns that issue trackers know.
CREATE VIEW decision_points AS
WITH newest AS (
    SELECT max(n) AS n FROM decision WHERE owner >= 'item:' AND owner < 'item;' GROUP BY project, owner
), point AS (
    SELECT d.n, d.owner, d.requested_by, d.doc,
           (SELECT v.value FROM json_each(d.doc, '$.answer.values') v WHERE v.type = 'text' LIMIT 1) AS picked,
           (SELECT v.value ->> '$.text' FROM json_each(d.doc, '$.answer.values') v WHERE v.type = 'object' LIMIT 1)
               AS written,
           (SELECT f.value ->> '$.kind' IN ('choice', 'confirm') FROM json_each(d.doc, '$.fields') f LIMIT 1) AS picks,
           (SELECT v.value FROM json_each(d.doc, '$.default') v WHERE v.type = 'text' LIMIT 1) AS preset
    FROM decision d JOIN newest USING (n)
)
SELECT substr(owner, 6) AS issue_id,
       coalesce(doc ->> '$.prompt', doc ->> '$.title') AS prompt,
       (SELECT coalesce(json_group_array(json_object(
                   'id', o.value ->> '$.id', 'short', o.value ->> '$.short',
                   'label', o.value ->> '$.label', 'description', o.value ->> '$.description')), '[]')
        FROM json_each(doc, '$.fields') f, json_each(f.value, '$.options') o) AS options,
       preset AS default_option,
       coalesce(doc ->> '$.answer.out', CASE WHEN picks THEN picked END) AS selected_option,
       coalesce(written, CASE WHEN picks THEN NULL ELSE picked END, doc ->> '$.answer.message', doc ->> '$.reason')
           AS response_text,
       -- Null exactly while it is pending, however it was settled.
       doc ->> '$.settled_at' AS responded_at,
       doc ->> '$.answer.by' AS responded_by,
       doc ->> '$.iteration' AS iteration,
       doc ->> '$.max_iterations' AS max_iterations,
       CASE WHEN doc ->> '$.prior' IS NOT NULL THEN substr(owner, 6) END AS prior_id,
       doc ->> '$.guidance' AS guidance,
       requested_by,
       doc ->> '$.created_at' AS created_at
FROM point;
