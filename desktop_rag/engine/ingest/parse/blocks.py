"""What a parser gives: a document as blocks, each with its role and its place.

Parsers run in child processes, so a document crosses a pipe: as JSON, never as a pickle, because
what a hostile file made a child say must not become code in the parent.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from desktop_rag.core.types import BlockKind, Box, LocatorKind


@dataclass(frozen=True, slots=True)
class Place:
    """Where a block stands: `Place(LocatorKind.PAGE, 3)`. `cells` is a sheet's range, `A2:F2`."""

    kind: LocatorKind
    value: int | str
    cells: str | None = None


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row of a table, its cells joined for reading, never cut by the chunker if it fits."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a list or a table.

    `level` is a heading's depth from 1. `boxes` are the lines' rectangles, their offsets counted in
    this block's `text`. A table has `rows`, `text` being their texts joined by newlines; `header`
    is the text of its column names, which the chunker repeats in every piece's context and which
    is not itself one of `rows` unless it also stands in `text`.
    """

    kind: BlockKind
    text: str
    place: Place
    level: int = 0
    boxes: tuple[Box, ...] = ()
    rows: tuple[TableRow, ...] = ()
    header: str = ""


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

    def to_bytes(self) -> bytes:
        """Return the document as JSON."""
        plain = {
            "title": self.title,
            "blocks": [_plain(block) for block in self.blocks],
            "pages": self.pages,
            "notes": self.notes,
        }
        text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
        return text.encode("utf-8", "surrogatepass")

    @classmethod
    def from_bytes(cls, raw: bytes) -> ParsedDocument:
        """Read `to_bytes`' form; a ValueError, KeyError or TypeError when it is not that."""
        data = json.loads(raw.decode("utf-8", "surrogatepass"))
        blocks = tuple(_block(each) for each in data["blocks"])
        pages = None if data["pages"] is None else int(data["pages"])
        return cls(str(data["title"]), blocks, pages, tuple(map(str, data["notes"])))


def _plain(block: Block) -> dict[str, Any]:
    """Return a block as JSON has it; written out, as `asdict` takes four times as long."""
    return {
        "kind": block.kind,
        "text": block.text,
        "place": _spot(block.place),
        "level": block.level,
        "boxes": [(b.x0, b.y0, b.x1, b.y1, b.start, b.end) for b in block.boxes],
        "rows": [(row.text, _spot(row.place)) for row in block.rows],
        "header": block.header,
    }


def _spot(place: Place) -> tuple[str, int | str, str | None]:
    return (place.kind, place.value, place.cells)


def _place(data: Any) -> Place:
    kind, value, cells = data
    valid = isinstance(value, int | str) and (cells is None or isinstance(cells, str))
    if not valid:
        raise TypeError(value)
    return Place(LocatorKind(kind), value, cells)


def _block(data: dict[str, Any]) -> Block:
    return Block(
        kind=BlockKind(data["kind"]),
        text=str(data["text"]),
        place=_place(data["place"]),
        level=int(data["level"]),
        boxes=tuple(_box(*box) for box in data["boxes"]),
        rows=tuple(TableRow(str(text), _place(place)) for text, place in data["rows"]),
        header=str(data["header"]),
    )


def _box(*numbers: float) -> Box:
    x0, y0, x1, y1, start, end = numbers
    return Box(float(x0), float(y0), float(x1), float(y1), int(start), int(end))
