-- How many chunks a knowledge base has is counted without its documents' texts, which lie between.
CREATE INDEX documents_chunk_counts ON documents (id, chunk_count);
