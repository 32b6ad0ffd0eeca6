-- Branches and drafts of conversations, what the user decided of files, and consent.

-- A message follows its parent; a conversation's head is the last message of the branch shown.
-- Messages go with their conversation; a cascade along parents would be too deep for SQLite.
-- A deleted conversation stays until the chance to undo has passed.
ALTER TABLE chats ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
ALTER TABLE chats ADD COLUMN deleted REAL;
ALTER TABLE chats ADD COLUMN head INTEGER;
ALTER TABLE messages ADD COLUMN parent INTEGER REFERENCES messages (id);
CREATE INDEX messages_by_parent ON messages (parent);
UPDATE messages SET parent = (
    SELECT max(before.id) FROM messages AS before
    WHERE before.chat_id = messages.chat_id AND before.id < messages.id
);
UPDATE chats SET head = (SELECT max(id) FROM messages WHERE messages.chat_id = chats.id);

-- What was typed and not yet sent; chat_id 0 is the conversation that has not begun.
CREATE TABLE drafts (
    chat_id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    changed REAL NOT NULL
);

-- Files that the user took out and that a look through their folder must not bring back.
CREATE TABLE exclusions (
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    path TEXT NOT NULL,
    PRIMARY KEY (kb, path)
);

-- Files that wait are read in the order of their priority, the highest first.
ALTER TABLE files ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
CREATE INDEX files_by_priority ON files (kb, priority) WHERE priority > 0;

-- Single figures that outlive a run: whether reading is paused, how fast this computer reads.
CREATE TABLE figures (
    name TEXT PRIMARY KEY,
    value REAL NOT NULL
);

-- Hosts other than this computer to which a knowledge base's passages may be sent.
CREATE TABLE consents (
    kb INTEGER NOT NULL REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    host TEXT NOT NULL,
    given REAL NOT NULL,
    PRIMARY KEY (kb, host)
);
