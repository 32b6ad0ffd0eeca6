"""Embedding, reranking and language models behind protocols."""
