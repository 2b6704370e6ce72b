-- What time it is: never before the last event, and going on where the clock was stepped back.
CREATE OR REPLACE FUNCTION hp.clock() RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT greatest(
        floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint
            + coalesce((SELECT value FROM hp.meta WHERE name = 'skew'), 0),
        (SELECT at FROM hp.head))
$$;

-- What each credential has pending, kept and not counted: how many decisions, and how many bytes they have.
CREATE TABLE hp.usage (
    credential TEXT   COLLATE "C" PRIMARY KEY,
    decisions  BIGINT NOT NULL,
    bytes      BIGINT NOT NULL
);

INSERT INTO hp.usage (credential, decisions, bytes)
SELECT doc::json ->> 'asked_with', count(*), sum(octet_length(doc)) FROM hp.decision
WHERE status = 'pending' AND doc::json ->> 'asked_with' IS NOT NULL GROUP BY 1;
