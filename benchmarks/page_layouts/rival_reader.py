"""Read PDFs with other programs' libraries, in an environment of its own, which has them.

python -m benchmarks.page_layouts.rival_reader FOLDER

What each rival reads of every FOLDER/*.pdf is written to FOLDER/RIVAL.json: by the file's name the
text's lines, and the rows of each table where the rival knows tables.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

# unstructured reports to its makers and prints a notice.
_SILENCE = {
    "SCARF_NO_ANALYTICS": "true",
    "DO_NOT_TRACK": "true",
    "UNSTRUCTURED_DISABLE_NOTICE": "1",
}

Found = dict[str, Any]  # `lines` and `tables`


def main() -> None:
    folder = Path(sys.argv[1])
    for name, read in RIVALS.items():
        found = {path.stem: read(path) for path in sorted(folder.glob("*.pdf"))}
        (folder / f"{name}.json").write_text(json.dumps(found), encoding="utf-8")


def _with_pypdf(path: Path) -> Found:
    from pypdf import PdfReader

    texts = [page.extract_text() for page in PdfReader(path).pages]
    return {"lines": [line for text in texts for line in text.splitlines()], "tables": []}


def _with_pdfplumber(path: Path) -> Found:
    import pdfplumber

    lines: list[str] = []
    tables: list[Any] = []
    with pdfplumber.open(path) as document:
        for page in document.pages:
            lines += page.extract_text().splitlines()
            tables += page.extract_tables()
    return {"lines": lines, "tables": tables}


def _with_unstructured(path: Path) -> Found:
    os.environ.update(_SILENCE)
    import spacy
    from unstructured.nlp import tokenize

    if not getattr(tokenize._get_nlp, "blank", False):  # noqa: SLF001
        pipeline = spacy.blank("en")  # its own would be downloaded; labels alone differ
        pipeline.add_pipe("sentencizer")

        def blank_pipeline() -> Any:
            return pipeline

        blank_pipeline.blank = True  # type: ignore[attr-defined]
        tokenize._get_nlp = blank_pipeline  # noqa: SLF001
    from unstructured.partition.pdf import partition_pdf

    elements = partition_pdf(filename=str(path), strategy="fast", languages=["eng", "chi_sim"])
    return {"lines": [line for each in elements for line in each.text.splitlines()], "tables": []}


RIVALS: dict[str, Callable[[Path], Found]] = {
    "unstructured, fast": _with_unstructured,
    "pypdf": _with_pypdf,
    "pdfplumber": _with_pdfplumber,
}


if __name__ == "__main__":
    main()
