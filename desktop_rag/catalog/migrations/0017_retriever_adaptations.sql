-- A linear map of the query vectors of a knowledge base, distilled from its reranker, and what it
-- was measured to be worth on held-out questions, in percent. It is for the vectors of one embedding
-- model (`fingerprint`). `query_map` is NULL where it was not worth keeping; `source` is empty where
-- its questions were proposed from the documents, of which there were so many then.
CREATE TABLE retriever_adaptations (
    kb INTEGER PRIMARY KEY REFERENCES knowledge_bases (id) ON DELETE CASCADE,
    fingerprint TEXT NOT NULL,
    source TEXT NOT NULL,
    documents INTEGER NOT NULL,
    trained INTEGER NOT NULL,
    held_out INTEGER NOT NULL,
    recall_before REAL NOT NULL,
    recall_after REAL NOT NULL,
    gain_low REAL NOT NULL,
    gain_high REAL NOT NULL,
    vector_before REAL NOT NULL,
    vector_after REAL NOT NULL,
    query_map BLOB
);

-- Answers of before are not given again: others may be found.
CREATE TRIGGER revision_of_an_adaptation AFTER INSERT ON retriever_adaptations
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = NEW.kb;
END;

CREATE TRIGGER revision_of_a_removed_adaptation AFTER DELETE ON retriever_adaptations
BEGIN
    UPDATE knowledge_bases SET revision = revision + 1 WHERE id = OLD.kb;
END;
