"""Open an Office package, a zip of XML parts, also where some of it is damaged.

A part that can't be read costs that part, never the others. Where the archive's directory is lost
(a file that was not written to its end), the parts are found by their own heads.
"""

from __future__ import annotations

import errno
import posixpath
import re
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from lzma import LZMAError
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import ParseError
from xml.parsers import expat

from lxml import etree

# What libraries raise over a package that is broken: at its zip, its XML, or what that means.
DAMAGE = (
    zipfile.BadZipFile, zlib.error, LZMAError, EOFError, RuntimeError, etree.XMLSyntaxError,
    ParseError, expat.ExpatError, LookupError, ValueError, AttributeError, TypeError, OverflowError,
    AssertionError, OSError, struct.error,
)  # fmt: skip

_CHUNK = 1 << 16
_LONGEST_TOKEN = 8_000_000  # a tag or a text that the parser has to hold as one
_DEEPEST = 1000
_HEAD = struct.Struct("<4s5H3L2H")
_HEAD_MARK = b"PK\x03\x04"
_SIZES_FOLLOW = 0x08
_LARGEST_SALVAGED = 200_000_000
_RELATION = re.compile(r".*/")

OnStart = Callable[[str, dict[str, str]], None]


# What is read of one package, all its parts together.
MOST_TAGS = 8_000_000


class DamagedPart(ValueError):
    """Part of a package is not what it should be."""


class OoxmlPackage:
    """The parts of a package by name; `damaged` are those that could not be read.

    `tags` is how many more tags are read, of all parts together.
    """

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.damaged: list[str] = []
        self.tags = MOST_TAGS
        self._names = {_key(name): name for name in archive.namelist()}

    def __contains__(self, name: str) -> bool:
        return _key(name) in self._names

    def names(self) -> list[str]:
        """Return the parts' names as the archive has them."""
        return list(self._names.values())

    def open(self, name: str) -> IO[bytes]:
        """Open a part, however its name is written; a KeyError when there is none."""
        return self.archive.open(self._names[_key(name)])

    def scan(
        self,
        name: str,
        on_start: OnStart,
        on_text: Callable[[str], None] | None = None,
        on_end: Callable[[str], None] | None = None,
    ) -> bool:
        """Read a part as a stream of events; return whether it was whole.

        A part that is missing, or breaks off, is noted as damaged; what came before it was told.
        """
        try:
            with self.open(name) as source:
                for tags in stream(source, on_start, on_text, on_end):
                    self.tags -= tags
                    if self.tags < 0:
                        raise DamagedPart("it has more tags than are read")
        except DAMAGE as error:
            raise_the_disks(error)
            self.damaged.append(name)
            return False
        return True

    def relations(self, part: str) -> list[tuple[str, str, str]]:
        """Return what a part refers to: id, the last word of its type, the other part's name."""
        folder, name = posixpath.split(part)
        found: list[tuple[str, str, str]] = []

        def on_start(tag: str, attributes: dict[str, str]) -> None:
            if tag == "Relationship" and attributes.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join(folder, attributes.get("Target", "")))
                kind = _RELATION.sub("", attributes.get("Type", ""))
                found.append((attributes.get("Id", ""), kind, target.lstrip("/")))

        held = posixpath.join(folder, "_rels", f"{name}.rels")
        if held in self or not name:
            self.scan(held, on_start)
        return found


def stream(
    source: IO[bytes],
    on_start: OnStart,
    on_text: Callable[[str], None] | None = None,
    on_end: Callable[[str], None] | None = None,
    *,
    namespaces: bool = False,
) -> Iterator[int]:
    """Tell a part's tags (without the root's prefix) and texts; yield the tags after each piece.

    With `namespaces`, tags and attributes are told as `namespace name`. Raises one of `DAMAGE`
    when the part is not XML, or has a document type: entities are how small files swell.
    """
    parser = expat.ParserCreate(namespace_separator=" " if namespaces else None)
    tags = depth = skipped = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal tags, depth
        tags += 1
        depth += 1
        on_start(tag[skipped:] if skipped else tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        if on_end:
            on_end(tag[skipped:] if skipped else tag)

    def first(tag: str, attributes: dict[str, str]) -> None:
        nonlocal skipped
        skipped = 0 if namespaces else tag.find(":") + 1
        parser.StartElementHandler = start
        start(tag, attributes)

    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler, parser.EndElementHandler = first, end
    parser.CharacterDataHandler = on_text
    for _ in _parsed(parser, source):
        if depth > _DEEPEST:
            raise DamagedPart("no document has tags so deep")
        yield tags
        tags = 0


def _parsed(parser: expat.XMLParserType, source: IO[bytes]) -> Iterator[None]:
    """Parse a part piece by piece, to its end."""
    fed = 0
    while piece := source.read(_CHUNK):
        parser.Parse(piece, False)
        fed += len(piece)
        if fed - parser.CurrentByteIndex > _LONGEST_TOKEN:
            raise DamagedPart("no document has tags so long")
        yield
    parser.Parse(b"", True)
    yield


def is_well_formed(source: IO[bytes]) -> bool:
    """Say whether a part is XML to its end, its checksum included."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    try:
        while piece := source.read(_CHUNK):
            parser.Parse(piece, False)
        parser.Parse(b"", True)
    except DAMAGE as error:
        raise_the_disks(error)
        return False
    return True


def is_disk_error(error: BaseException) -> bool:
    """Say whether an error tells of the disk or the system, not of what stands in the file."""
    return isinstance(error, OSError) and error.errno not in (None, errno.EINVAL)


def raise_the_disks(error: BaseException) -> None:
    """Raise an error of the disk or the system again: what it keeps back is no damaged part."""
    if is_disk_error(error):
        raise error


def _refuse(*_: object) -> None:
    raise DamagedPart("a part of a package has no document type")


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


@contextmanager
def repaired_archive(path: Path) -> Iterator[Path]:
    """Give a path whose archive opens: the file's own, or that of a copy of what could be saved.

    Raises `BadZipFile` when nothing could.
    """
    try:
        with zipfile.ZipFile(path):
            pass
    except DAMAGE as error:
        if is_disk_error(error):
            raise
        with tempfile.TemporaryDirectory(prefix="desktop-rag-") as folder:
            copy = Path(folder) / f"saved{path.suffix}"
            if not _salvage(path.read_bytes(), copy):
                raise zipfile.BadZipFile from error
            yield copy
    else:
        yield path


def _salvage(raw: bytes, target: Path) -> int:
    """Write the parts that are found by their own heads into an archive; return their number."""
    count, room, at = 0, _LARGEST_SALVAGED, raw.find(_HEAD_MARK)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        while 0 <= at <= len(raw) - _HEAD.size and room > 0:
            head = _HEAD.unpack_from(raw, at)
            start = at + _HEAD.size + head[9] + head[10]
            name = raw[at + _HEAD.size : at + _HEAD.size + head[9]].decode("utf-8", "replace")
            content = _content(raw, start, head, room)
            if content is not None and name and _key(name) not in map(_key, archive.namelist()):
                archive.writestr(name, content)
                count, room = count + 1, room - len(content)
            at = raw.find(_HEAD_MARK, at + len(_HEAD_MARK))
    return count


def _content(raw: bytes, start: int, head: tuple[int, ...], room: int) -> bytes | None:
    """Return a part's bytes if they are whole; its sizes may stand behind it, as deflate ends."""
    flags, method, checksum, packed = head[2], head[3], head[6], head[7]
    if method == zipfile.ZIP_STORED and not flags & _SIZES_FOLLOW:
        content = raw[start : start + packed]
    elif method == zipfile.ZIP_DEFLATED:
        inflater = zlib.decompressobj(-zlib.MAX_WBITS)
        try:
            content = inflater.decompress(memoryview(raw)[start:], room)
        except zlib.error:
            return None
        if not inflater.eof:
            return None
    else:
        return None
    is_right = bool(flags & _SIZES_FOLLOW) or zlib.crc32(content) == checksum
    return content if is_right and len(content) <= room else None
