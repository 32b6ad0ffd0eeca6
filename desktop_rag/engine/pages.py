"""Pages of a PDF as pictures, for the window; drawn in a child process, as a PDF may be hostile."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.engine.ingest.child import Child
from desktop_rag.engine.ingest.parse import problems

_HEAD = struct.Struct("<IIffI")
_SECONDS = 30.0
_MEGABYTES = 1024
_LARGEST_SIDE = 6000  # pixels: a page of a plan is as large as a wall


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A drawn page. `rgb` holds `width * height * 3` bytes, rows from the top.

    `points` is the page's size in points as shown (rotation and crop box applied), the space in
    which a locator's boxes lie; `pages` counts the document's pages.
    """

    width: int
    height: int
    rgb: bytes
    points: tuple[float, float]
    pages: int


class PageRenderer:
    """Draws pages in one child process, which starts with the first page and ends with `close`."""

    def __init__(self) -> None:
        self._child = Child(draw_request, _SECONDS, _MEGABYTES)

    def render(
        self, path: Path, page: int, scale: float, token: CancelToken | None = None
    ) -> PagePicture:
        """Return a page, counted from 1, at `scale` pixels a point; `FileProblem` if it can't."""
        request = json.dumps([str(path), page, scale]).encode()
        reply = self._child.ask(request, token or CancelToken())
        if len(reply) < _HEAD.size:
            raise problems.crashed("its reader made no sense")
        width, height, wide, high, pages = _HEAD.unpack_from(reply)
        rgb = reply[_HEAD.size :]
        if len(rgb) != width * height * 3:
            raise problems.crashed("its reader made no sense")
        return PagePicture(width, height, rgb, (wide, high), pages)

    def close(self) -> None:
        """End the child process; harmless when called again."""
        self._child.stop()


def draw_request(request: bytes) -> bytes:
    """Draw the page that a request names: what the child does."""
    from desktop_rag.engine.ingest.parse.pdf import open_pdf

    path, number, scale = json.loads(request)
    try:
        document = open_pdf(Path(path))
    except FileNotFoundError as error:
        raise problems.vanished() from error
    except PermissionError as error:
        raise problems.denied() from error
    try:
        if not 1 <= number <= len(document):
            raise problems.corrupt(f"The document has no page {number}.")
        page = document[number - 1]
        points = page.get_size()
        fitting = min(scale, _LARGEST_SIDE / max(*points, 1.0))
        bitmap = page.render(scale=fitting, rev_byteorder=True, prefer_bgrx=False)
        rgb = _packed(bitmap)
        head = _HEAD.pack(bitmap.width, bitmap.height, *points, len(document))
        page.close()
        return head + rgb
    finally:
        document.close()


def _packed(bitmap: Any) -> bytes:
    """Return a bitmap's bytes without the padding at the end of its rows."""
    stride, row = bitmap.stride, bitmap.width * 3
    raw = bytes(bitmap.buffer)
    if stride == row:
        return raw
    return b"".join(raw[at : at + row] for at in range(0, stride * bitmap.height, stride))
