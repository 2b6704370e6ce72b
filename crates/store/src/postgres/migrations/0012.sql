-- Outbox rows are claimed in turn over projects and targets, by index. A lease is a time before which a row is not
-- taken again, so one column says when it is due.
ALTER TABLE hp.outbox ADD COLUMN project TEXT NOT NULL DEFAULT '';
UPDATE hp.outbox AS o SET
    project = coalesce(
        (SELECT d.project FROM hp.decision AS d WHERE d.n = o.decision),
        (SELECT e.body::json ->> 'project' FROM hp.event AS e WHERE e.seq = o.seq),
        ''),
    not_before = greatest(o.not_before, coalesce(o.leased_until, 0));
ALTER TABLE hp.outbox DROP COLUMN leased_until;

DROP INDEX hp.outbox_queued;
CREATE INDEX outbox_due ON hp.outbox (lane, not_before, id) WHERE state = 'queued';
CREATE INDEX outbox_turn ON hp.outbox (lane, project, target, not_before, id) WHERE state = 'queued';
CREATE INDEX outbox_late ON hp.outbox (lane, not_after) WHERE state = 'queued';
CREATE INDEX outbox_dead ON hp.outbox (id) WHERE state = 'dead';

-- Idempotency keys are forgotten by age.
CREATE INDEX idempotency_by_age ON hp.idempotency (at);

-- The functions below turn off plans without an index: a plan that was made while the table was small would be kept
-- while a burst fills it.

-- Makes dead letters of rows that are too late, a bounded number at a time.
CREATE FUNCTION hp.bury_late(a_lane TEXT, a_now BIGINT) RETURNS VOID LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
BEGIN
    UPDATE hp.outbox AS o
        SET state = 'dead', leased_by = NULL,
            last_error = coalesce(o.last_error || '; ', '') || 'it could not be delivered in time'
        WHERE o.id IN (
            SELECT l.id FROM hp.outbox AS l
            WHERE l.state = 'queued' AND l.lane = a_lane AND l.not_after < a_now AND l.not_before <= a_now
            ORDER BY l.not_after LIMIT 500 FOR UPDATE SKIP LOCKED);
END
$$;

-- Claims the rows of a lane that are due for longest.
CREATE FUNCTION hp.claim_oldest(
    a_lane TEXT, a_now BIGINT, a_until BIGINT, a_lease TEXT, a_limit BIGINT, a_only TEXT[], a_but TEXT[]
) RETURNS SETOF hp.outbox LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
BEGIN
    PERFORM hp.bury_late(a_lane, a_now);
    RETURN QUERY
        WITH due AS (
            SELECT d.id FROM hp.outbox AS d
            WHERE d.state = 'queued' AND d.lane = a_lane AND d.not_before <= a_now AND d.not_after >= a_now
                AND d.target <> ALL (a_but) AND (cardinality(a_only) = 0 OR d.target = ANY (a_only))
            ORDER BY d.not_before, d.id LIMIT a_limit FOR UPDATE SKIP LOCKED)
        UPDATE hp.outbox AS o SET leased_by = a_lease, not_before = a_until FROM due WHERE o.id = due.id
        RETURNING o.*;
END
$$;

-- Claims rows of a lane in turn: one of each project, and within a project one of each target, going on after those
-- that had the last turn. At most a_each rows of a target are under way; a_busy counts those that are.
CREATE FUNCTION hp.claim_in_turn(
    a_lane TEXT, a_now BIGINT, a_until BIGINT, a_lease TEXT, a_limit BIGINT,
    a_each BIGINT, a_busy JSONB, a_project TEXT, a_targets JSONB
) RETURNS SETOF hp.outbox LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off AS $$
DECLARE
    busy         JSONB   := a_busy;
    last_targets JSONB   := a_targets;
    spent        TEXT[]  := '{}';
    past_project TEXT    := a_project;
    this_project TEXT;
    first_target TEXT;
    past_target  TEXT;
    this_target  TEXT;
    this_row     BIGINT;
    wrapped      BOOLEAN;
    any_found    BOOLEAN := TRUE;
    taken        BIGINT  := 0;
BEGIN
    PERFORM hp.bury_late(a_lane, a_now);
    WHILE taken < a_limit LOOP
        IF past_project IS NULL THEN
            SELECT o.project INTO this_project FROM hp.outbox AS o
                WHERE o.state = 'queued' AND o.lane = a_lane
                ORDER BY o.project LIMIT 1;
        ELSE
            SELECT o.project INTO this_project FROM hp.outbox AS o
                WHERE o.state = 'queued' AND o.lane = a_lane AND o.project > past_project
                ORDER BY o.project LIMIT 1;
        END IF;
        IF NOT FOUND THEN
            -- Start over, unless a whole round found nothing.
            EXIT WHEN NOT any_found;
            any_found := FALSE;
            past_project := NULL;
            CONTINUE;
        END IF;
        past_project := this_project;
        CONTINUE WHEN this_project = ANY (spent);

        first_target := last_targets ->> this_project;
        past_target := first_target;
        wrapped := first_target IS NULL;
        this_row := NULL;
        LOOP
            IF past_target IS NULL THEN
                SELECT o.target INTO this_target FROM hp.outbox AS o
                    WHERE o.state = 'queued' AND o.lane = a_lane AND o.project = this_project
                    ORDER BY o.target LIMIT 1;
            ELSE
                SELECT o.target INTO this_target FROM hp.outbox AS o
                    WHERE o.state = 'queued' AND o.lane = a_lane AND o.project = this_project
                        AND o.target > past_target
                    ORDER BY o.target LIMIT 1;
            END IF;
            IF NOT FOUND THEN
                EXIT WHEN wrapped;
                wrapped := TRUE;
                past_target := NULL;
                CONTINUE;
            END IF;
            EXIT WHEN wrapped AND this_target > first_target;
            past_target := this_target;
            CONTINUE WHEN coalesce((busy ->> this_target)::BIGINT, 0) >= a_each;
            SELECT o.id INTO this_row FROM hp.outbox AS o
                WHERE o.state = 'queued' AND o.lane = a_lane AND o.project = this_project AND o.target = this_target
                    AND o.not_before <= a_now AND o.not_after >= a_now
                ORDER BY o.not_before, o.id LIMIT 1 FOR UPDATE SKIP LOCKED;
            EXIT WHEN FOUND;
        END LOOP;

        IF this_row IS NULL THEN
            spent := spent || this_project;
            CONTINUE;
        END IF;
        any_found := TRUE;
        taken := taken + 1;
        last_targets := last_targets || jsonb_build_object(this_project, this_target);
        busy := busy || jsonb_build_object(this_target, coalesce((busy ->> this_target)::BIGINT, 0) + 1);
        RETURN QUERY UPDATE hp.outbox AS o SET leased_by = a_lease, not_before = a_until WHERE o.id = this_row
            RETURNING o.*;
    END LOOP;
END
$$;
