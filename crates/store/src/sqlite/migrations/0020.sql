-- How a person wants to be told.
ALTER TABLE person ADD COLUMN notify TEXT NOT NULL DEFAULT '{}';
-- Why a row is held back until it is due: its receiver wants it later, or gathered with others.
ALTER TABLE outbox ADD COLUMN held TEXT;
CREATE INDEX outbox_held ON outbox (target) WHERE held IS NOT NULL;
