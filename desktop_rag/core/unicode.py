"""Text that SQLite and tantivy can hold: valid Unicode only, which Python's strings need not be.

A file name that is not UTF-8 reaches us with lone surrogates (PEP 383). They are stored as the last
characters of a private plane, and given back as they were.
"""

from __future__ import annotations

import os
import re

_LONE = re.compile("[\ud800-\udfff]")
_TO_PLANE = {0xDC80 + n: 0x10FF80 + n for n in range(128)}
_FROM_PLANE = {stored: lone for lone, stored in _TO_PLANE.items()}


def stored_path(path: str) -> str:
    """Return a path as the catalog holds it."""
    return path if path.isascii() else path.translate(_TO_PLANE)


def shown_path(path: str) -> str:
    """Return a path as the file system knows it."""
    return path if path.isascii() else path.translate(_FROM_PLANE)


def valid_text(text: str) -> str:
    """Return the text with a question mark for every lone surrogate, at its old length."""
    if text.isascii():
        return text
    return _LONE.sub("?", text)


def path_range_below(folder: str) -> tuple[str, str]:
    """Return the bounds, `low <= path < high`, of every stored path below a folder."""
    low = stored_path(folder).rstrip(os.sep) + os.sep
    return low, low[:-1] + chr(ord(os.sep) + 1)


def is_below(path: str, folder: str) -> bool:
    """Say whether a path is that of something below a folder."""
    low, high = path_range_below(folder)
    return low <= stored_path(path) < high
