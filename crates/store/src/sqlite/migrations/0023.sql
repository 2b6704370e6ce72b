-- What lists filter by and show stands beside the document: none of them reads into it, nor reads a long one. The document
-- comes last, because what stands behind a long one is reached only by reading all of it.
PRAGMA legacy_alter_table = ON;

CREATE TABLE decision_next (
    n            INTEGER PRIMARY KEY,
    id           TEXT    NOT NULL,
    project      TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    owner        TEXT,
    requested_by TEXT,
    created_at   INTEGER NOT NULL,
    deadline     INTEGER,
    escalates_at INTEGER,
    settled_at   INTEGER,
    asked_with   TEXT,
    assignees    TEXT,
    digest       TEXT    NOT NULL,
    version      INTEGER NOT NULL,
    brief        TEXT,
    doc          TEXT    NOT NULL
) STRICT;

INSERT INTO decision_next
    (n, id, project, status, source, owner, requested_by, created_at, deadline, escalates_at, settled_at, digest, version,
     doc)
SELECT n, id, project, status, source, owner, requested_by, created_at, deadline, escalates_at, settled_at,
       doc ->> '$.digest', version, doc
FROM decision ORDER BY n;

DROP TABLE decision;
ALTER TABLE decision_next RENAME TO decision;

PRAGMA legacy_alter_table = OFF;

CREATE INDEX decision_pending ON decision (n) WHERE status = 'pending';
CREATE INDEX decision_deadline ON decision (deadline, n) WHERE status = 'pending' AND deadline IS NOT NULL;
CREATE INDEX decision_escalation ON decision (escalates_at, n) WHERE status = 'pending' AND escalates_at IS NOT NULL;
CREATE INDEX decision_owner ON decision (owner, n) WHERE owner IS NOT NULL;
CREATE INDEX decision_settled ON decision (settled_at, n) WHERE settled_at IS NOT NULL;
