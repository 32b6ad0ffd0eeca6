"""What a parser gives: a document as blocks, each with its role and its place.

Parsers run in child processes, so a document crosses a pipe: as JSON, never as a pickle, because
what a hostile file made a child say must not become code in the parent. It crosses in pieces of
bounded size, and nothing that is repeated beside every chunk is long.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any

from desktop_rag.core.phrases import from_json, to_json
from desktop_rag.core.types import BlockKind, Box, LocatorKind

LONGEST_BLOCK = 100_000  # characters; longer ones are given in parts
LONGEST_NAME = 2000  # characters of a title, a table's header, a sheet's name, a note
_MOST_NOTES = 100
_DEEPEST = 9  # a heading's level


@dataclass(frozen=True, slots=True)
class BlockLocator:
    """Where a block stands, as a page by its number; `cells` is a sheet's range, `A2:F2`."""

    kind: LocatorKind
    value: int | str
    cells: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table, its cells joined for reading, never cut by the chunker if it fits."""

    text: str
    place: BlockLocator


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list or a table.

    `level` is a heading's depth from 1. `boxes` are the lines' rectangles, their offsets counted in
    this block's `text`. A table has `rows`, `text` being their texts joined by newlines; `header`
    is the text of its column names, which the chunker repeats in every piece's context and which
    is not itself one of `rows` unless it also stands in `text`. A block that `goes_on` is the rest
    of the one before it, which was too long for one: nothing parts their texts.
    """

    kind: BlockKind
    text: str
    place: BlockLocator
    level: int = 0
    boxes: tuple[Box, ...] = ()
    rows: tuple[TableRow, ...] = ()
    header: str = ""
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What is said of a document beside its blocks, as `ParsedDocument` explains it."""

    title: str = ""
    pages: int | None = None
    notes: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        """Return it as JSON, what is too long cut off."""
        notes = [
            to_json(note) if len(note) <= LONGEST_NAME else note[:LONGEST_NAME]
            for note in self.notes[:_MOST_NOTES]
        ]
        return _encoded({"title": self.title[:LONGEST_NAME], "pages": self.pages, "notes": notes})

    @classmethod
    def from_bytes(cls, raw: bytes) -> DocumentHead:
        """Read `to_bytes`' form; a ValueError, KeyError or TypeError when it is not that."""
        data = _decoded(raw)
        title, pages, notes = data["title"], data["pages"], data["notes"]
        if len(notes) > _MOST_NOTES:
            raise ValueError(len(notes))
        return cls(_name(title), None if pages is None else int(pages), tuple(map(_note, notes)))


def _note(value: Any) -> str:
    """Return a note as it was said; a ValueError for one that nobody would have said."""
    said = from_json(value)
    if len(said) > LONGEST_NAME:
        raise ValueError(len(said))
    return said


# Blocks as they are read, one after the other; what they belong to is known at their end.
BlockStream = Generator[Block, None, DocumentHead]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A parsed file. `pages` counts pages or slides where the format has them.

    `title` is the document's own (metadata or first heading), empty when it has none. `notes` are
    sentences for the user about what could not be read (`2 of 9 pages are pictures`).
    """

    title: str
    blocks: tuple[Block, ...]
    pages: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def head(self) -> DocumentHead:
        """All but the blocks."""
        return DocumentHead(self.title, self.pages, self.notes)

    def reading(self) -> BlockStream:
        """Yield the blocks, and return the rest."""
        yield from self.blocks
        return self.head


def pack(blocks: Iterable[Block]) -> bytes:
    """Return blocks as JSON."""
    return _encoded([_plain(block) for block in blocks])


def unpack(raw: bytes) -> tuple[Block, ...]:
    """Read `pack`'s form; a ValueError, KeyError or TypeError when it is not that."""
    blocks = tuple(_block(each) for each in _decoded(raw))
    if any(len(block.text) > LONGEST_BLOCK * 2 for block in blocks):
        raise ValueError(raw[:20])
    return blocks


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
        "boxes": [(b.x0, b.y0, b.x1, b.y1, b.start, b.end) for b in block.boxes],
        "rows": [(row.text, _spot(row.place)) for row in block.rows],
        "header": block.header[:LONGEST_NAME],
        "goes_on": block.goes_on,
    }


def _spot(place: BlockLocator) -> tuple[str, int | str, str | None]:
    value = place.value[:LONGEST_NAME] if isinstance(place.value, str) else place.value
    return (place.kind, value, place.cells)


def _place(data: Any) -> BlockLocator:
    kind, value, cells = data
    valid = isinstance(value, int | str) and (cells is None or isinstance(cells, str))
    if not valid:
        raise TypeError(value)
    _name(cells or "")
    return BlockLocator(LocatorKind(kind), _name(value) if isinstance(value, str) else value, cells)


def _name(data: Any) -> str:
    """Return a short text; a ValueError where it is none: it stands again beside each chunk."""
    if not isinstance(data, str) or len(data) > LONGEST_NAME:
        raise ValueError(str(data)[:20])
    return data


def _block(data: dict[str, Any]) -> Block:
    return Block(
        kind=BlockKind(data["kind"]),
        text=str(data["text"]),
        place=_place(data["place"]),
        level=min(max(int(data["level"]), 0), _DEEPEST),
        boxes=tuple(_box(*box) for box in data["boxes"]),
        rows=tuple(TableRow(str(text), _place(place)) for text, place in data["rows"]),
        header=_name(data["header"]),
        goes_on=bool(data["goes_on"]),
    )


def _box(*numbers: float) -> Box:
    x0, y0, x1, y1, start, end = numbers
    return Box(float(x0), float(y0), float(x1), float(y1), int(start), int(end))
