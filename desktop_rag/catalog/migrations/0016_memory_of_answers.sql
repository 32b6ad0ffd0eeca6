-- A knowledge base's revision is raised whenever something changes that an answer may depend on: its
-- files, what its indexes are told, what its documents say of themselves, what was prepared.
ALTER TABLE knowledge_bases ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

CREATE TRIGGER revision_of_a_new_file AFTER INSERT ON files
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = NEW.kb;
END;

CREATE TRIGGER revision_of_a_deleted_file AFTER DELETE ON files
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = OLD.kb;
END;

CREATE TRIGGER revision_of_a_changed_file AFTER UPDATE ON files
WHEN OLD.kb IS NOT NEW.kb OR OLD.path IS NOT NEW.path OR OLD.document_id IS NOT NEW.document_id
    OR OLD.content_hash IS NOT NEW.content_hash OR OLD.mtime_ns IS NOT NEW.mtime_ns
    OR OLD.status IS NOT NEW.status
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id IN (OLD.kb, NEW.kb);
END;

CREATE TRIGGER revision_of_told_indexes AFTER INSERT ON outbox
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = NEW.kb;
END;

CREATE TRIGGER revision_of_new_metadata AFTER INSERT ON document_metadata
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1
    WHERE id IN (SELECT kb FROM files WHERE document_id = NEW.document_id);
END;

CREATE TRIGGER revision_of_changed_metadata AFTER UPDATE ON document_metadata
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1
    WHERE id IN (SELECT kb FROM files WHERE document_id = NEW.document_id);
END;

CREATE TRIGGER revision_of_a_preparation AFTER INSERT ON preparations
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = NEW.kb;
END;

CREATE TRIGGER revision_of_a_removed_preparation AFTER DELETE ON preparations
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = OLD.kb;
END;

CREATE TRIGGER revision_of_a_prepared_document AFTER INSERT ON prepared_documents
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1
    WHERE id IN (SELECT kb FROM files WHERE document_id = NEW.document_id);
END;

CREATE TRIGGER revision_of_a_further_prepared_document AFTER UPDATE ON prepared_documents
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1
    WHERE id IN (SELECT kb FROM files WHERE document_id = NEW.document_id);
END;

CREATE TRIGGER revision_of_a_no_longer_prepared_document AFTER DELETE ON prepared_documents
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1
    WHERE id IN (SELECT kb FROM files WHERE document_id = OLD.document_id);
END;

CREATE TRIGGER revision_of_a_derived_vector AFTER INSERT ON derived_vectors
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id IN (
        SELECT kb FROM files WHERE document_id =
            (SELECT document_id FROM derived_texts WHERE id = NEW.derived_id)
    );
END;

CREATE TRIGGER revision_of_a_share AFTER UPDATE OF away ON shares
WHEN OLD.away IS NOT NEW.away
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = NEW.kb;
END;

-- Questions whose kept answers can be given again: `key` stands for all that decides an answer but
-- the documents, `state` for those. What becomes of the answer's words becomes of this.
CREATE TABLE reusable_answers (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX reusable_answers_by_key ON reusable_answers (key);

CREATE TRIGGER reusable_answer_of_a_changed_answer AFTER UPDATE OF text, payload ON messages
WHEN OLD.text IS NOT NEW.text OR OLD.payload IS NOT NEW.payload
BEGIN
    DELETE FROM reusable_answers WHERE message_id = NEW.id;
END;

-- Answers that the user keeps: a later question that is near theirs is told of them. The vectors are
-- of their questions.
CREATE TABLE kept_answers (
    message_id INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
    kept REAL NOT NULL
);

CREATE TABLE kept_answer_vectors (
    message_id INTEGER NOT NULL REFERENCES kept_answers (message_id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (message_id, fingerprint)
);

CREATE TRIGGER kept_answer_vector_of_a_changed_question AFTER UPDATE OF text ON messages
WHEN OLD.text IS NOT NEW.text AND OLD.role = 'user'
BEGIN
    DELETE FROM kept_answer_vectors
    WHERE message_id IN (SELECT id FROM messages WHERE parent = NEW.id);
END;
