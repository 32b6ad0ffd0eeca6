"""Pages of a PDF for the window, worked on in a child process, as a PDF may be hostile."""

from __future__ import annotations

import json
import struct
from pathlib import Path

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.letters import PageCharacters
from desktop_rag.core.page_geometry import PageArea, PageHit
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.page_child import BITMAP_HEADER, PageRequestHandler
from desktop_rag.parsing.sandbox.child_process import ChildProcess

_SECONDS = 30.0
_MEGABYTES = 1024


class PageRenderer:
    """Asks one child process about pages; it starts with the first request, ends with `close`.

    Pages count from 1. Every request raises `FileProblem` where there is nothing to show; the
    folders `shut` are closed to the child.
    """

    def __init__(self, shut: tuple[str, ...] = ()) -> None:
        self._child = ChildProcess(PageRequestHandler().answer, _SECONDS, _MEGABYTES, shut)
        self._asked = False

    def sizes(
        self, path: Path, token: CancelToken | None = None
    ) -> tuple[tuple[float, float], ...]:
        """Return width and height of every page in points, rotation and crop box applied."""
        reply = self._ask(token, "sizes", str(path))
        if not reply or len(reply) % 8:
            raise _nonsense()
        flat = struct.unpack(f"<{len(reply) // 4}f", reply)
        return tuple(zip(flat[::2], flat[1::2], strict=True))

    def draw(
        self, path: Path, page: int, area: PageArea, token: CancelToken | None = None
    ) -> bytes:
        """Return an area of a page: `width * height` pixels of 32 bits (blue, green, red, none)."""
        numbers = (area.wide, area.high, area.x, area.y, area.width, area.height)
        reply = self._ask(token, "draw", str(path), page, *numbers)
        size = area.width * area.height * 4
        if len(reply) != BITMAP_HEADER.size + size or BITMAP_HEADER.unpack_from(reply) != (
            area.width,
            area.height,
        ):
            raise _nonsense()
        return reply[BITMAP_HEADER.size :]

    def letters(self, path: Path, page: int, token: CancelToken | None = None) -> PageCharacters:
        """Return a page's characters and where they stand."""
        reply = self._ask(token, "letters", str(path), page)
        try:
            (length,) = struct.unpack_from("<I", reply)
            text = str(json.loads(reply[4 : 4 + length]))
            flat = struct.iter_unpack("<4f", reply[4 + length :])
            boxes = tuple((a, b, c, d) for a, b, c, d in flat)
        except (ValueError, TypeError, RecursionError, struct.error) as error:
            raise _nonsense() from error
        if len(boxes) != len(text):
            raise _nonsense()
        return PageCharacters.of(text, boxes)

    def find(
        self, path: Path, words: str, pages: range, token: CancelToken | None = None
    ) -> tuple[PageHit, ...]:
        """Return where words stand on some pages, in reading order."""
        reply = self._ask(token, "find", str(path), words, pages.start, pages.stop - 1)
        try:
            found = json.loads(reply)
            return tuple(_hit(nth, *each) for nth, each in enumerate(found))
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise _nonsense() from error

    def leave(self) -> None:
        """Let go of the file, so that it may be moved or deleted; the child goes on."""
        if self._asked:
            try:
                self._ask(None, "leave", "")
            except FileProblem:
                self._child.stop()

    def close(self) -> None:
        """End the child process; harmless when called again."""
        self._child.stop()

    def _ask(self, token: CancelToken | None, *request: object) -> bytes:
        self._asked = True
        return self._child.ask(json.dumps(request).encode(), token or CancelToken())


def _hit(nth: int, page: int, boxes: list[list[float]]) -> PageHit:
    corners = ((float(a), float(b), float(c), float(d)) for a, b, c, d in boxes)
    return PageHit(int(page), tuple(corners), nth)


def _nonsense() -> FileProblem:
    return file_problems.crashed("its reader made no sense")
