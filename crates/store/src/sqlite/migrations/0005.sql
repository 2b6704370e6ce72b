-- Threads, by which parties talk. What is said in one is its stream in the log; here is only that it is there.
CREATE TABLE thread (
    id         TEXT    PRIMARY KEY,
    project    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    doc        TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX thread_created ON thread (created_at, id);
