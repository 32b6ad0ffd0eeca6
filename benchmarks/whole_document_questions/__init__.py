"""Questions over whole documents, held against the original files."""
