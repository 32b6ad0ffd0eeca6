"""The catalog: one SQLite file that holds what is known of files, documents and conversations."""
