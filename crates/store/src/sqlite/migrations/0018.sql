-- When something happens because nobody has answered.
ALTER TABLE decision ADD COLUMN escalates_at INTEGER;
CREATE INDEX decision_escalation ON decision (escalates_at, n) WHERE status = 'pending' AND escalates_at IS NOT NULL;
