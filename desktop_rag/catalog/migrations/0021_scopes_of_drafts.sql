-- What a question that is begun is asked of, as a JSON list of [knowledge base, path]: a path ends with
-- its separator where it is a folder's, and is empty where the whole knowledge base is meant. Empty
-- where nothing is chosen. It stays when the question is sent: the next one is asked of the same.
ALTER TABLE drafts ADD COLUMN scope TEXT NOT NULL DEFAULT '';
