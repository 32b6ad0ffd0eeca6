-- Notes: an answer, a quote or a selection that was saved, or words of the user's own. `payload` is
-- what is kept beside the text, as beside an answer's: sources and citations. A note has all of its
-- own, so it outlives the conversation, the files and the knowledge bases that it was taken from.
-- Those with a lower `position` stand higher; `deleted` ones can be brought back for a while.
CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    payload TEXT NOT NULL,
    kbs TEXT NOT NULL,
    created REAL NOT NULL,
    changed REAL NOT NULL,
    position INTEGER NOT NULL,
    deleted REAL
);
