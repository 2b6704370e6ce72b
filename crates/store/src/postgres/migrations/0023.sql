-- What lists filter by and show stands beside the document: none of them reads into it, nor reads a long one.
ALTER TABLE hp.decision
    ADD COLUMN asked_with TEXT,
    ADD COLUMN assignees  TEXT,
    ADD COLUMN digest     TEXT NOT NULL DEFAULT '',
    ADD COLUMN brief      TEXT;
