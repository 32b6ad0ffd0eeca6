"""Questions over whole tables of real documents, with answers computed from the original files."""
