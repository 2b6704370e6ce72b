-- Threads, by which parties talk. What is said in one is its stream in the log; here is only that it is there.
CREATE TABLE hp.thread (
    id         TEXT   PRIMARY KEY,
    project    TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    doc        TEXT   NOT NULL
);

CREATE INDEX thread_created ON hp.thread (created_at, id);
