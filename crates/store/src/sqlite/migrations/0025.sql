-- What is overdue shows what silence answers, as every reader shows it before a command has recorded it.
DROP VIEW decision_points;

CREATE VIEW decision_points AS
WITH item AS (
    SELECT d.n, substr(d.owner, 6) AS issue_id, d.requested_by, d.status, d.deadline, d.doc
    FROM decision d WHERE d.owner >= 'item:' AND d.owner < 'item;'
    UNION ALL
    -- Most block nothing: the text tells that sooner than its parts.
    SELECT d.n, d.doc ->> '$.blocks[0]', d.requested_by, d.status, d.deadline, d.doc
    FROM decision d WHERE (d.owner IS NULL OR d.owner < 'item:' OR d.owner >= 'item;')
        AND instr(d.doc, '"blocks":') > 0 AND d.doc ->> '$.blocks[0]' IS NOT NULL
), aged AS (
    SELECT i.n, i.issue_id, i.requested_by, i.doc,
           i.status = 'pending' AND i.deadline <= (julianday('now') - 2440587.5) * 86400000 AS overdue
    FROM item i
), settled AS (
    SELECT a.*,
           CASE WHEN NOT coalesce(overdue, 0) THEN doc -> '$.answer'
                WHEN doc ->> '$.on_timeout' = 'default'
                    THEN json_object('values', doc -> '$.default', 'out', doc ->> '$.default.out')
                WHEN doc ->> '$.on_timeout' = 'deny'
                    THEN json_object('values', json_object('no', (
                        SELECT o.value ->> '$.id' FROM json_each(doc, '$.fields') f, json_each(f.value, '$.options') o
                        WHERE o.value ->> '$.refuses' LIMIT 1)))
           END AS answer
    FROM aged a
), point AS (
    SELECT d.n, d.issue_id, d.requested_by, d.doc, d.overdue, d.answer,
           (SELECT v.value FROM json_each(d.answer, '$.values') v WHERE v.type = 'text' LIMIT 1) AS picked,
           (SELECT v.value ->> '$.text' FROM json_each(d.answer, '$.values') v WHERE v.type = 'object' LIMIT 1)
               AS written,
           (SELECT f.value ->> '$.kind' IN ('choice', 'confirm') FROM json_each(d.doc, '$.fields') f LIMIT 1) AS picks,
           (SELECT v.value FROM json_each(d.doc, '$.default') v WHERE v.type = 'text' LIMIT 1) AS preset
    FROM settled d
)
SELECT issue_id,
       -- Where the title is the question, the prompt is what to know besides.
       CASE WHEN trim(doc ->> '$.title') = doc ->> '$.fields[0].label' THEN doc ->> '$.title'
            ELSE coalesce(doc ->> '$.prompt', doc ->> '$.title') END AS prompt,
       (SELECT coalesce(json_group_array(json_object(
                   'id', o.value ->> '$.id', 'short', coalesce(o.value ->> '$.short', o.value ->> '$.id'),
                   'label', o.value ->> '$.label', 'description', o.value ->> '$.description')), '[]')
        FROM json_each(doc, '$.fields') f, json_each(f.value, '$.options') o) AS options,
       preset AS default_option,
       coalesce(answer ->> '$.out', CASE WHEN picks THEN picked END) AS selected_option,
       coalesce(written, CASE WHEN picks OR answer ->> '$.out' IS NOT NULL THEN NULL ELSE picked END, answer ->> '$.message')
           AS response_text,
       -- Null exactly while it is pending, however it was settled.
       CASE WHEN overdue THEN doc ->> '$.deadline' ELSE doc ->> '$.settled_at' END AS responded_at,
       coalesce(answer ->> '$.by', CASE WHEN overdue OR doc ->> '$.status' = 'timed_out' THEN 'system:timeout' END)
           AS responded_by,
       doc ->> '$.iteration' AS iteration,
       doc ->> '$.max_iterations' AS max_iterations,
       doc ->> '$.prior' AS prior_id,
       doc ->> '$.guidance' AS guidance,
       requested_by,
       doc ->> '$.created_at' AS created_at,
       doc ->> '$.id' AS id
FROM point;
