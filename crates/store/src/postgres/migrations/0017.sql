-- The person whom a token belongs to.
ALTER TABLE hp.token ADD COLUMN owner TEXT;
