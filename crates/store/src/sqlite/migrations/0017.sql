-- The person whom a token belongs to.
ALTER TABLE token ADD COLUMN owner TEXT;
