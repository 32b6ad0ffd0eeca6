"""Pages of PDFs and pictures for the window, worked on in a child process, as they may be hostile.

`PageRequestHandler` runs in the child: sizes, pictures, letters, places of words. The document that
was asked about last stays open, so that turning its pages costs no new reading. `PageRenderer` asks
the child.
"""

from __future__ import annotations

import ctypes
import json
import re
import struct
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium

from desktop_rag.core import codec
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.page_geometry import (
    PageArea,
    PageBookmark,
    PageCharacters,
    PageHit,
    Rectangle,
)
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.search_pattern import search_pattern
from desktop_rag.core.secret import NO_PASSWORD, Secret
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.format_detection import is_picture
from desktop_rag.parsing.formats.pdf import open_pdf
from desktop_rag.parsing.formats.pdf_bookmarks import read_bookmarks
from desktop_rag.parsing.formats.pdf_lines import PageTransform, rectangles
from desktop_rag.parsing.picture_document import PictureDocument
from desktop_rag.parsing.sandbox.child_process import ChildProcess

BITMAP_HEADER = struct.Struct("<II")
MOST_PIXELS = 12_000_000
_LARGEST_SIDE = 60_000
_MOST_HITS = 500  # on one page
_MOST_LETTERS = 60_000  # on one page
_SECONDS = 30.0
_MEGABYTES = 1024


class PageRequestHandler:
    """Answers requests `[verb, path, …]`, JSON in, bytes out; pages count from 1."""

    def __init__(self) -> None:
        self._document: Any = None
        self._known: tuple[str, int, int] | None = None

    def answer(self, request: bytes) -> bytes:
        """Do what a request asks."""
        verb, path, *values = json.loads(request)
        if verb == "leave":
            self._leave()
            return b""
        if verb == "unlock":
            self._opened(str(path), Secret(str(values[0])))
            return b""
        document = self._opened(str(path))
        if verb == "sizes":
            return _sizes(document)
        if verb == "draw":
            return _draw(document, int(values[0]), [int(each) for each in values[1:]])
        if verb == "outline":
            return json.dumps(read_bookmarks(document)).encode()
        if verb == "letters":
            return _letters(document, int(values[0]))
        return _find(document, str(values[0]), int(values[1]), int(values[2]))

    def _opened(self, path: str, password: Secret = NO_PASSWORD) -> Any:
        """Return the document, opened anew when the file is another one than before."""
        try:
            stat = Path(path).stat()
            known = (path, stat.st_size, stat.st_mtime_ns)
            if known != self._known:
                self._leave()
                self._document = _opened(Path(path), password)
                self._known = known
        except FileNotFoundError as error:
            raise file_problems.vanished() from error
        except PermissionError as error:
            raise file_problems.denied() from error
        return self._document

    def _leave(self) -> None:
        """Close the document: a file that is open can't be moved on every system."""
        document, self._document, self._known = self._document, None, None
        if document is not None:
            document.close()


def _opened(path: Path, password: Secret) -> Any:
    """Open a PDF, or a picture file as one."""
    with path.open("rb") as file:
        head = file.read(4096)
    return PictureDocument(path) if is_picture(head) else open_pdf(path, password)


def _sizes(document: Any) -> bytes:
    """Return width and height of every page as shown, in points."""
    if isinstance(document, PictureDocument):
        return b"".join(struct.pack("<2f", *each) for each in document.sizes)
    size = pdfium.FS_SIZEF()
    flat: list[float] = []
    for index in range(len(document)):
        good = pdfium.FPDF_GetPageSizeByIndexF(document, index, size)
        usable = good and 1 <= size.width <= 1e6 and 1 <= size.height <= 1e6
        flat += (size.width, size.height) if usable else (612.0, 792.0)
    return struct.pack(f"<{len(flat)}f", *flat)


def _draw(document: Any, number: int, area: list[int]) -> bytes:
    """Return a part of a page as 32-bit pixels: x, y, width, height of a page `wide` × `high`."""
    wide, high, x, y, width, height = area
    sane = 0 < wide <= _LARGEST_SIDE and 0 < high <= _LARGEST_SIDE
    if not (sane and 0 < width * height <= MOST_PIXELS):
        raise file_problems.too_large("The page is too large to be drawn.")
    page = _page(document, number)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_BGRx, None, 0)
    try:
        if not bitmap:
            raise file_problems.too_large("The page is too large to be drawn.")
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        pdfium.FPDF_RenderPageBitmap(bitmap, page, -x, -y, wide, high, 0, pdfium.FPDF_ANNOT)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        raw = ctypes.string_at(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height)
    finally:
        if bitmap:
            pdfium.FPDFBitmap_Destroy(bitmap)
        page.close()
    return BITMAP_HEADER.pack(width, height) + _packed(raw, stride, width * 4)


def _packed(raw: bytes, stride: int, row: int) -> bytes:
    """Return rows without the padding at their ends."""
    if stride == row:
        return raw
    return b"".join(raw[at : at + row] for at in range(0, len(raw), stride))


def _letters(document: Any, number: int) -> bytes:
    """Return a page's characters with a rectangle each: JSON's length, JSON, 32-bit floats."""
    page = _page(document, number)
    try:
        textpage = page.get_textpage()
        try:
            view = PageTransform.of(page)
            found = list(_characters(textpage, view))
        finally:
            textpage.close()
    finally:
        page.close()
    text = json.dumps("".join(character for character, _ in found)).encode()
    boxes = b"".join(struct.pack("<4f", *box) for _, box in found)
    return struct.pack("<I", len(text)) + text + boxes


def _characters(textpage: Any, view: PageTransform) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield each character with its rectangle on the page as shown; an empty one for line ends."""
    rect = pdfium.FS_RECTF()
    high = ""
    for index in range(min(pdfium.FPDFText_CountChars(textpage), _MOST_LETTERS)):
        code = pdfium.FPDFText_GetUnicode(textpage, index)
        if 0xD800 <= code < 0xDC00:
            high = chr(code)
            continue
        character = _joined(high, code)
        high = ""
        seen = pdfium.FPDFText_GetLooseCharBox(textpage, index, rect)
        real = seen and character not in "\r\n\ufffe" and rect.right > rect.left
        box = view.box((rect.left, rect.bottom, rect.right, rect.top)) if real else (0.0,) * 4
        yield character, box


def _joined(high: str, code: int) -> str:
    """Return a character of one or two UTF-16 units; U+FFFD for what is none."""
    if 0xDC00 <= code < 0xE000:
        pair = (high + chr(code)).encode("utf-16-le", "surrogatepass")
        return pair.decode("utf-16-le", "replace")[:1] or "\ufffd"
    if code == 2:  # PDFium's other mark for a word broken at the end of a line
        return "\ufffe"
    return chr(code) if 0 < code <= 0x10FFFF else "\ufffd"


def _find(document: Any, words: str, first: int, last: int) -> bytes:
    """Return the places of words on some pages: `[[page, [[x0, y0, x1, y1] …]] …]` as JSON."""
    wanted = search_pattern(words)
    found: list[Any] = []
    if wanted is not None:
        for number in range(max(1, first), min(last, len(document)) + 1):
            found += [[number, boxes] for boxes in _on_page(document, number, wanted)]
    return json.dumps(found).encode()


def _on_page(document: Any, number: int, wanted: re.Pattern[str]) -> Iterator[list[list[float]]]:
    """Yield the rectangles of each place on a page; a page that can't be read has none."""
    try:
        page = document[number - 1]
    except pdfium_error():
        return
    try:
        textpage = page.get_textpage()
        try:
            text = textpage.get_text_range(errors="replace")
            places = [match.span() for match in islice(wanted.finditer(text), _MOST_HITS)]
            if places:
                view = PageTransform.of(page)
                yield from (_rectangles(textpage, view, text, span) for span in places)
        finally:
            textpage.close()
    finally:
        page.close()


def _rectangles(
    textpage: Any, view: PageTransform, text: str, span: tuple[int, int]
) -> list[list[float]]:
    start, end = (_units(text[:at]) for at in span)
    first = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, start)
    last = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, end - 1)
    if first < 0 or last < first:
        return []
    boxes = map(view.box, rectangles(textpage, first, last))
    return [[round(side, 1) for side in box] for box in boxes]


def _units(text: str) -> int:
    """Return a text's length in UTF-16 units, as PDFium counts."""
    return len(text) + sum(character > "\uffff" for character in text)


def _page(document: Any, number: int) -> Any:
    if not 1 <= number <= len(document):
        raise file_problems.corrupt(Phrase("The document has no page {0}.", number))
    try:
        return document[number - 1]
    except pdfium_error() as error:
        raise file_problems.corrupt(Phrase("Page {0} is damaged.", number)) from error


def pdfium_error() -> type[Exception]:
    """Return what pypdfium2 raises."""
    import pypdfium2

    error: type[Exception] = pypdfium2.PdfiumError
    return error


class PageRenderer:
    """Asks one child process about pages; it starts with the first request, ends with `close`.

    Pages count from 1. Every request raises `FileProblem` where there is nothing to show; the
    folders `shut` are closed to the child. `password_of` is asked for what opens a locked file.
    """

    def __init__(
        self, shut: tuple[str, ...] = (), password_of: Callable[[Path], Secret] | None = None
    ) -> None:
        self._password_of = password_of
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
            found = codec.decode(json.loads(reply), tuple[tuple[int, tuple[Rectangle, ...]], ...])
        except (ValueError, RecursionError) as error:
            raise _nonsense() from error
        return tuple(PageHit(page, boxes, nth) for nth, (page, boxes) in enumerate(found))

    def outline(self, path: Path, token: CancelToken | None = None) -> tuple[PageBookmark, ...]:
        """Return the lines of a PDF's outline that lead to a page, in their order."""
        reply = self._ask(token, "outline", str(path))
        try:
            found = codec.decode(json.loads(reply), tuple[tuple[str, int, int, float], ...])
        except (ValueError, RecursionError) as error:
            raise _nonsense() from error
        return tuple(PageBookmark(*each) for each in found)

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
        asked, token = json.dumps(request).encode(), token or CancelToken()
        try:
            return self._child.ask(asked, token)
        except FileProblem as problem:
            if problem.status is not FileStatus.ENCRYPTED or self._password_of is None:
                raise
            path = str(request[1])
            password = self._password_of(Path(path))
            if not password:
                raise
        self._child.ask(json.dumps(["unlock", path, password.text]).encode(), token)
        return self._child.ask(asked, token)


def _nonsense() -> FileProblem:
    return file_problems.crashed("its reader made no sense")
