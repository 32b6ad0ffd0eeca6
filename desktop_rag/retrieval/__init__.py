"""Two-stage retrieval: candidates, fusion, reranking, expansion."""
