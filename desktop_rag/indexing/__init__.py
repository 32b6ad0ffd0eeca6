"""From a folder to stored chunks: scan, watch, parse, chunk, embed, write."""
