"""What is searched, made from the catalog: vectors (flat or Chroma) and BM25, one a base."""
