"""The page of notes: what was saved of answers and documents, and words of one's own."""
