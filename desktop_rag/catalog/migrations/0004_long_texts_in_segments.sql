-- The text of a long document: `documents.text` is its beginning, the segments are the rest, each
-- with the place of its first character. So a passage is read without the whole.
CREATE TABLE segments (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (document_id, start)
);

INSERT INTO segments (document_id, start, text)
WITH RECURSIVE parts (id, start, length) AS (
    SELECT id, 1000000, length(text) FROM documents WHERE length(text) > 1000000
    UNION ALL
    SELECT id, start + 1000000, length FROM parts WHERE start + 1000000 < length
)
SELECT id, start, (SELECT substr(text, start + 1, 1000000) FROM documents WHERE documents.id = parts.id)
FROM parts;

UPDATE documents SET text = substr(text, 1, 1000000) WHERE length(text) > 1000000;

-- Files that could not be read are tried once more: damaged Office files can be now. Those of an
-- import, whose folders nobody follows, keep what is said of them.
UPDATE files SET status = 'queued', reason = ''
WHERE status IN ('corrupt', 'failed') AND EXISTS (
    SELECT 1 FROM sources WHERE sources.kb = files.kb AND (sources.path = files.path
        OR substr(files.path, 1, length(sources.path) + 1) IN (sources.path || '/', sources.path || '\'))
);
