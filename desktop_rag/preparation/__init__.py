"""Prepares knowledge bases: texts derived from documents, by which their passages are found."""
