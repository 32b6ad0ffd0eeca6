"""The nouns that every layer shares: frozen values that say where a piece of text comes from.

This module knows nothing of files, databases or models.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from string import ascii_uppercase
from typing import Any, NewType

KbId = NewType("KbId", int)
FileId = NewType("FileId", int)
DocumentId = NewType("DocumentId", int)
ChunkId = NewType("ChunkId", int)
ChatId = NewType("ChatId", int)
DerivedId = NewType("DerivedId", int)


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """An embedding model: what its vectors are kept under, and how many numbers each has."""

    fingerprint: str
    dimensions: int


class FileStatus(StrEnum):
    """What became of a file; the words of the command line's `status`.

    `QUEUED` is only ever stored, never reported as an outcome; `UNCHANGED`, `MOVED`, `DELETED` and
    `EXCLUDED` are outcomes of one run and are never stored.
    """

    QUEUED = "queued"
    READY = "ready"
    UNCHANGED = "unchanged"
    MOVED = "moved"
    DELETED = "deleted"
    EXCLUDED = "excluded"
    EMPTY = "empty"
    NEEDS_OCR = "needs_ocr"
    ENCRYPTED = "encrypted"
    CORRUPT = "corrupt"
    UNSUPPORTED = "unsupported"
    TOO_LARGE = "too_large"
    TIMEOUT = "timeout"
    DENIED = "denied"
    FAILED = "failed"


class VectorSearch(StrEnum):
    """How the vectors nearest to a question were found.

    `EXACT`: every vector that might be one was compared. `CHROMA`: Chroma's graph (HNSW, Malkov and
    Yashunin 2018) named candidates, of which it may miss some; exact cosines put them in order.
    """

    EXACT = "exact"
    CHROMA = "chroma"


class BlockKind(StrEnum):
    """The role of a block of text in its document."""

    TITLE = "title"
    HEADING = "heading"
    TEXT = "text"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    META = "meta"


class TableShare(StrEnum):
    """How much of a document is tables."""

    NONE = "none"
    SOME = "some"
    SHEETS = "sheets"  # the rows of a workbook, a CSV file or the like, and nothing else


class LocatorKind(StrEnum):
    """The unit in which a reader finds a place in a document."""

    PAGE = "page"
    SLIDE = "slide"
    SHEET = "sheet"
    ROW = "row"
    SECTION = "section"
    LINE = "line"
    PART = "part"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle around one line of text.

    Coordinates are PDF points from the top left of the page as shown (rotation and crop box
    applied); `start` and `end` are character offsets in the document's text. `page` is told where
    it is another one than the text's own: there a sentence goes on that its page's end cut.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    start: int
    end: int
    page: int | None = None

    def clipped(self, start: int, end: int) -> Box:
        """Return the part of the line that a range covers, by its share of the characters.

        A line that runs upwards, or whose characters are not known, stays whole.
        """
        length, width = self.end - self.start, self.x1 - self.x0
        start, end = max(self.start, start), min(self.end, end)
        if (start, end) == (self.start, self.end) or start >= end or width <= self.y1 - self.y0:
            return self
        left, right = (self.x0 + width * (at - self.start) / length for at in (start, end))
        return replace(self, x0=left, x1=right, start=start, end=end)


@dataclass(frozen=True, slots=True)
class Locator:
    """Where a piece of text stands: a page, slide, sheet, row …, and its character range.

    `value` counts from 1, except for a sheet, a section or a part, where it is the name.
    `start` and `end` are character offsets in the document's text, end exclusive.
    """

    kind: LocatorKind
    value: int | str
    start: int | None = None
    end: int | None = None
    boxes: tuple[Box, ...] = ()
    cells: str | None = None

    @property
    def first_row(self) -> int | None:
        """The row of a sheet in which it begins, None where it is in no sheet."""
        if self.kind is LocatorKind.ROW and isinstance(self.value, int):
            return self.value
        return _row_of((self.cells or "").split(":")[0])

    @property
    def last_row(self) -> int | None:
        """The row of a sheet in which it ends, None where that is not told."""
        return _row_of((self.cells or "").split(":")[-1])

    def narrowed(self, start: int, end: int) -> Locator:
        """Return the locator of a part of this text, with only the boxes that it touches."""
        boxes = tuple(box for box in self.boxes if box.start < end and start < box.end)
        return replace(self, start=start, end=end, boxes=boxes)

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form, absent fields left out."""
        made: dict[str, Any] = {"kind": self.kind.value, "value": self.value}
        own = [[b.x0, b.y0, b.x1, b.y1] for b in self.boxes if b.page is None]
        others = [[b.x0, b.y0, b.x1, b.y1, b.page] for b in self.boxes if b.page is not None]
        if own:
            made["boxes"] = own
        if others:
            made["other_boxes"] = others
        if self.cells is not None:
            made["cells"] = self.cells
        if self.start is not None and self.end is not None:
            made["start"], made["end"] = self.start, self.end
        return made

    def label(self) -> str:
        """Return a short form for people, such as `page 3`."""
        cells = f" {self.cells}" if self.cells else ""
        return f"{self.kind.value} {self.value}{cells}"


def _row_of(cell: str) -> int | None:
    number = cell.lstrip(ascii_uppercase)
    return int(number) if number.isdecimal() else None


@dataclass(frozen=True, slots=True)
class UsedRows:
    """The rows of a table in a document that the result of a query was made from.

    They are `count` of the `total` that the table has. `ranges` are the character offsets in the
    document's text where they stand, end exclusive, rows that follow each other as one range. Not
    `exact`: there are too many, and the one range goes from the first to the last. `columns` are
    the names of those that the query reads.
    """

    document_id: DocumentId
    count: int
    total: int
    columns: tuple[str, ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()
    exact: bool = True

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form."""
        made = {each.name: getattr(self, each.name) for each in fields(self)}
        return made | {"columns": list(self.columns), "ranges": [list(r) for r in self.ranges]}


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrieved passage, with every score that brought it here.

    `text` is what a reader (a person or a model) is handed: the big piece that surrounds the
    small one which matched; `locator` covers all of `text`, and `match` is the character range
    of the small piece in the document. Ranks count from 1; None means "not found by this one".
    `age_weight` is what the file's age left of the score, None where age does not count.
    `match_value` and `match_cells` are the small piece's own place, where it has another.
    `content_hash` is the document's: by it a kept citation finds its document again.
    """

    rank: int
    chunk_id: ChunkId
    document_id: DocumentId
    path: str
    locator: Locator
    title: str
    section: str
    text: str
    match: tuple[int, int]
    score: float
    dense_rank: int | None = None
    lexical_rank: int | None = None
    dense_score: float | None = None
    lexical_score: float | None = None
    rerank_score: float | None = None
    fused_rank: int | None = None
    age_weight: float | None = None
    other_paths: tuple[str, ...] = ()
    match_value: int | str | None = None
    match_cells: str | None = None
    content_hash: str = ""

    @property
    def matched(self) -> str:
        """The text of the small piece; all, where this is a part without it."""
        begin = self.locator.start or 0
        start, end = (max(0, at - begin) for at in self.match)
        return self.text[start:end] or self.text

    def place_of(self, start: int, end: int) -> Locator:
        """Return where a range of the document stands that lies in this passage."""
        part = self.locator.narrowed(start, end)
        part = replace(part, boxes=tuple(box.clipped(start, end) for box in part.boxes))
        if self.match_value is None or not self.is_in_match(start, end):
            return part
        return replace(part, value=self.match_value, cells=self.match_cells)

    def is_in_match(self, start: int, end: int) -> bool:
        """Say whether a range of the document lies in the small piece."""
        return self.match[0] <= start and end <= self.match[1]

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form of a search result."""
        made = {
            "rank": self.rank,
            "chunk_id": str(self.chunk_id),
            "path": self.path,
            "other_paths": list(self.other_paths),
            "locator": self.locator.as_json(),
            "title": self.title,
            "section": self.section,
            "text": self.text,
            "score": self.score,
            "dense_rank": self.dense_rank,
            "lexical_rank": self.lexical_rank,
            "dense_score": self.dense_score,
            "lexical_score": self.lexical_score,
            "rerank_score": self.rerank_score,
        }
        if self.age_weight is not None:
            made["age_weight"] = self.age_weight
        return made


@dataclass(frozen=True, slots=True)
class Citation:
    """Source `n` of an answer: the quote in a passage that supports a sentence best.

    `sentence` is the number (from 0) of the answer's sentence that it supports, and `locator`
    is that of the quote itself, so that a viewer can mark exactly it.
    """

    n: int
    chunk_id: ChunkId
    path: str
    locator: Locator
    quote: str
    sentence: int

    def as_json(self) -> dict[str, Any]:
        """Return the command line's form."""
        return {
            "n": self.n,
            "chunk_id": str(self.chunk_id),
            "path": self.path,
            "locator": self.locator.as_json(),
            "quote": self.quote,
            "sentence": self.sentence,
        }
