-- How many remarks of programs a message shows.
ALTER TABLE sent ADD COLUMN remarks INTEGER NOT NULL DEFAULT 0;

-- What blocks an item without being asked on it, as a job's question does, is a decision point of the first item that it blocks.
DROP VIEW decision_points;

CREATE VIEW decision_points AS
WITH item AS (
    SELECT d.n, substr(d.owner, 6) AS issue_id, d.requested_by, d.doc
    FROM decision d WHERE d.owner >= 'item:' AND d.owner < 'item;'
    UNION ALL
    -- Most block nothing: the text tells that sooner than its parts.
    SELECT d.n, d.doc ->> '$.blocks[0]', d.requested_by, d.doc
    FROM decision d WHERE (d.owner IS NULL OR d.owner < 'item:' OR d.owner >= 'item;')
        AND instr(d.doc, '"blocks":') > 0 AND d.doc ->> '$.blocks[0]' IS NOT NULL
), point AS (
    SELECT d.n, d.issue_id, d.requested_by, d.doc,
           (SELECT v.value FROM json_each(d.doc, '$.answer.values') v WHERE v.type = 'text' LIMIT 1) AS picked,
           (SELECT v.value ->> '$.text' FROM json_each(d.doc, '$.answer.values') v WHERE v.type = 'object' LIMIT 1)
               AS written,
           (SELECT f.value ->> '$.kind' IN ('choice', 'confirm') FROM json_each(d.doc, '$.fields') f LIMIT 1) AS picks,
           (SELECT v.value FROM json_each(d.doc, '$.default') v WHERE v.type = 'text' LIMIT 1) AS preset
    FROM item d
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
       coalesce(doc ->> '$.answer.out', CASE WHEN picks THEN picked END) AS selected_option,
       coalesce(written, CASE WHEN picks THEN NULL ELSE picked END, doc ->> '$.answer.message')
           AS response_text,
       -- Null exactly while it is pending, however it was settled.
       doc ->> '$.settled_at' AS responded_at,
       coalesce(doc ->> '$.answer.by', CASE doc ->> '$.status' WHEN 'timed_out' THEN 'system:timeout' END) AS responded_by,
       doc ->> '$.iteration' AS iteration,
       doc ->> '$.max_iterations' AS max_iterations,
       doc ->> '$.prior' AS prior_id,
       doc ->> '$.guidance' AS guidance,
       requested_by,
       doc ->> '$.created_at' AS created_at,
       doc ->> '$.id' AS id
FROM point;
