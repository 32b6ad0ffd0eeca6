"""What a parser gives: a document as blocks, each with its role and its place.

Parsers run in child processes, so a document crosses a pipe: as JSON, never as a pickle, because
what a hostile file made a child say must not become code in the parent.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
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
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode(
            "utf-8", "surrogatepass"
        )

    @classmethod
    def from_bytes(cls, raw: bytes) -> ParsedDocument:
        """Read `to_bytes`' form; a ValueError, KeyError or TypeError when it is not that."""
        data = json.loads(raw.decode("utf-8", "surrogatepass"))
        blocks = tuple(_block(each) for each in data["blocks"])
        return cls(str(data["title"]), blocks, data["pages"], tuple(map(str, data["notes"])))


def _place(data: dict[str, Any]) -> Place:
    return Place(LocatorKind(data["kind"]), data["value"], data["cells"])


def _block(data: dict[str, Any]) -> Block:
    return Block(
        kind=BlockKind(data["kind"]),
        text=str(data["text"]),
        place=_place(data["place"]),
        level=int(data["level"]),
        boxes=tuple(Box(**box) for box in data["boxes"]),
        rows=tuple(TableRow(str(row["text"]), _place(row["place"])) for row in data["rows"]),
        header=str(data["header"]),
    )
