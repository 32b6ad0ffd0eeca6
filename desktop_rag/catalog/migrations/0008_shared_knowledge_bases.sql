-- A knowledge base that is shared on a Chroma server: there it is called `shared_name`. `writer`
-- names this data folder among those that write there, and is empty where it only reads. `synced`
-- is when both were last in step, `away` since when the server cannot be asked (0: it can).
CREATE TABLE shares (
    kb INTEGER PRIMARY KEY REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    server TEXT NOT NULL,
    shared_name TEXT NOT NULL,
    writer TEXT NOT NULL,
    synced REAL NOT NULL DEFAULT 0,
    away REAL NOT NULL DEFAULT 0
);

-- The files that came from there: how their path is written there, who wrote them, and when.
CREATE TABLE shared_files (
    kb INTEGER NOT NULL REFERENCES shares (kb) ON DELETE CASCADE,
    path TEXT NOT NULL,
    shared_path TEXT NOT NULL,
    author TEXT NOT NULL,
    written REAL NOT NULL,
    PRIMARY KEY (kb, path)
);
