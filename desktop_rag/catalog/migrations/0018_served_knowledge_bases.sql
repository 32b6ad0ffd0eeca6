-- The knowledge bases that other programs may ask, and since when. Rows of their own, and an index of
-- them: what was taken back does not come back from a copy of the catalog.
CREATE TABLE served_knowledge_bases (
    kb INTEGER NOT NULL UNIQUE REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    given REAL NOT NULL
);
