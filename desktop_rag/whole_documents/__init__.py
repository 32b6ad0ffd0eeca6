"""Whole documents: all passages of one are read, for a summary, a comparison, a row of a table."""
