-- What knowledge bases are prepared for, and what is made of documents for that: texts that lead to
-- the chunks they were made from, found by vectors of their own. All of it goes with its document.
-- `model` is the language model that was chosen for a preparation, empty for none.
CREATE TABLE preparations (
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    way TEXT NOT NULL,
    model TEXT NOT NULL DEFAULT '',
    is_paused INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kb, way)
);

-- How far a document is prepared: `position` is where its preparation goes on, `texts` how many
-- derived texts were made until there.
CREATE TABLE prepared_documents (
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    way TEXT NOT NULL,
    recipe TEXT NOT NULL,
    position INTEGER NOT NULL,
    texts INTEGER NOT NULL,
    is_done INTEGER NOT NULL,
    UNIQUE (document_id, way)
);

CREATE TABLE derived_texts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    way TEXT NOT NULL,
    level INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX derived_texts_by_document ON derived_texts (document_id, way);

-- The chunks that a derived text was made from, directly or through other derived texts.
CREATE TABLE derived_sources (
    derived_id INTEGER NOT NULL REFERENCES derived_texts (id) ON DELETE CASCADE,
    chunk_id INTEGER NOT NULL REFERENCES chunks (id) ON DELETE CASCADE,
    UNIQUE (derived_id, chunk_id)
);
CREATE INDEX derived_sources_by_chunk ON derived_sources (chunk_id);

-- The derived texts that a derived text of a higher level was made from.
CREATE TABLE derived_children (
    parent_id INTEGER NOT NULL REFERENCES derived_texts (id) ON DELETE CASCADE,
    child_id INTEGER NOT NULL REFERENCES derived_texts (id) ON DELETE CASCADE,
    UNIQUE (parent_id, child_id)
);
CREATE INDEX derived_children_by_child ON derived_children (child_id);

CREATE TABLE derived_vectors (
    derived_id INTEGER NOT NULL REFERENCES derived_texts (id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (derived_id, fingerprint)
);
