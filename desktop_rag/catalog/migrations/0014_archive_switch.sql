-- Whether a knowledge base's archives are looked into.
ALTER TABLE knowledge_bases ADD COLUMN opens_archives INTEGER NOT NULL DEFAULT 0;
