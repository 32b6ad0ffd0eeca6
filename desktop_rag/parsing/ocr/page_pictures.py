"""The pages that text recognition looks at, as arrays of pixels: of a PDF, or of a picture.

How many pixels there will be is known, and bounded, before any are made.
"""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from desktop_rag.core.phrases import Phrase
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.formats.pdf import open_pdf

POINTS_A_PIXEL = 0.5  # of a picture file: as if it had 144 pixels an inch
MOST_PIXELS = 25_000_000  # of a picture that is looked at
_MOST_STORED = 150_000_000  # pixels of a picture file: more are not decoded
_LONGEST_SIDE = 20_000
_DOTS_A_POINT = 300 / 72
_PDF_HEAD = 1024  # bytes in which a PDF says what it is
_MOST_FRAMES = 2000
_FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "WEBP", "GIF", "AVIF", "HEIF")
_ORIENTATION, _LYING = 0x0112, (5, 6, 7, 8)  # of a camera; TIFF's own sizes allow for it
_PALE = 200  # of 255: what is brighter would vanish on white

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class PagePicture:
    """A page's pixels, height × width × (blue, green, red); its size as shown, in points."""

    pixels: Pixels
    width: float
    height: float

    def digest(self) -> str:
        """Return a hash of all that recognition sees: 64 hexadecimal digits."""
        made = hashlib.sha256(struct.pack("<2I2d", *self.pixels.shape[:2], self.width, self.height))
        made.update(np.ascontiguousarray(self.pixels).data)
        return made.hexdigest()


def page_picture(path: Path, number: int, password: Secret = NO_PASSWORD) -> PagePicture:
    """Return a page of a file, from 1; a `FileProblem` where there is none to look at."""
    with path.open("rb") as file:
        is_pdf = _is_pdf(file.read(_PDF_HEAD))
    return _pdf_page(path, number, password) if is_pdf else _frame(path, number)


def page_picture_in(raw: bytes, number: int) -> PagePicture:
    """Return a page of a file that lies in another one; a `FileProblem` as of `page_picture`."""
    if _is_pdf(raw[:_PDF_HEAD]):
        return _pdf_page(raw, number, NO_PASSWORD)
    return _frame(io.BytesIO(raw), number)


def _is_pdf(head: bytes) -> bool:
    return b"%PDF-" in head


def frame_count(source: Path | IO[bytes]) -> int:
    """Return how many pages a picture file holds; only TIFF has more than one."""
    return len(frame_sizes(source))


def frame_sizes(source: Path | IO[bytes]) -> tuple[tuple[float, float], ...]:
    """Return width and height of each page of a picture file, as shown, in points."""
    sizes: list[tuple[float, float]] = []
    with _opened(source) as picture:
        if picture.format != "TIFF":  # of others the picture that is meant to be shown is open
            lies = picture.getexif().get(_ORIENTATION) in _LYING
            return (_points(picture, is_lying=lies),)
        while len(sizes) < _MOST_FRAMES and _has_frame(picture, len(sizes)):
            sizes.append(_points(picture))
    return tuple(sizes)


def _points(picture: Any, *, is_lying: bool = False) -> tuple[float, float]:
    width, height = (side * POINTS_A_PIXEL for side in picture.size)
    return (height, width) if is_lying else (width, height)


def _has_frame(picture: Any, number: int) -> bool:
    try:
        picture.seek(number)
    except EOFError:
        return False
    return True


def _pdf_page(source: Path | bytes, number: int, password: Secret) -> PagePicture:
    import pypdfium2

    document = open_pdf(source, password)
    try:
        if not 1 <= number <= len(document):
            raise file_problems.corrupt(Phrase("The document has no page {0}.", number))
        page = document[number - 1]
        width, height = page.get_size()
        if not (1 <= width <= 1e6 and 1 <= height <= 1e6):
            raise file_problems.corrupt(Phrase("Page {0} is damaged.", number))
        drawn = page.render(scale=_scale(width, height), rev_byteorder=False, prefer_bgrx=False)
        pixels = np.array(drawn.to_numpy()[:, :, :3])
    except pypdfium2.PdfiumError as error:
        raise file_problems.corrupt(Phrase("Page {0} is damaged.", number)) from error
    finally:
        document.close()
    return PagePicture(pixels, width, height)


def _scale(width: float, height: float) -> float:
    """Return the pixels a point: those of 300 an inch, or as many as are allowed."""
    most = min(sqrt(MOST_PIXELS / (width * height)), _LONGEST_SIDE / max(width, height))
    return min(_DOTS_A_POINT, most)


def picture_size(file: IO[bytes]) -> tuple[int, int]:
    """Return the width and height in pixels of a picture that lies in another file."""
    with _opened(file) as picture:
        width, height = picture.size
        return int(width), int(height)


def _frame(source: Path | IO[bytes], number: int) -> PagePicture:
    from PIL import Image, ImageOps

    with _opened(source) as picture:
        if number != 1 and not (picture.format == "TIFF" and _has_frame(picture, number - 1)):
            raise file_problems.corrupt(Phrase("The document has no page {0}.", number))
        _check_pixels(picture.size)
        whole = ImageOps.exif_transpose(picture)
        width, height = whole.size
        shrunk = sqrt(MOST_PIXELS / (width * height))
        if shrunk < 1:
            size = max(1, int(width * shrunk)), max(1, int(height * shrunk))
            whole = _plain(whole).resize(size, Image.Resampling.BOX)
        pixels = np.asarray(_plain(whole))[:, :, ::-1]
    return PagePicture(pixels.copy(), width * POINTS_A_PIXEL, height * POINTS_A_PIXEL)


@contextmanager
def _opened(source: Path | IO[bytes]) -> Iterator[Any]:
    """Open a picture file, its pixels not yet decoded; say what is wrong with it."""
    from pi_heif import register_heif_opener
    from PIL import Image

    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(source, formats=_FORMATS) as picture:
                _check_pixels(picture.size)
                yield picture
    except Image.DecompressionBombError as error:
        raise _too_many_pixels() from error
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, struct.error,
            EOFError, OverflowError, ZeroDivisionError, AttributeError, RuntimeError,
            ) as error:  # fmt: skip
        if isinstance(error, FileNotFoundError | PermissionError):
            raise
        raise file_problems.corrupt("The picture is damaged.") from error


def _check_pixels(size: tuple[int, int]) -> None:
    if size[0] * size[1] > _MOST_STORED or max(size) > 8 * _LONGEST_SIDE:
        raise _too_many_pixels()


def _too_many_pixels() -> Exception:
    told = Phrase("The picture has more than {0} million pixels.", _MOST_STORED // 1_000_000)
    return file_problems.too_large(told)


def _plain(picture: Any) -> Any:
    """Return a picture in red, green and blue, what is transparent in it filled."""
    from PIL import Image

    if picture.mode.startswith(("I", "F")):
        values = np.asarray(picture, dtype=np.float32)
        low, high = float(values.min()), float(values.max())
        grey = (values - low) * (255 / (high - low) if high > low else 0)
        return Image.fromarray(grey.astype(np.uint8)).convert("RGB")
    if not picture.has_transparency_data:
        return picture.convert("RGB")
    coloured = picture.convert("RGBA")
    values = np.asarray(coloured)
    seen = values[values[:, :, 3] > 127][:, :3]
    pale = seen.size > 0 and float(seen.mean()) > _PALE
    background = Image.new("RGBA", coloured.size, "black" if pale else "white")
    return Image.alpha_composite(background, coloured).convert("RGB")
