-- Only the embedded store had something to mend: its first view took the reason of a cancellation for an answer.
SELECT 1;
