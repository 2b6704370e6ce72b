-- The words of each decision, folded by this program: the tokenizer only splits at spaces. What is deleted leaves no trace.
CREATE VIRTUAL TABLE search USING fts5 (words, tokenize = 'ascii', detail = none, columnsize = 0);
INSERT INTO search (search, rank) VALUES ('secure-delete', 1);

-- Up to where in the log decisions are in it as they are.
CREATE TABLE search_place (
    seq INTEGER NOT NULL
) STRICT;

INSERT INTO search_place (seq) VALUES (0);

-- Searches that people gave names to.
CREATE TABLE saved_view (
    person TEXT NOT NULL,
    name   TEXT NOT NULL,
    q      TEXT NOT NULL,
    status TEXT NOT NULL,
    PRIMARY KEY (person, name)
) STRICT, WITHOUT ROWID;
