"""Tests of `desktop_rag.parsing.office`."""
