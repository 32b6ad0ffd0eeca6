-- A digest of all that decides an answer: the question, how it was asked, and what there was to be
-- found. Where it is the same again, so is the answer. NULL of what is no answer to be given again.
ALTER TABLE messages ADD COLUMN answer_key TEXT;
CREATE INDEX messages_by_answer_key ON messages (answer_key, id) WHERE answer_key IS NOT NULL;
