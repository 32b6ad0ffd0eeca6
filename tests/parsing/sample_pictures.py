"""Pictures of every ending that is read (HEIF, which nothing here writes, is a real photo), and
plain ones of which a test says what was recognised on them.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image

from desktop_rag.parsing.ocr.recognized_page import RecognizedLine, RecognizedPage

LINES = ("The pump is switched off by the red lever.", "Wait for a minute.")

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


def picture(colour: str, width: int = 400, height: int = 300) -> io.BytesIO:
    """Return a picture of one colour."""
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    made.seek(0)
    return made


def found(*lines: str, confidence: float = 0.9) -> RecognizedPage:
    """Return what recognition says of a picture on which lines stand."""
    each = [RecognizedLine(text, 0, 20 * at, 150, 20 * at + 10, confidence)
            for at, text in enumerate(lines)]  # fmt: skip
    return RecognizedPage(200, 150, 0, tuple(each))
