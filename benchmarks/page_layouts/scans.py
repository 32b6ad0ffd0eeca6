"""Documents as a scanner gives them, and what text recognition makes of these.

A page is a picture of 150 dots an inch, askew and noisy, without text.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pypdfium2
from PIL import Image

from benchmarks.page_layouts.readings import Reading, own_reading
from desktop_rag.parsing.ocr.page_recognizer import PageRecognizer
from desktop_rag.parsing.ocr.recognized_page import RecognizedPage, pack_page, unpack_page

_DOTS = 150
_DEGREES = 2.0
_NOISE = 12.0  # of 255: the standard deviation of a pixel's brightness


class ScanReader:
    """Reads scans of documents, as a context; what was recognised is kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._recognizer = PageRecognizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._recognizer.close()

    def reading(self, document: Path) -> Reading:
        """Return what is read of a scan of a document."""
        scan = self._folder / f"{document.stem}.scan"
        write_scan(document, scan)
        with pypdfium2.PdfDocument(scan) as opened:
            numbers = range(1, len(opened) + 1)
        return own_reading(scan, {number: self._page(scan, number) for number in numbers})

    def _page(self, scan: Path, number: int) -> RecognizedPage:
        kept = self._folder / self._recognizer.picture_key(scan, number)
        if not kept.exists():
            kept.write_bytes(pack_page(self._recognizer.recognize(scan, number)))
        return unpack_page(kept.read_bytes())


def write_scan(document: Path, scan: Path) -> None:
    """Write a document's pages as pictures, always the same for the same pages."""
    first, *others = _pictures(document)
    first.save(scan, "PDF", resolution=_DOTS, save_all=True, append_images=others)


def _pictures(document: Path) -> Iterator[Image.Image]:
    noise = np.random.default_rng(7)
    with pypdfium2.PdfDocument(document) as opened:
        for page in opened:
            drawn = page.render(scale=_DOTS / 72).to_pil().convert("L")
            askew = drawn.rotate(-_DEGREES, Image.Resampling.BICUBIC, fillcolor=255)
            pixels = np.asarray(askew, np.float64) * 0.9 + 12
            pixels += noise.normal(0, _NOISE, pixels.shape)
            yield Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
