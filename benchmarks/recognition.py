"""Text recognition of printed pages: pages a second, beside RapidOCR as its package comes.

The pages are those of the PDFs in a folder, printed to pictures. They are asked of the child
process as the program asks, one after the other; RapidOCR reads the same pictures in this process,
with its own models, in as many threads as it takes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image

from benchmarks.result_table import Measurement
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer

_DOTS = (150, 300)  # an inch
_PAGES = 12
_GATE = "≥ 1 page/s on two cores"


def measure(documents: Path, folder: Path) -> list[Measurement]:
    """Recognise some pages of a folder's PDFs, printed at each resolution; return the rows."""
    rows = []
    for dots in _DOTS:
        pictures = list(printed(documents, folder / str(dots), dots))
        if not pictures:
            print(f"recognition: there is no PDF in {documents}.")
            return []
        (ours, letters), (theirs, others) = _ours(pictures), _rapidocr(pictures)
        print(f"recognition: {len(pictures)} pages, {letters} letters; RapidOCR: {others} letters")
        name = f"recognition, {dots} dots an inch, {letters // len(pictures)} letters a page"
        rows.append(
            Measurement(
                name, len(pictures) / ours, "pages/s", len(pictures) / theirs, "RapidOCR", _GATE
            )
        )
    return rows


def printed(documents: Path, folder: Path, dots: int) -> Iterator[Path]:
    """Write pages as pictures: from each PDF in turn, spread over its length."""
    paths = sorted(documents.rglob("*.pdf"))[:_PAGES]
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(_PAGES if paths else 0):
        path, turn = paths[number % len(paths)], number // len(paths)
        with pypdfium2.PdfDocument(path) as opened:
            page = opened[(2 * turn + 1) * len(opened) * len(paths) // (2 * _PAGES) % len(opened)]
            out = folder / f"{number}.png"
            page.render(scale=dots / 72).to_pil().convert("L").save(out)
            yield out


def _ours(pictures: list[Path]) -> tuple[float, int]:
    """Return the seconds that the program takes, and how many letters it reads."""
    recognizer = PageRecognizer()
    try:
        recognizer.recognize(pictures[0], 1)  # its models are loaded
        start, letters = time.perf_counter(), 0
        for path in pictures:
            recognizer.picture_key(path, 1)
            letters += sum(len(line.text) for line in recognizer.recognize(path, 1).lines)
        return time.perf_counter() - start, letters
    finally:
        recognizer.close()


def _rapidocr(pictures: list[Path]) -> tuple[float, int]:
    from rapidocr import RapidOCR

    engine: Any = RapidOCR(params={"Global.log_level": "critical"})
    engine(np.asarray(Image.open(pictures[0]).convert("RGB")))
    start, letters = time.perf_counter(), 0
    for path in pictures:
        found = engine(np.asarray(Image.open(path).convert("RGB")))
        letters += sum(len(text) for text in found.txts or ())
    return time.perf_counter() - start, letters
