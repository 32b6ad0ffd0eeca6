-- Questions suggested for a document in a knowledge base, as a JSON list of texts: empty where it has
-- nothing to ask. A row says that the document was looked at by this recipe.
CREATE TABLE suggested_questions (
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    recipe TEXT NOT NULL,
    questions TEXT NOT NULL,
    UNIQUE (kb, document_id)
);
CREATE INDEX suggested_questions_by_document ON suggested_questions (document_id);
