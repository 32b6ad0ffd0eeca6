"""Open an OLE compound file, the folder of streams that old Office and Outlook files are.

Streams are read by `olefile`, which ends chains of sectors that lead in a circle.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_rag.parsing.formats.ooxml_package import raise_the_disks
from desktop_rag.parsing.table_blocks import clean
from desktop_rag.parsing.text_encoding import decode

if TYPE_CHECKING:
    from olefile import OleFileIO

# What the library raises over a compound file that is broken.
BROKEN = (
    OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip
_LARGEST_STREAM = 500_000_000
# The set of properties with the title: where its place stands, and the properties' numbers.
_PLACES = struct.Struct("<II")
_FIRST_SET, _CODEPAGE, _TITLE = 44, 1, 2
_WINDOWS = 1252  # the code page where none is told
_TEXT, _WIDE_TEXT = 0x1E, 0x1F  # kinds of values
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


def title_of(opened: OleFileIO) -> str:
    """Return the title in a compound file's properties, or nothing.

    They are read here: the library goes through as many values as a damaged file claims.
    """
    raw = stream_bytes(opened, "\x05SummaryInformation", _LONGEST_PROPERTIES)
    try:
        (start,) = struct.unpack_from("<I", raw, _FIRST_SET)
        _, count = _PLACES.unpack_from(raw, start)
        listed = raw[start + 8 :][: 8 * min(count, _MOST_PROPERTIES)]
        places = dict(_PLACES.iter_unpack(listed[: len(listed) // 8 * 8]))
        kind, length = _PLACES.unpack_from(raw, start + places[_TITLE])
        told = places.get(_CODEPAGE)
        page = struct.unpack_from("<4xH", raw, start + told)[0] if told else _WINDOWS
    except (struct.error, LookupError):
        return ""
    at = start + places[_TITLE] + _PLACES.size
    if kind == _WIDE_TEXT:
        text = raw[at : at + 2 * length].decode("utf-16-le", "replace")
    elif kind == _TEXT:
        text = decode(raw[at : at + length].split(b"\0")[0], f"cp{page}")
    else:
        text = ""
    return clean(text.split("\0")[0])
