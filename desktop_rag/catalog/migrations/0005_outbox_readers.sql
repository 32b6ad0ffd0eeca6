-- The word index and Chroma read the outbox each at its own pace: an entry goes when both have it.
-- `update` tells that a document's chunks stay and its file has another path.
CREATE TABLE outbox_entries (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    chunk_id INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('add', 'delete', 'update'))
);
INSERT INTO outbox_entries SELECT seq, kb, chunk_id, action FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_entries RENAME TO outbox;
CREATE INDEX outbox_by_kb ON outbox (kb, seq);

-- Up to which entry a reader has been told. One without a row reads nothing, and keeps no entry.
CREATE TABLE outbox_readers (
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    reader TEXT NOT NULL CHECK (reader IN ('words', 'vectors')),
    seq INTEGER NOT NULL,
    PRIMARY KEY (kb, reader)
);
