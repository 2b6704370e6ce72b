-- Attempts at tasks, each as its events leave it. Ids sort by time.
CREATE TABLE hp.run (
    id      text COLLATE "C" PRIMARY KEY,
    project text COLLATE "C" NOT NULL,
    task    text COLLATE "C" NOT NULL,
    doc     text NOT NULL
);

CREATE INDEX run_by_project ON hp.run (project, id);
CREATE INDEX run_by_task ON hp.run (task, id);
