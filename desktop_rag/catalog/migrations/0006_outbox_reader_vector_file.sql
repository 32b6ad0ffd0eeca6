-- A large knowledge base's vectors lie in a file as well, which reads the outbox at its own pace.
CREATE TABLE readers (
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    reader TEXT NOT NULL CHECK (reader IN ('words', 'vectors', 'vector_file')),
    seq INTEGER NOT NULL,
    PRIMARY KEY (kb, reader)
);
INSERT INTO readers SELECT kb, reader, seq FROM outbox_readers;
DROP TABLE outbox_readers;
ALTER TABLE readers RENAME TO outbox_readers;
