-- Jobs and crews as they stand. The stream is that of their events.
CREATE TABLE job (
    stream     TEXT    PRIMARY KEY,
    id         TEXT    NOT NULL,
    project    TEXT    NOT NULL,
    status     TEXT    NOT NULL,
    node       TEXT,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    doc        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX job_id ON job (id);
CREATE INDEX job_created ON job (created_at, id);
CREATE INDEX job_active ON job (created_at, id) WHERE status IN ('pending', 'running', 'waiting');

-- Nodes that look after jobs, and until when they are believed to be there. Not in the log: it comes and goes.
CREATE TABLE node (
    id           TEXT    PRIMARY KEY,
    name         TEXT    NOT NULL,
    leased_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
