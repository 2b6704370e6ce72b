-- What time it is: never before the last event, and ahead of the clock by the skew only while that is a minute behind the
-- last event. Otherwise a clock that was wrong for a moment made every deadline look past until the next commit.
CREATE OR REPLACE FUNCTION hp.clock() RETURNS BIGINT LANGUAGE sql STABLE AS $$
    SELECT greatest(
        CASE WHEN h.at - c.ms > 60000
             THEN c.ms + coalesce((SELECT value FROM hp.meta WHERE name = 'skew'), 0)
             ELSE c.ms END,
        h.at)
    FROM (SELECT floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint AS ms) c LEFT JOIN hp.head h ON true
$$;
