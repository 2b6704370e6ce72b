-- Attempts at tasks, each as its events leave it. Ids sort by time.
CREATE TABLE run (
    id      TEXT PRIMARY KEY,
    project TEXT NOT NULL,
    task    TEXT NOT NULL,
    doc     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX run_by_project ON run (project, id);
CREATE INDEX run_by_task ON run (task, id);
