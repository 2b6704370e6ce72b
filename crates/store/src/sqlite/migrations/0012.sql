-- Outbox rows are claimed in turn over projects and targets, by index. A lease is a time before which a row is not
-- taken again, so one column says when it is due.
ALTER TABLE outbox ADD COLUMN project TEXT NOT NULL DEFAULT '';
UPDATE outbox SET
    project = coalesce(
        (SELECT d.project FROM decision AS d WHERE d.n = outbox.decision),
        (SELECT json_extract(e.body, '$.project') FROM event AS e WHERE e.seq = outbox.seq),
        ''),
    not_before = max(not_before, coalesce(leased_until, 0));
ALTER TABLE outbox DROP COLUMN leased_until;

DROP INDEX outbox_queued;
CREATE INDEX outbox_due ON outbox (lane, not_before, id) WHERE state = 'queued';
CREATE INDEX outbox_turn ON outbox (lane, project, target, not_before, id) WHERE state = 'queued';
CREATE INDEX outbox_late ON outbox (lane, not_after) WHERE state = 'queued';
CREATE INDEX outbox_dead ON outbox (id) WHERE state = 'dead';

-- Idempotency keys are forgotten by age.
CREATE INDEX idempotency_by_age ON idempotency (at);
