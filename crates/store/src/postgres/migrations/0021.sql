-- The words of each decision, folded by this program.
CREATE TABLE hp.search (
    n     BIGINT   PRIMARY KEY REFERENCES hp.decision (n) ON DELETE CASCADE,
    words TSVECTOR NOT NULL
);

CREATE INDEX search_words ON hp.search USING gin (words);

-- Up to where in the log decisions are in it as they are.
CREATE TABLE hp.search_place (
    seq BIGINT NOT NULL
);

INSERT INTO hp.search_place (seq) VALUES (0);

-- Searches that people gave names to.
CREATE TABLE hp.saved_view (
    person TEXT NOT NULL,
    name   TEXT COLLATE "C" NOT NULL,
    q      TEXT NOT NULL,
    status TEXT NOT NULL,
    PRIMARY KEY (person, name)
);
