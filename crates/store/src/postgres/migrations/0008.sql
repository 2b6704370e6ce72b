-- The ends of the names of runs: what they start with is when they were begun, and much alike.
CREATE INDEX run_by_end ON hp.run ("right"(id, 4), id);
