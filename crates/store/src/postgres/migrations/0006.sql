-- Jobs and crews as they stand. The stream is that of their events.
CREATE TABLE hp.job (
    stream     TEXT COLLATE "C" PRIMARY KEY,
    id         TEXT COLLATE "C" NOT NULL,
    project    TEXT   NOT NULL,
    status     TEXT   NOT NULL,
    node       TEXT,
    created_at BIGINT NOT NULL,
    version    BIGINT NOT NULL,
    doc        TEXT   NOT NULL
);

CREATE INDEX job_id ON hp.job (id);
CREATE INDEX job_created ON hp.job (created_at, id);
CREATE INDEX job_active ON hp.job (created_at, id) WHERE status IN ('pending', 'running', 'waiting');

-- Nodes that look after jobs, and until when they are believed to be there. Not in the log: it comes and goes.
CREATE TABLE hp.node (
    id           TEXT   PRIMARY KEY,
    name         TEXT   NOT NULL,
    leased_until BIGINT NOT NULL
);
