-- What a token allows beyond its role, and when it ends by itself.
ALTER TABLE hp.token ADD COLUMN permissions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE hp.token ADD COLUMN expires_at BIGINT;
