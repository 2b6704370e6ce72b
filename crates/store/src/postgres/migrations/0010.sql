-- That the holder of a key wrote a batch: at the last event of the batch, and null elsewhere.
ALTER TABLE hp.event ADD COLUMN proof BYTEA;

-- Every key answers for its own batches, so several may sign at the same event. The root is that of the Merkle tree,
-- and prior the checkpoint that the same key made before.
ALTER TABLE hp.checkpoint DROP CONSTRAINT checkpoint_pkey;
ALTER TABLE hp.checkpoint ADD PRIMARY KEY (seq, key);
ALTER TABLE hp.checkpoint ADD COLUMN root TEXT, ADD COLUMN prior BIGINT;
