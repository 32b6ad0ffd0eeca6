"""A file's document in frames of bounded size, from the parser's process to this one.

A frame holds packed blocks; the last one holds the document's head. Blocks are split into parts
where they are longer than allowed. Frames are JSON, never a pickle: what a hostile file made a
child say must not become code in the parent. The length of a document's text is checked while it is
read, so that what is too long never leaves the child process.

Each frame is checked as it comes. A document of ordinary length stays in memory; the frames of a
long one go to a temporary file without a name, which vanishes with the process however it ends.
"""

from __future__ import annotations

import json
import struct
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Annotated, Any

from msgspec import Meta, Struct

from desktop_rag.core import codec
from desktop_rag.core.disk_space import require_disk_space
from desktop_rag.core.metadata_codec import pack_metadata, unpack_metadata
from desktop_rag.core.phrases import dump, load
from desktop_rag.core.types import BlockKind, Box, LocatorKind
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.parsed_document import (
    LONGEST_BLOCK,
    LONGEST_NAME,
    MOST_UNREAD_PAGES,
    Block,
    BlockLocator,
    BlockStream,
    DocumentHead,
    PageNumbers,
    ParsedDocument,
    TableRow,
)

LONGEST_FRAME = 8 * 1024 * 1024  # bytes: a frame's characters, with boxes, rows and places
_CHARACTERS = 100_000  # of a frame, about
_BLOCKS = 2000
LONG_DOCUMENT_CHARACTERS = 1_000_000  # characters: a document with more is long
_SIZE = struct.Struct("<I")
_BYTES_A_CHARACTER = 64  # with places, rows and boxes; what sends more is no parser of ours
_SPARE_BYTES = 16_000_000
_MOST_NOTES = 100
_DEEPEST = 9  # a heading's level
_Name = Annotated[str, Meta(max_length=LONGEST_NAME)]  # it stands again beside each chunk
_Place = tuple[LocatorKind, int | _Name, _Name | None]


def encode_frames(reading: BlockStream, most: int) -> Iterator[bytes]:
    """Yield frames of blocks, then the head's; `too_large` above `most` characters of text."""
    held: list[Block] = []
    size = total = 0
    while True:
        try:
            block = next(reading)
        except StopIteration as end:
            if held:
                yield pack_blocks(held)
            yield pack_head(end.value)
            return
        total += len(block.text)
        if total > most:
            raise file_problems.too_long(most)
        for part in split_block(block):
            held.append(part)
            size += len(part.text)
            if size >= _CHARACTERS or len(held) >= _BLOCKS:
                yield pack_blocks(held)
                held, size = [], 0


def split_block(block: Block) -> Iterator[Block]:
    """Yield a block, in parts of bounded length whose texts in a row are its own."""
    if len(block.text) <= LONGEST_BLOCK:
        yield block
    elif block.kind is BlockKind.TABLE and block.rows:
        yield from _table(block)
    else:
        yield from _spans(block, 0, len(block.text), goes_on=block.goes_on)


def _table(block: Block) -> Iterator[Block]:
    """Part a table between its rows; a row that is too long is a part, or several, by itself."""
    begin = at = first = 0
    goes_on = block.goes_on
    for number, row in enumerate(block.rows):
        found = block.text.find(row.text, at) if row.text else -1
        if found < 0:
            continue
        end = found + len(row.text)
        if end - begin > LONGEST_BLOCK and at > begin:
            yield _rows(block, (begin, at), (first, number), goes_on=goes_on)
            begin, first, goes_on = at, number, True
        if end - begin > LONGEST_BLOCK:
            place = replace(block, place=row.place, rows=())
            yield from _spans(place, begin, end, goes_on=goes_on)
            begin, first, goes_on = end, number + 1, True
        at = end
    if begin < len(block.text):
        rest = _rows(block, (begin, len(block.text)), (first, len(block.rows)), goes_on=goes_on)
        yield from split_block(rest) if len(rest.text) < len(block.text) else [rest]


def _rows(block: Block, span: tuple[int, int], rows: tuple[int, int], *, goes_on: bool) -> Block:
    """Return a table's part: a range of its text, and the rows in it."""
    held = block.rows[slice(*rows)]
    place = held[0].place if held and goes_on else block.place
    return replace(
        block, text=block.text[slice(*span)], place=place, rows=held,
        boxes=_within(block.boxes, *span), goes_on=goes_on,
    )  # fmt: skip


def _spans(block: Block, begin: int, end: int, *, goes_on: bool) -> Iterator[Block]:
    """Part a range of running text at white space, late in each part."""
    while begin < end:
        stop = min(begin + LONGEST_BLOCK, end)
        if stop < end:
            space = max(block.text.rfind(" ", begin + 1, stop), block.text.rfind("\n", begin, stop))
            stop = space + 1 if space >= begin + LONGEST_BLOCK // 2 else stop
        text, boxes = block.text[begin:stop], _within(block.boxes, begin, stop)
        yield replace(block, text=text, boxes=boxes, goes_on=goes_on)
        begin, goes_on = stop, True


def _within(boxes: tuple[Box, ...], begin: int, end: int) -> tuple[Box, ...]:
    """Return the boxes that touch a range, counted from its start."""
    return tuple(
        replace(box, start=max(box.start - begin, 0), end=min(box.end, end) - begin)
        for box in boxes
        if box.start < end and box.end > begin
    )


def pack_head(head: DocumentHead) -> bytes:
    """Return a head as JSON, what is too long cut off."""
    notes = [_note(each) for each in head.notes[:_MOST_NOTES]]
    unread = head.unread_pages[:MOST_UNREAD_PAGES]
    title = head.title[:LONGEST_NAME]
    return _encoded(
        {
            "title": title,
            "pages": head.pages,
            "notes": notes,
            "unread_pages": unread,
            "metadata": pack_metadata(head.metadata),
        }
    )


def unpack_head(raw: bytes) -> DocumentHead:
    """Read `pack_head`'s form; a ValueError when it is not that."""
    packed = codec.decode(_decoded(raw), _PackedHead)
    notes = tuple(map(load, packed.notes))
    metadata = unpack_metadata(packed.metadata)
    return DocumentHead(packed.title, packed.pages, notes, packed.unread_pages, metadata)


def _note(note: str) -> str:
    """Return a note for the pipe; of a very long one the beginning of its text."""
    packed = dump(note)
    return packed if len(packed) <= LONGEST_NAME else str(note)[:LONGEST_NAME]


def pack_blocks(blocks: Iterable[Block]) -> bytes:
    """Return blocks as JSON."""
    return _encoded([_plain(block) for block in blocks])


def unpack_blocks(raw: bytes) -> tuple[Block, ...]:
    """Read `pack_blocks`' form; a ValueError when it is not that."""
    return tuple(map(_block, codec.decode(_decoded(raw), tuple[_PackedBlock, ...])))


def _encoded(plain: Any) -> bytes:
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def _decoded(raw: bytes) -> Any:
    try:
        return json.loads(raw.decode("utf-8", "surrogatepass"))
    except RecursionError as error:
        raise ValueError(raw[:20]) from error


def _plain(block: Block) -> dict[str, Any]:
    """Return a block as JSON has it; written out, as `asdict` takes four times as long."""
    return {
        "kind": block.kind,
        "text": block.text,
        "place": _spot(block.place),
        "level": block.level,
        "boxes": [(b.x0, b.y0, b.x1, b.y1, b.start, b.end, b.page) for b in block.boxes],
        "rows": [(row.text, _spot(row.place)) for row in block.rows],
        "header": block.header[:LONGEST_NAME],
        "goes_on": block.goes_on,
    }


def _spot(place: BlockLocator) -> tuple[str, int | str, str | None]:
    value = place.value[:LONGEST_NAME] if isinstance(place.value, str) else place.value
    return (place.kind, value, place.cells)


class _PackedHead(Struct):
    title: _Name
    pages: int | None
    notes: Annotated[tuple[_Name, ...], Meta(max_length=_MOST_NOTES)]
    unread_pages: PageNumbers
    metadata: dict[str, Any]


class _PackedBlock(Struct):
    """A block as `_plain` writes it."""

    kind: BlockKind
    text: Annotated[str, Meta(max_length=2 * LONGEST_BLOCK)]
    place: _Place
    level: int
    boxes: tuple[tuple[float, float, float, float, int, int, int | None], ...]
    rows: tuple[tuple[str, _Place], ...]
    header: _Name
    goes_on: bool


def _block(packed: _PackedBlock) -> Block:
    return Block(
        kind=packed.kind,
        text=packed.text,
        place=BlockLocator(*packed.place),
        level=min(max(packed.level, 0), _DEEPEST),
        boxes=tuple(Box(*box) for box in packed.boxes),
        rows=tuple(TableRow(text, BlockLocator(*place)) for text, place in packed.rows),
        header=packed.header,
        goes_on=packed.goes_on,
    )


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
            yield from unpack_blocks(frame)


class DocumentReceiver:
    """Takes the frames of one file in; `folder` is where those of a long one are put.

    A ValueError says that they are none, a `FileProblem` that there are more than `most`
    characters.
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
        head = unpack_head(self._last)
        if self._spool is not None:
            return LongDocument(head, self._spool)
        return ParsedDocument.of(head, self._blocks)

    def _take_blocks(self, frame: bytes) -> None:
        blocks = unpack_blocks(frame)
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
