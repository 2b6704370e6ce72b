-- Who but a person may give verdicts on the runs of a project: names with commas.
ALTER TABLE project ADD COLUMN verdicts TEXT NOT NULL DEFAULT '';
