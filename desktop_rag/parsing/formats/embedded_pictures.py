"""The pictures that lie in a document and may hold text, for its recognition.

A parser asks here for the text of each picture where the document shows it: so they are numbered,
from 1, as the pages of a scan are. Recognition has the file parsed once more and takes what was
kept here under those numbers: both count alike. A content counts once, however often it is shown;
icons and drawings (EMF, SVG) do not count.
"""

from __future__ import annotations

import binascii
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import IO
from urllib.parse import unquote, unquote_to_bytes

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.phrases import Phrase
from desktop_rag.parsing.file_problems import MINIMUM_CHARACTERS, count_characters
from desktop_rag.parsing.formats.ooxml_package import DAMAGE, raise_the_disks
from desktop_rag.parsing.ocr.recognized_page import (
    LEAST_CONFIDENCE,
    NOTHING_RECOGNIZED,
    Recognized,
    RecognizedPage,
)

_LEAST_WIDTH, _LEAST_HEIGHT = 200, 60  # pixels: less holds a word at most
_MOST_PICTURES = 200
_MOST_LOOKED_AT = 2000  # contents, icons among them
_LARGEST = 100_000_000  # bytes of one
_MOST_KEPT = 50_000_000  # bytes of all that are kept
_ID = "cid:"  # a part by its Content-ID
_DATA = re.compile(r"data:image/[\w.+-]+((?:;[^,;]{0,100}){0,5}),", re.IGNORECASE)

# What stands for the content of a picture: its checksum, its length, the number of its page.
_Content = tuple[int, int, int]
# Returns what was recognised on the picture that an address in a document names, or nothing.
PictureText = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class EmbeddedPage:
    """A picture that lies in a document, or the page of a file that does."""

    raw: bytes
    page: int = 1


def no_picture_text(_address: str) -> str:
    """Return nothing: no picture is looked at."""
    return ""


class EmbeddedPictures:
    """A document's pictures: which wait to be recognised, and what was found on the others.

    Those from the number `first_kept` on are kept, as many as there is room for.
    """

    def __init__(self, recognized: Recognized = NOTHING_RECOGNIZED, first_kept: int = 0) -> None:
        self.kept: dict[int, EmbeddedPage] = {}
        self._recognized = recognized
        self._first_kept = first_kept
        self._room = _MOST_KEPT
        self._numbers: dict[_Content, int] = {}  # 0: it does not count
        self._count = 0
        self._is_cut = False
        self._given: set[int] = set()

    @property
    def unread(self) -> tuple[int, ...]:
        """The numbers of those that were not looked at yet."""
        return tuple(n for n in range(1, self._count + 1) if n not in self._recognized)

    @property
    def notes(self) -> tuple[str, ...]:
        """What to say of pictures that are too many to be looked at."""
        if not self._is_cut:
            return ()
        told = "Text is looked for on the first {0} pictures only; the file shows more."
        return (Phrase(told, self._count),)

    def member_text(self, archive: zipfile.ZipFile, name: str) -> str:
        """Return what was recognised on a picture in a package, once; else nothing."""
        info = archive.NameToInfo.get(name)
        if info is None or info.file_size > _LARGEST:
            return ""
        content = (info.CRC, info.file_size, 1)
        return self._text(self._number(content, lambda: archive.open(info)))

    def text(self, raw: bytes) -> str:
        """Return what was recognised on a picture, once; else nothing."""
        return next(self._texts(raw, (1,)), "")

    def file_text(self, raw: bytes) -> str:
        """Return what was recognised on all pages of a picture that is a file of its own, once.

        A `FileProblem` says that it is none, or damaged.
        """
        from desktop_rag.parsing.ocr.page_pictures import frame_count

        pages = frame_count(io.BytesIO(raw))
        return "\n".join(self._texts(raw, range(1, pages + 1)))

    def data_text(self, address: str) -> str:
        """Return what was recognised on a picture that an address holds (`data:`), once."""
        raw = _data(address)
        return self.text(raw) if raw else ""

    def pages(self, raw: bytes, numbers: Collection[int]) -> dict[int, RecognizedPage]:
        """Count pages of a file in the document; return what was recognised on some of them."""
        checksum = zlib.crc32(raw)
        found: dict[int, RecognizedPage] = {}
        for page in numbers:
            content = (checksum, len(raw), page)
            if content not in self._numbers:
                self._add(content, lambda: io.BytesIO(raw))
            known = self._recognized.get(self._numbers.get(content, 0))
            if known is not None:
                found[page] = known
        return found

    def _texts(self, raw: bytes, pages: Collection[int]) -> Iterator[str]:
        if len(raw) > _LARGEST:
            return
        checksum = zlib.crc32(raw)
        for page in pages:
            number = self._number((checksum, len(raw), page), lambda: io.BytesIO(raw))
            if text := self._text(number):
                yield text

    def _text(self, number: int) -> str:
        page = self._recognized.get(number)
        if page is None or number in self._given:
            return ""
        self._given.add(number)
        text = "\n".join(line.text for line in page.lines)
        is_text = count_characters(text) >= MINIMUM_CHARACTERS
        return text if is_text and page.confidence >= LEAST_CONFIDENCE else ""

    def _number(self, content: _Content, opened: Callable[[], IO[bytes]]) -> int:
        """Return a picture's number, 0 of one that does not count."""
        if content not in self._numbers:
            if len(self._numbers) == _MOST_LOOKED_AT:
                self._is_cut = True
                return 0
            self._numbers[content] = 0
            if _may_hold_text(opened):
                self._add(content, opened)
        return self._numbers[content]

    def _add(self, content: _Content, opened: Callable[[], IO[bytes]]) -> None:
        """Give a content the next number, if there is one."""
        if self._count == _MOST_PICTURES:
            self._is_cut = True
            return
        self._count += 1
        self._numbers[content] = self._count
        is_wanted = self._count == self._first_kept
        if is_wanted or (0 < self._first_kept < self._count and content[1] <= self._room):
            self._keep(content, opened)

    def _keep(self, content: _Content, opened: Callable[[], IO[bytes]]) -> None:
        try:
            with opened() as file:
                raw = file.read()
        except DAMAGE as error:
            raise_the_disks(error)
            return
        self.kept[self._count] = EmbeddedPage(raw, content[2])
        self._room -= len(raw)


class AddressedPictures:
    """The pictures that a page shows by their addresses, `held` beside it; each looked at once."""

    def __init__(self, pictures: EmbeddedPictures, held: Mapping[str, Callable[[], bytes]]) -> None:
        self._pictures = pictures
        self._held = {name: read for name, read in held.items() if name not in {"", _ID}}

    def text(self, address: str) -> str:
        """Return what was recognised on the picture that an address names, or holds, once."""
        if address.startswith("data:"):
            return self._pictures.data_text(address)
        read = self._held.pop(unquote(address) if address.startswith(_ID) else address, None)
        return self._pictures.text(read()) if read is not None else ""


def _may_hold_text(opened: Callable[[], IO[bytes]]) -> bool:
    from desktop_rag.parsing.ocr.page_pictures import picture_size

    try:
        with opened() as file:
            width, height = picture_size(file)
    except FileProblem:
        return False
    except DAMAGE as error:
        raise_the_disks(error)
        return False
    return width >= _LEAST_WIDTH and height >= _LEAST_HEIGHT


def _data(address: str) -> bytes:
    """Return the picture that an address holds, nothing where it holds none."""
    found = _DATA.match(address)
    if found is None or len(address) > _LARGEST * 4 // 3:
        return b""
    body = unquote_to_bytes(address[found.end() :])
    return decoded(body) if "base64" in found.group(1).lower() else body


def decoded(text: str | bytes) -> bytes:
    """Return what Base64 stands for, of damaged or very much of it nothing."""
    if len(text) > _LARGEST * 4 // 3:
        return b""
    try:
        return binascii.a2b_base64(text)
    except ValueError:
        return b""
