"""Changes to a question before, and around, any strategy."""
