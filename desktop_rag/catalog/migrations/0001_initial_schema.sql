-- The catalog. AUTOINCREMENT: an index may still know a deleted chunk's number, so none is used twice.

CREATE TABLE knowledge_bases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created REAL NOT NULL
);

CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    is_folder INTEGER NOT NULL,
    exclude TEXT NOT NULL,
    UNIQUE (kb, path)
);

-- Content, found by its hash and by how it was read; a file is a path that has it.
CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content_hash TEXT NOT NULL,
    recipe TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    pages INTEGER,
    notes TEXT NOT NULL,
    chunk_count INTEGER NOT NULL,
    UNIQUE (content_hash, recipe)
);

CREATE TABLE files (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    size INTEGER,
    mtime_ns INTEGER,
    content_hash TEXT,
    status TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    document_id INTEGER REFERENCES documents (id),
    seconds REAL NOT NULL DEFAULT 0,
    changed_at REAL NOT NULL,
    UNIQUE (kb, path)
);
CREATE INDEX files_by_document ON files (document_id, kb);
CREATE INDEX files_by_hash ON files (kb, content_hash);
CREATE INDEX files_by_status ON files (kb, status);

CREATE TABLE chunks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL REFERENCES documents (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    context TEXT NOT NULL,
    section TEXT NOT NULL,
    locator TEXT NOT NULL,
    start INTEGER,
    stop INTEGER,
    big_start INTEGER NOT NULL,
    big_stop INTEGER NOT NULL,
    embed_key TEXT NOT NULL,
    UNIQUE (document_id, ordinal)
);
CREATE INDEX chunks_by_embedding ON chunks (embed_key);

CREATE TABLE embeddings (
    embed_key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (embed_key, fingerprint)
);

-- What the vector and lexical indexes must still be told, in order.
CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    chunk_id INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('add', 'delete'))
);
CREATE INDEX outbox_by_kb ON outbox (kb, seq);

CREATE TABLE chats (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    kbs TEXT NOT NULL,
    created REAL NOT NULL,
    changed REAL NOT NULL
);

CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    payload TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX messages_by_chat ON messages (chat_id, id);
