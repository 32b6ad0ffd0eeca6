"""The right pane: sources of an answer, and the documents that they come from."""
