"""A knowledge base as one file: written from the catalog, checked, and entered into another one."""
