-- What is overdue shows what silence answers, as every reader shows it before a command has recorded it.
DROP VIEW hp.decision_points;

CREATE VIEW hp.decision_points AS
WITH blocking AS (
    -- Most block nothing: the text tells that sooner than its parts.
    SELECT d.requested_by, d.status, d.deadline,
           regexp_replace(d.doc, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g')::json AS doc
    FROM hp.decision d WHERE (d.owner IS NULL OR d.owner < 'item:' OR d.owner >= 'item;')
        AND strpos(d.doc, '"blocks":') > 0
), point AS (
    SELECT substr(d.owner, 6) AS issue_id, d.requested_by, d.status, d.deadline,
           regexp_replace(d.doc, '(?<!\\)((\\\\)*)\\u0000', '\1\\ufffd', 'g')::json AS doc
    FROM hp.decision d WHERE d.owner >= 'item:' AND d.owner < 'item;'
    UNION ALL
    SELECT doc #>> '{blocks,0}', requested_by, status, deadline, doc FROM blocking WHERE doc #>> '{blocks,0}' IS NOT NULL
), aged AS (
    SELECT issue_id, requested_by, doc,
           coalesce(status = 'pending' AND deadline <= extract(epoch FROM statement_timestamp()) * 1000, false) AS overdue
    FROM point
), settled AS (
    SELECT aged.*,
           CASE WHEN NOT overdue THEN doc -> 'answer'
                WHEN doc ->> 'on_timeout' = 'default'
                    THEN json_build_object('values', doc -> 'default', 'out', doc #>> '{default,out}')
                WHEN doc ->> 'on_timeout' = 'deny'
                    THEN json_build_object('values', json_build_object('no', (
                        SELECT o ->> 'id' FROM json_array_elements(doc -> 'fields') AS f,
                             json_array_elements(CASE json_typeof(f -> 'options') WHEN 'array' THEN f -> 'options' END) AS o
                        WHERE o ->> 'refuses' = 'true' LIMIT 1)))
           END AS answer
    FROM aged
), part AS (
    SELECT issue_id, requested_by, doc, overdue, answer,
           CASE json_typeof(answer -> 'values') WHEN 'object' THEN answer -> 'values' END AS given,
           CASE json_typeof(doc -> 'default') WHEN 'object' THEN doc -> 'default' END AS preset,
           CASE json_typeof(doc -> 'fields') WHEN 'array' THEN doc -> 'fields' END AS fields
    FROM settled
), said AS (
    SELECT part.*,
           (SELECT value #>> '{}' FROM json_each(given) WHERE json_typeof(value) = 'string' LIMIT 1) AS picked,
           (SELECT value ->> 'text' FROM json_each(given) WHERE json_typeof(value) = 'object' LIMIT 1) AS written,
           fields #>> '{0,kind}' IN ('choice', 'confirm') AS picks
    FROM part
)
SELECT issue_id,
       -- Where the title is the question, the prompt is what to know besides.
       CASE WHEN trim(doc ->> 'title') = fields #>> '{0,label}' THEN doc ->> 'title'
            ELSE coalesce(doc ->> 'prompt', doc ->> 'title') END AS prompt,
       (SELECT coalesce(json_agg(json_build_object(
                   'id', o ->> 'id', 'short', coalesce(o ->> 'short', o ->> 'id'), 'label', o ->> 'label',
                   'description', o ->> 'description')), '[]')::text
        FROM json_array_elements(fields) AS f,
             json_array_elements(CASE json_typeof(f -> 'options') WHEN 'array' THEN f -> 'options' END) AS o) AS options,
       (SELECT value #>> '{}' FROM json_each(preset) WHERE json_typeof(value) = 'string' LIMIT 1) AS default_option,
       coalesce(answer ->> 'out', CASE WHEN picks THEN picked END) AS selected_option,
       coalesce(written, CASE WHEN picks OR answer ->> 'out' IS NOT NULL THEN NULL ELSE picked END, answer ->> 'message')
           AS response_text,
       -- Null exactly while it is pending, however it was settled.
       CASE WHEN overdue THEN doc ->> 'deadline' ELSE doc ->> 'settled_at' END AS responded_at,
       coalesce(answer ->> 'by', CASE WHEN overdue OR doc ->> 'status' = 'timed_out' THEN 'system:timeout' END)
           AS responded_by,
       (doc ->> 'iteration')::bigint AS iteration,
       (doc ->> 'max_iterations')::bigint AS max_iterations,
       doc ->> 'prior' AS prior_id,
       doc ->> 'guidance' AS guidance,
       requested_by,
       doc ->> 'created_at' AS created_at,
       doc ->> 'id' AS id
FROM said;
