"""A picture file as a PDF, so that the window shows its pages as it shows those of a PDF.

Its pages have the size that text recognition gives them: what was recognised is marked at its
place. A page is made when it is asked for, and one is held at a time.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from desktop_rag.parsing.ocr.page_pictures import PagePicture, frame_sizes, page_picture


class PictureDocument:
    """The pages of a picture file, by their index from 0; `sizes` are theirs in points."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.sizes = frame_sizes(path)
        self._held: tuple[int, Any] | None = None

    def __len__(self) -> int:
        """Return how many pages there are."""
        return len(self.sizes)

    def __getitem__(self, index: int) -> Any:
        """Return a page as PDFium has it; those of other indexes must not be in use any more."""
        if self._held is None or self._held[0] != index:
            self.close()
            self._held = (index, _one_page(page_picture(self._path, index + 1)))
        return self._held[1][0]

    def close(self) -> None:
        """Let go of the page that is held."""
        held, self._held = self._held, None
        if held is not None:
            held[1].close()


def _one_page(picture: PagePicture) -> Any:
    """Return a PDF whose only page shows a picture."""
    document: Any = pypdfium2.PdfDocument.new()
    page = document.new_page(picture.width, picture.height)
    height, width = picture.pixels.shape[:2]
    shown = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGR)
    rows = (ctypes.c_ubyte * (shown.stride * height)).from_address(ctypes.addressof(shown.buffer))
    for at, row in enumerate(picture.pixels):
        start = at * shown.stride
        rows[start : start + 3 * width] = row.tobytes()
    image = pypdfium2.PdfImage.new(document)
    image.set_bitmap(shown)
    image.set_matrix(pypdfium2.PdfMatrix().scale(picture.width, picture.height))
    page.insert_obj(image)
    page.gen_content()
    page.close()
    shown.close()
    return document
