"""The right pane: sources of an answer, and the documents they come from."""
