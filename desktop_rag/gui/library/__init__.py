"""The left pane: knowledge bases, folders, files."""
