"""Open an OLE compound file, the folder of streams that old Office and Outlook files are.

Streams are read by `olefile`, which ends chains of sectors that lead in a circle.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.parsing.formats.ooxml_package import raise_the_disks
from desktop_rag.parsing.metadata_values import file_time, keywords, one_line, people
from desktop_rag.parsing.table_blocks import clean
from desktop_rag.parsing.text_encoding import decode

if TYPE_CHECKING:
    from olefile import OleFileIO

# What the library raises over a compound file that is broken.
BROKEN = (
    OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
_LARGEST_STREAM = 500_000_000
# The set of properties that describe the file: where its place stands, and their numbers.
_PLACES = struct.Struct("<II")
_FIRST_SET, _CODEPAGE, _TITLE, _SUBJECT, _AUTHOR, _KEYWORDS = 44, 1, 2, 3, 4, 5
_CREATED, _SAVED = 12, 13
_WINDOWS = 1252  # the code page where none is told
_TEXT, _WIDE_TEXT, _DATE = 0x1E, 0x1F, 0x40  # kinds of values
_LONGEST_PROPERTIES, _MOST_PROPERTIES = 100_000, 100


@contextmanager
def compound_file(path: Path) -> Iterator[OleFileIO]:
    """Give an open compound file; a `ValueError` when it is none or is too damaged."""
    import olefile

    try:
        opened = olefile.OleFileIO(str(path))
    except BROKEN as error:
        raise_the_disks(error)
        raise ValueError("no compound file") from error
    with opened:
        yield opened


def root_names(path: Path) -> frozenset[str]:
    """Return the names of what lies at the top of a compound file, in small letters."""
    with compound_file(path) as opened:
        return frozenset(name.lower() for name in names_within(opened))


def names_within(opened: OleFileIO, folder: str = "") -> list[str]:
    """Return the names of what lies in a folder (`one/two`), in order; none when it is missing.

    The library's own list goes through all folders, and without end where they name each other.
    """
    entry = opened.root
    for name in filter(None, folder.split("/")):
        found = (each for each in entry.kids if each.name.lower() == name.lower())
        if (entry := next(found, None)) is None:
            return []
    return sorted(each.name for each in entry.kids)


def stream_bytes(opened: OleFileIO, name: str, most: int = _LARGEST_STREAM) -> bytes:
    """Return the first bytes of a stream; none when it is missing or can't be read."""
    try:
        if opened.get_type(name) != 2 or opened.get_size(name) == 0:
            return b""
        with opened.openstream(name) as source:
            return bytes(source.read(most))
    except BROKEN as error:
        raise_the_disks(error)
        return b""


@dataclass(frozen=True, slots=True)
class CompoundProperties:
    """The title of a compound file, and what else it says of itself."""

    title: str = ""
    metadata: DocumentMetadata = NO_METADATA


def properties_of(opened: OleFileIO) -> CompoundProperties:
    """Return what a compound file says of itself.

    It is read here: the library goes through as many values as a damaged file claims.
    """
    values = _PropertySet(stream_bytes(opened, "\x05SummaryInformation", _LONGEST_PROPERTIES))
    metadata = DocumentMetadata(
        authors=people(values.text(_AUTHOR)),
        keywords=keywords(values.text(_KEYWORDS)),
        subject=one_line(values.text(_SUBJECT)),
        created=values.moment(_CREATED),
        modified=values.moment(_SAVED),
    )
    return CompoundProperties(clean(values.text(_TITLE)), metadata)


class _PropertySet:
    """The values of a set of properties, by their numbers; what is damaged is missing."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._places: dict[int, int] = {}
        try:
            (start,) = struct.unpack_from("<I", raw, _FIRST_SET)
            _, count = _PLACES.unpack_from(raw, start)
        except struct.error:
            return
        listed = raw[start + 8 :][: 8 * min(count, _MOST_PROPERTIES)]
        places = _PLACES.iter_unpack(listed[: len(listed) // 8 * 8])
        self._places = {number: start + at for number, at in places}

    def text(self, number: int) -> str:
        """Return a text, in Unicode or in the code page that the set names."""
        kind, value = self._value(number)
        length = int.from_bytes(value[:4], "little")
        if kind == _WIDE_TEXT:
            text = value[4 : 4 + 2 * length].decode("utf-16-le", "replace")
        elif kind == _TEXT:
            told = self._value(_CODEPAGE)[1][:2]
            page = int.from_bytes(told, "little") if told else _WINDOWS
            text = decode(value[4 : 4 + length].split(b"\0")[0], f"cp{page}")
        else:
            text = ""
        return text.split("\0")[0]

    def moment(self, number: int) -> float | None:
        """Return a date in Unix seconds."""
        kind, value = self._value(number)
        if kind != _DATE or len(value) < 8:
            return None
        return file_time(int.from_bytes(value[:8], "little"))

    def _value(self, number: int) -> tuple[int, bytes]:
        """Return a value's kind, and all that stands from it on."""
        at = self._places.get(number)
        if at is None:
            return 0, b""
        return int.from_bytes(self._raw[at : at + 4], "little"), self._raw[at + 4 :]
