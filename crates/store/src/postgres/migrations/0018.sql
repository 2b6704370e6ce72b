-- When something happens because nobody has answered.
ALTER TABLE hp.decision ADD COLUMN escalates_at BIGINT;
CREATE INDEX decision_escalation ON hp.decision (escalates_at, n) WHERE status = 'pending' AND escalates_at IS NOT NULL;
