"""Everything that touches disk: the catalog, which is the truth, and the indexes made from it."""
