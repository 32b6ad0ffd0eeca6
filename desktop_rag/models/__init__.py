"""Embedders, rerankers and language models, behind protocols."""
