-- What a token allows beyond its role, and when it ends by itself.
ALTER TABLE token ADD COLUMN permissions TEXT NOT NULL DEFAULT '[]';
ALTER TABLE token ADD COLUMN expires_at INTEGER;
