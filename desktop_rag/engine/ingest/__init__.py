"""From a path to stored chunks: scan, watch, parse, chunk, embed, store."""
