-- What files' rows tell of their documents is read without the documents' texts, which lie before.
DROP INDEX documents_chunk_counts;
CREATE INDEX documents_details ON documents (id, chunk_count, pages, notes);
