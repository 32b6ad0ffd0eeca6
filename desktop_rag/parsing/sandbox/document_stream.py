"""What a parser's process sends of a file: checked as it comes, and held without much memory.

A document of ordinary length stays in memory; the frames of a long one go to a temporary file
without a name, which vanishes with the process however it ends.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.parsed_document import Block, DocumentHead, ParsedDocument, unpack

LONG_DOCUMENT_CHARACTERS = 1_000_000  # characters: a document with more is long
_SIZE = struct.Struct("<I")
_BYTES_A_CHARACTER = 64  # with places, rows and boxes; what sends more is no parser of ours
_SPARE_BYTES = 16_000_000


class Spool:
    """Frames in a temporary file, which is closed with the last who knows it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._file: IO[bytes] = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - see `__del__`

    def __del__(self) -> None:
        self._file.close()

    def write(self, *frames: bytes) -> None:
        """Put frames at the end; a `UserError` where the drive has no room for them."""
        if self._folder is not None:
            require_disk_space(self._folder)
        for frame in frames:
            self._file.write(_SIZE.pack(len(frame)) + frame)

    def read(self) -> Iterator[bytes]:
        """Yield the frames in order."""
        self._file.seek(0)
        while size := self._file.read(_SIZE.size):
            yield self._file.read(_SIZE.unpack(size)[0])


@dataclass(frozen=True, slots=True)
class LongDocument:
    """A document whose blocks lie in a file, and are read frame by frame as often as asked.

    For one thread at a time.
    """

    head: DocumentHead
    _spool: Spool

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks in order."""
        for frame in self._spool.read():
            yield from unpack(frame)


class DocumentReceiver:
    """Takes the frames of one file in; `folder` is where those of a long one are put.

    A ValueError, KeyError or TypeError says that they are none, a `FileProblem` that there are more
    than `most` characters.
    """

    def __init__(self, most: int, folder: Path | None) -> None:
        self._most = most
        self._folder = folder
        self._blocks: list[Block] = []
        self._frames: list[bytes] = []
        self._spool: Spool | None = None
        self._last = b""
        self._characters = self._bytes = 0

    def take(self, frame: bytes) -> None:
        """Check a frame and hold it."""
        if self._last:
            self._take_blocks(self._last)
        self._last = frame

    def document(self) -> ParsedDocument | LongDocument:
        """Return the document, once its last frame has come: that is its head."""
        head = DocumentHead.from_bytes(self._last)
        if self._spool is not None:
            return LongDocument(head, self._spool)
        return ParsedDocument(head.title, tuple(self._blocks), head.pages, head.notes)

    def _take_blocks(self, frame: bytes) -> None:
        blocks = unpack(frame)
        self._bytes += len(frame)
        self._characters += sum(len(block.text) for block in blocks)
        if self._characters > self._most:
            raise file_problems.too_long(self._most)
        if self._bytes > _SPARE_BYTES + _BYTES_A_CHARACTER * self._characters:
            raise ValueError(self._bytes)
        if self._spool is None and self._characters <= LONG_DOCUMENT_CHARACTERS:
            self._blocks += blocks
            self._frames.append(frame)
            return
        if self._spool is None:
            self._spool = Spool(self._folder)
            self._spool.write(*self._frames)
            self._blocks, self._frames = [], []
        self._spool.write(frame)
