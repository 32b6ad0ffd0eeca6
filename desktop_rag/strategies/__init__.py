"""The ways to research a question, one file each."""
