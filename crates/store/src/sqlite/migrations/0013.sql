-- By how much the log is ahead of the clock stands in meta as 'skew', once the clock was stepped back.

-- What each credential has pending, kept and not counted: how many decisions, and how many bytes they have.
CREATE TABLE usage (
    credential TEXT    PRIMARY KEY,
    decisions  INTEGER NOT NULL,
    bytes      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO usage (credential, decisions, bytes)
SELECT doc ->> '$.asked_with', count(*), sum(octet_length(doc)) FROM decision
WHERE status = 'pending' AND doc ->> '$.asked_with' IS NOT NULL GROUP BY 1;
