-- Whether the text of a knowledge base's scans and pictures is recognised; NULL: as the settings say.
ALTER TABLE knowledge_bases ADD COLUMN recognizes_text INTEGER;
