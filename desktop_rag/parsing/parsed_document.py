"""What a parser gives: a document as blocks, each with its role and its place.

Parsers run in child processes, so a document crosses a pipe (`sandbox/document_stream`), in pieces
of bounded size; nothing that is repeated beside every chunk is long.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from desktop_rag.core.document_metadata import NO_METADATA, DocumentMetadata
from desktop_rag.core.types import BlockKind, Box, LocatorKind

LONGEST_BLOCK = 100_000  # characters; longer ones are given in parts
LONGEST_NAME = 2000  # characters of a title, a table's header, a sheet's name, a note
MOST_UNREAD_PAGES = 100_000
# Numbers of pages, as they cross the pipe.
PageNumbers = Annotated[tuple[Annotated[int, Meta(ge=1)], ...], Meta(max_length=MOST_UNREAD_PAGES)]


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
    is not itself one of `rows` unless it also stands in `text`; of code it says what is defined
    there (`class Reader › def parse`). A block that `goes_on` is the rest
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
    unread_pages: tuple[int, ...] = ()
    metadata: DocumentMetadata = NO_METADATA


# Blocks as they are read, one after the other; what they belong to is known at their end.
BlockStream = Generator[Block, None, DocumentHead]


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """A parsed file. `pages` counts pages or slides where the format has them.

    `title` is the document's own (metadata or first heading), empty when it has none. `notes` are
    sentences for the user about what could not be read (`2 of 9 pages are pictures`).
    `unread_pages` are the numbers, from 1, of those that text recognition could read; where a
    format has pictures in its text, theirs. `metadata` is what the document says of itself; its
    language is told later, by the text.
    """

    title: str
    blocks: tuple[Block, ...]
    pages: int | None = None
    notes: tuple[str, ...] = ()
    unread_pages: tuple[int, ...] = ()
    metadata: DocumentMetadata = NO_METADATA

    @property
    def head(self) -> DocumentHead:
        """All but the blocks."""
        return DocumentHead(self.title, self.pages, self.notes, self.unread_pages, self.metadata)

    @classmethod
    def of(cls, head: DocumentHead, blocks: Iterable[Block]) -> ParsedDocument:
        """Return blocks with what is said of them."""
        told = head.pages, head.notes, head.unread_pages, head.metadata
        return cls(head.title, tuple(blocks), *told)

    def reading(self) -> BlockStream:
        """Yield the blocks, and return the rest."""
        yield from self.blocks
        return self.head
