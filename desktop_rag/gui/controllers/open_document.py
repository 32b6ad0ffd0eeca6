"""What is known of a document that is open in the window: frozen values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.events import ResultTable
from desktop_rag.core.types import (
    BlockKind,
    Box,
    DocumentId,
    Locator,
    LocatorKind,
    Passage,
    TableShare,
    UsedRows,
)
from desktop_rag.gui.controllers.transcript import Turn


class FileState(StrEnum):
    """How a file stands to what was read of it, or to what was cited of it."""

    SAME = "same"
    MISSING = "missing"
    CHANGED = "changed"
    FOUND_AGAIN = "found again"  # it was changed and read anew; the quote stands in it still
    SIMILAR = "similar"  # the same, in other words
    REWRITTEN = "rewritten"  # it was changed and read anew; the quote is not in it any more
    FORGOTTEN = "forgotten"  # the file is there; the index no longer holds what was read
    GONE = "gone"  # neither the file nor what was read of it is there
    FOREIGN = "foreign"  # the index never held it, or nothing of it could be read


@cache
def _paged_endings() -> frozenset[str]:
    """Return the endings of files whose pages can be drawn; read when a document is opened."""
    from desktop_rag.parsing.format_detection import BY_EXTENSION, FileFormat

    drawn = (FileFormat.PDF, FileFormat.PICTURE)
    return frozenset(end for end, form in BY_EXTENSION.items() if form in drawn)


@dataclass(frozen=True, slots=True)
class StoredQuote:
    """A passage's text as a conversation kept it, `start` being its place in the document."""

    text: str
    start: int


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document and its marks in reading order, `current` being the one that was asked for.

    It may have no mark at all. `quoted` is what is left of it when the index holds it no longer.
    `texts` are the marks' own, one for one, as far as they are known, and `content_hash` says of
    what content; by them a mark is found again. `followed` says how it was, in a changed text.
    `used` are the rows of its tables that an answer was made from.
    """

    path: str
    title: str
    document_id: DocumentId | None
    marks: tuple[Locator, ...] = ()
    current: int = 0
    quoted: StoredQuote | None = None
    texts: tuple[str, ...] = ()
    content_hash: str = ""
    followed: FileState | None = None
    used: tuple[UsedRows, ...] = ()

    @property
    def is_paged(self) -> bool:
        """Whether its pages can be shown as pictures, the file being there."""
        kind = self.mark.kind if self.mark is not None else LocatorKind.PAGE
        return kind is LocatorKind.PAGE and Path(self.path).suffix.lower() in _paged_endings()

    @property
    def mark(self) -> Locator | None:
        """The current mark."""
        return self.marks[self.current] if self.marks else None

    @property
    def page(self) -> int:
        """The page of the current mark, the first one where there is none."""
        return page_of(self.mark) if self.mark is not None else 1

    def at(self, current: int) -> OpenDocument:
        """Return it with another current mark."""
        return replace(self, current=current)

    def with_marks(self, marks: tuple[Locator, ...]) -> OpenDocument:
        """Return it with its marks put right, one for one."""
        return replace(self, marks=marks)


@dataclass(frozen=True, slots=True)
class LocatedDocument:
    """The document that was to be opened: its marks known exactly, its text's length.

    `asked` is the path under which it was asked for, if it is at another one; `metadata` what the
    document says of itself. `tables` says whether there are any in it, or nothing else. `content`
    is the hash of what was read, "" where nothing was.
    """

    opened: OpenDocument
    file_state: FileState
    length: int = 0
    asked: str = ""
    metadata: DocumentMetadata = NO_METADATA
    tables: TableShare = TableShare.NONE
    content: str = ""

    @property
    def asked_path(self) -> str:
        """The path that was asked for."""
        return self.asked or self.opened.path


@dataclass(frozen=True, slots=True)
class DocumentCell:
    """A cell of a table: its column, and its range in the document's text."""

    column: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A row of a table; `number` is that of the sheet, None where it is not known."""

    cells: tuple[DocumentCell, ...]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """Rows that stand under the same column names, which may be empty.

    `caption` names the sheet where one begins; `headed` says that the first row is the names'.
    """

    names: tuple[str, ...]
    rows: tuple[DocumentRow, ...]
    headed: bool = False
    caption: str = ""


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A line of text: a heading, or a paragraph; its range in the document's text."""

    start: int
    end: int
    kind: BlockKind = BlockKind.TEXT


@dataclass(frozen=True, slots=True)
class TextRange:
    """A range of a document's text that is wanted; only its `fixed` edge may lie within a line."""

    start: int
    end: int
    fixed: int | None = None


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A stretch of a document's text, from `start` on; the whole goes from `first` to `length`.

    `wanted` is what was asked for.
    """

    text: str
    start: int
    length: int
    blocks: tuple[DocumentLine | DocumentTable, ...]
    first: int = 0
    wanted: TextRange | None = None

    @property
    def end(self) -> int:
        """Where the stretch ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class PageText:
    """What the index has of a page's text."""

    page: int
    text: str


@dataclass(frozen=True, slots=True)
class ListedChunk:
    """A chunk as the list beside a document shows it; `tokens` is an estimate."""

    ordinal: int
    kind: BlockKind
    place: Locator
    tokens: int
    text: str
    context: str
    chunk_id: int = 0


@dataclass(frozen=True, slots=True)
class TextHit:
    """A place of the words looked for, as a range of the document's text."""

    start: int
    end: int

    @property
    def order(self) -> tuple[int, int]:
        """Where it stands among others."""
        return self.start, self.end


@dataclass(frozen=True, slots=True)
class TextHits:
    """Where words stand in a document's text, as far as was looked; `done` at its end."""

    words: str
    places: tuple[TextHit, ...]
    done: bool


@dataclass(frozen=True, slots=True)
class ViewError:
    """What can't be shown, and why."""

    what: str
    remedy: str


def document_of_citation(turn: Turn, passage: Passage, mark: Locator) -> OpenDocument:
    """Return a passage's document with every place of it that the answer cites."""
    same = [each for each in turn.sources if each.document_id == passage.document_id]
    numbers = {each.chunk_id for each in same}
    cited = {c.locator: c.quote for c in turn.citations if c.chunk_id in numbers}
    marks = tuple(sorted({*cited, mark}, key=_reading_order))
    texts = tuple(cited.get(each) or _text_at(each, (passage, *same)) for each in marks)
    return OpenDocument(
        passage.path,
        passage.title,
        passage.document_id,
        marks,
        marks.index(mark),
        StoredQuote(passage.text, passage.locator.start or 0),
        texts,
        passage.content_hash,
        used=_used_rows(turn, passage),
    )


def document_of_passage(passage: Passage, mark: Locator) -> OpenDocument:
    """Return a passage's document with one place of it."""
    quoted = StoredQuote(passage.text, passage.locator.start or 0)
    where = passage.path, passage.title, passage.document_id, (mark,)
    texts = (_text_at(mark, (passage,)),)
    return OpenDocument(*where, 0, quoted, texts, passage.content_hash)


def boxes_by_page(
    document: OpenDocument,
) -> tuple[dict[int, tuple[Box, ...]], dict[int, tuple[Box, ...]]]:
    """Return the rectangles by page: of the other marks, and of the current one."""
    others: dict[int, tuple[Box, ...]] = {}
    now: dict[int, tuple[Box, ...]] = {}
    for number, mark in enumerate(document.marks):
        into = now if number == document.current else others
        for box in mark.boxes:
            page = page_of(mark) if box.page is None else box.page
            into[page] = (*into.get(page, ()), box)
    return others, now


def page_of(mark: Locator) -> int:
    """Return the page of a mark."""
    return mark.value if isinstance(mark.value, int) else 1


def _used_rows(turn: Turn, passage: Passage) -> tuple[UsedRows, ...]:
    """Return the rows of a passage's document that the turn's last result was made from."""
    results = [each for each in turn.trace if isinstance(each, ResultTable)]
    return tuple(
        each
        for each in (results[-1].used if results else ())
        if each.document_id == passage.document_id
    )


def _reading_order(mark: Locator) -> tuple[int, int]:
    return page_of(mark), mark.start or 0


def _text_at(mark: Locator, passages: Iterable[Passage]) -> str:
    """Return what a mark covers, from the first passage that has all of it."""
    for each in passages:
        begin = each.locator.start
        if None in (mark.start, mark.end, begin):
            continue
        start, end = (mark.start or 0) - (begin or 0), (mark.end or 0) - (begin or 0)
        if 0 <= start < end <= len(each.text):
            return each.text[start:end]
    return ""
