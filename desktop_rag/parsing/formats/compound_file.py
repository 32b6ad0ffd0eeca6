"""Open an OLE compound file, the folder of streams that old Office and Outlook files are.

Streams are read by `olefile`, which ends chains of sectors that lead in a circle.
"""

from __future__ import annotations

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
BROKEN = (OSError, ValueError, LookupError, TypeError, AttributeError, OverflowError)
_LARGEST_STREAM = 500_000_000


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
        return frozenset(names[0].lower() for names in opened.listdir(storages=True))


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
    """Return the title in a compound file's properties, or nothing."""
    try:
        told = opened.get_metadata()
        raw, codepage = told.title, told.codepage
    except BROKEN as error:
        raise_the_disks(error)
        return ""
    if isinstance(raw, bytes):
        raw = decode(raw, f"cp{codepage}" if isinstance(codepage, int) else None)
    return clean(raw.split("\0")[0]) if isinstance(raw, str) else ""
