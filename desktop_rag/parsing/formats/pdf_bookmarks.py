"""The outline of a PDF as a reader shows it: titles, levels, pages and places on them.

Everything in it may be hostile: it is bounded in number, depth and length, and a title is text.
"""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfiumError

from desktop_rag.core.sanitize import sanitize_name

_MOST, _DEEPEST = 2000, 8
_LONGEST = 160  # characters of a title

Bookmark = tuple[str, int, int, float]
"""A title, a level from 0, a page from 1, and points from the page's top."""


def read_bookmarks(document: Any) -> list[Bookmark]:
    """Return the lines of an outline that lead to a page; none of what is no PDF."""
    if not isinstance(document, PdfDocument):
        return []
    found: list[Bookmark] = []
    try:
        for entry in islice(document.get_toc(max_depth=_DEEPEST), _MOST):
            title = sanitize_name(" ".join(entry.get_title()[: 2 * _LONGEST].split()))[:_LONGEST]
            target = entry.get_dest()
            page = target.get_index() if target is not None else None
            if title and page is not None and 0 <= page < len(document):
                level = min(max(0, entry.level), _DEEPEST)
                found.append((title, level, page + 1, _from_top(document, page, target)))
    except PdfiumError:
        return found
    return found


def _from_top(document: Any, page: int, target: Any) -> float:
    """Return where on its page a line leads to; its top where that is not told, or beyond it."""
    mode, numbers = target.get_view()
    at = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0}.get(mode)
    size = pdfium.FS_SIZEF()
    if at is None or len(numbers) <= at:
        return 0.0
    if not pdfium.FPDF_GetPageSizeByIndexF(document, page, size):
        return 0.0
    y = size.height - numbers[at]
    return round(y, 1) if math.isfinite(y) and 0 < y < size.height else 0.0
