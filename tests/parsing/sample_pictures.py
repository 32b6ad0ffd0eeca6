"""Pictures of every ending that is read; HEIF, which nothing here writes, is a real photo."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

TURNED_PHOTO = Path(__file__).parent / "ocr" / "turned_photo.heic"
"""A photo of two lines of text, held sideways; upright it is 560 x 150 pixels."""

_HEIF = frozenset({".heic", ".heif"})


def encoded(picture: Image.Image, ending: str) -> bytes:
    """Return the picture as a file of this ending, `.png` say; of HEIF, the photo instead."""
    if ending in _HEIF:
        return TURNED_PHOTO.read_bytes()
    made = io.BytesIO()
    picture.save(made, Image.registered_extensions()[ending])
    return made.getvalue()
