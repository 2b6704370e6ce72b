-- Nothing: what the embedded store mends under this number was right here from the start.
SELECT 1;
