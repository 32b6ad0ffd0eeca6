"""What unstructured reads of Word and PowerPoint, to hold this program's readers against.

Left to itself it downloads a spaCy model at first use, reports every start and every call to its
makers, and prints a notice (measured with 0.27.32, which is pinned for this module's sake).
Sentences come from a blank English pipeline instead; that only makes the labels of paragraphs
coarser.
"""

from __future__ import annotations

import os
from typing import Any

_SILENCE = {
    "SCARF_NO_ANALYTICS": "true",
    "DO_NOT_TRACK": "true",
    "UNSTRUCTURED_DISABLE_NOTICE": "1",
}


def word_elements(path: str) -> list[Any]:
    """Return unstructured's elements of a Word file."""
    _silence()
    from unstructured.partition.docx import partition_docx

    return list(partition_docx(filename=path))


def slide_elements(path: str) -> list[Any]:
    """Return unstructured's elements of a PowerPoint file, speaker notes included."""
    _silence()
    from unstructured.partition.pptx import partition_pptx

    return list(partition_pptx(filename=path, include_slide_notes=True))


def _silence() -> None:
    """Set the switches before the import reads them, and put the blank pipeline in place."""
    os.environ.update(_SILENCE)
    import spacy
    from unstructured.nlp import tokenize

    if getattr(tokenize._get_nlp, "blank", False):
        return
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")

    def blank_pipeline() -> Any:
        return pipeline

    blank_pipeline.blank = True  # type: ignore[attr-defined]
    tokenize._get_nlp = blank_pipeline
