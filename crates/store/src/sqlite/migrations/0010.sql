-- That the holder of a key wrote a batch: at the last event of the batch, and null elsewhere.
ALTER TABLE event ADD COLUMN proof BLOB;

-- Every key answers for its own batches, so several may sign at the same event. The root is that of the Merkle tree,
-- and prior the checkpoint that the same key made before.
ALTER TABLE checkpoint RENAME TO checkpoint_9;
CREATE TABLE checkpoint (
    seq       INTEGER NOT NULL,
    hash      TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    key       TEXT    NOT NULL REFERENCES key (id),
    signature TEXT    NOT NULL,
    root      TEXT,
    prior     INTEGER,
    PRIMARY KEY (seq, key)
) STRICT, WITHOUT ROWID;
INSERT INTO checkpoint (seq, hash, at, key, signature) SELECT seq, hash, at, key, signature FROM checkpoint_9;
DROP TABLE checkpoint_9;
