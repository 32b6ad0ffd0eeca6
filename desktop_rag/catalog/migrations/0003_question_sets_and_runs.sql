-- Questions of the user's own, to measure by: what the user wrote, and references to passages. No
-- text of a document is kept in them.
CREATE TABLE question_sets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    created REAL NOT NULL
);

CREATE TABLE saved_questions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    set_id INTEGER NOT NULL REFERENCES question_sets (id) ON DELETE CASCADE,
    question TEXT NOT NULL,
    answers TEXT NOT NULL,
    kbs TEXT NOT NULL,
    created REAL NOT NULL
);
CREATE INDEX saved_questions_by_set ON saved_questions (set_id, id);

-- The passages that answer a question: a range of the text of a content, where it was known last.
-- An empty content means whatever the file holds, a stop of -1 the whole of it.
CREATE TABLE gold_passages (
    question_id INTEGER NOT NULL REFERENCES saved_questions (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    start INTEGER NOT NULL,
    stop INTEGER NOT NULL
);
CREATE INDEX gold_by_question ON gold_passages (question_id);
CREATE INDEX gold_by_path ON gold_passages (path);

-- Runs over a question set: figures and scores, by the questions' numbers.
CREATE TABLE measured_runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    task TEXT NOT NULL,
    made REAL NOT NULL,
    settings TEXT NOT NULL,
    results TEXT NOT NULL
);
CREATE INDEX measured_by_source ON measured_runs (source, task, id);
