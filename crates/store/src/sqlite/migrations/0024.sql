-- Only PostgreSQL reckons the time in SQL: its readers added the skew even where the clock had caught up.
SELECT 1;
