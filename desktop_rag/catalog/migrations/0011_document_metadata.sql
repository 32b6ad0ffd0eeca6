-- What documents say of themselves beside their text; a table of its own, since a row of documents
-- holds the text, which would be read over.
CREATE TABLE document_metadata (
    document_id INTEGER PRIMARY KEY REFERENCES documents (id) ON DELETE CASCADE,
    authors TEXT NOT NULL,
    recipients TEXT NOT NULL,
    keywords TEXT NOT NULL,
    subject TEXT NOT NULL,
    created REAL,
    modified REAL,
    language TEXT NOT NULL
);
