"""Tables of contents of documents, read from where their chunks stand: headings, sheets, slides.

A PDF's bookmarks and a text's headings are the sections of its chunks. What has no sections is
divided by its sheets, slides, messages or parts; a text without any of these has no line but its
own. A heading that comes again further on in its document is a line of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby, takewhile
from pathlib import PurePath
from typing import Any

from desktop_rag.catalog import locators
from desktop_rag.catalog.database import Database
from desktop_rag.core.catalog_records import OutlineEntry
from desktop_rag.core.types import ChunkId, DocumentId, KbId, LocatorKind
from desktop_rag.core.unicode import shown_path

BETWEEN_HEADINGS = " > "
_OPENING = 240  # characters of a text's beginning
_NAME = 160  # characters of a heading
_NAMED = (LocatorKind.SHEET, LocatorKind.SECTION, LocatorKind.PART)
_TITLED_BY_TEXT = (LocatorKind.SLIDE, LocatorKind.MESSAGE)
_DOCUMENTS = """
    SELECT files.document_id, title, min(path), coalesce(chunks.id, 0), substr(chunks.text, 1, ?3),
        (SELECT counted.chunk_count FROM documents AS counted INDEXED BY documents_details
        WHERE counted.id = files.document_id)
    FROM files JOIN documents ON documents.id = files.document_id
    JOIN chunks ON chunks.document_id = files.document_id AND ordinal = 0
    WHERE kb IN (SELECT value FROM json_each(?1))
    AND (?2 IS NULL OR files.document_id IN (SELECT value FROM json_each(?2)))
    GROUP BY files.document_id ORDER BY min(path)
"""
_SECTIONS = """
    SELECT document_id, ordinal, id, section, CASE section WHEN '' THEN locator END,
        substr(text, 1, ?2)
    FROM chunks WHERE document_id IN (SELECT value FROM json_each(?1)) AND ordinal < ?3
    ORDER BY document_id, ordinal
"""

_HEADINGS = """
    SELECT section, start FROM chunks
    WHERE document_id = ? AND section != '' AND start IS NOT NULL ORDER BY ordinal LIMIT ?
"""
_MOST_CHUNKS, _MOST_SECTIONS, _DEEPEST = 20_000, 2000, 8


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a document: its level from 0, and where the first passage below it begins."""

    name: str
    level: int
    start: int


@dataclass(slots=True)
class _Line:
    """A line while its chunks are being counted."""

    names: tuple[str, ...]
    first: int
    last: int
    chunk_id: int
    opening: str


@dataclass(slots=True)
class _Contents:
    """The lines of one document, of which the last ones, each below the other, go on."""

    lines: list[_Line]
    going_on: list[_Line] = field(default_factory=list)

    def add(self, names: tuple[str, ...], ordinal: int, chunk_id: int, opening: str) -> None:
        """Count a chunk under its headings; those that it begins are new lines."""
        depth = 0
        for line, name in zip(self.going_on, names, strict=False):
            if line.names[-1] != name:
                break
            depth += 1
        del self.going_on[depth:]
        root = self.lines[0].names
        for end in range(depth + 1, len(names) + 1):
            line = _Line((*root, *names[:end]), ordinal, ordinal, chunk_id, opening)
            self.lines.append(line)
            self.going_on.append(line)
        for line in (self.lines[0], *self.going_on):
            line.last = max(line.last, ordinal)


class DocumentOutlines:
    """The catalog's documents as tables of contents."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def documents(
        self, kbs: Iterable[KbId], allowed: Iterable[DocumentId] | None = None
    ) -> tuple[OutlineEntry, ...]:
        """Return the documents of knowledge bases by their paths, each once, without headings.

        `allowed` narrows it to some; None: all.
        """
        some = None if allowed is None else json.dumps(list(allowed))
        rows = self._database.read().execute(_DOCUMENTS, (json.dumps(list(kbs)), some, _OPENING))
        return tuple(map(_document, rows))

    def headings(
        self, documents: Sequence[OutlineEntry], most: int = 1 << 30
    ) -> tuple[OutlineEntry, ...]:
        """Return documents with the headings below each; of a long one those of its first chunks.

        `most` is how many chunks of each document are looked at.
        """
        wanted = json.dumps([each.document_id for each in documents])
        rows = self._database.read().execute(_SECTIONS, (wanted, _OPENING, most))
        by_document = {
            number: list(some) for number, some in groupby(rows, key=lambda row: int(row[0]))
        }
        return tuple(
            entry
            for each in documents
            for entry in _outline(each, by_document.get(each.document_id, []))
        )

    def sections(self, document_id: DocumentId) -> tuple[Section, ...]:
        """Return a document's headings in their order, bounded in number and depth."""
        rows = self._database.read().execute(_HEADINGS, (document_id, _MOST_CHUNKS))
        found: list[Section] = []
        before: tuple[str, ...] = ()
        for packed, start in rows:
            names = tuple(_one_line(name, _NAME) for name in packed.split(BETWEEN_HEADINGS))
            same = len(
                list(takewhile(lambda pair: pair[0] == pair[1], zip(before, names, strict=False)))
            )
            found += [
                Section(names[level], level, int(start))
                for level in range(same, min(len(names), _DEEPEST))
            ]
            before = names
        return tuple(found[:_MOST_SECTIONS])

    def places(self, ids: Iterable[ChunkId]) -> dict[ChunkId, tuple[DocumentId, int]]:
        """Return the document of each chunk, and the chunk's ordinal in it."""
        rows = self._database.read().execute(
            "SELECT id, document_id, ordinal FROM chunks "
            "WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return {ChunkId(row[0]): (DocumentId(row[1]), int(row[2])) for row in rows}

    def chunks_under(self, entry: OutlineEntry) -> list[ChunkId]:
        """Return the chunks under a line, in their order."""
        rows = self._database.read().execute(
            "SELECT id FROM chunks WHERE document_id = ? AND ordinal BETWEEN ? AND ? "
            "ORDER BY ordinal",
            (entry.document_id, entry.first, entry.last),
        )
        return [ChunkId(number) for (number,) in rows]


def _document(row: tuple[Any, ...]) -> OutlineEntry:
    document_id, title, path, chunk_id, opening, count = row
    name = _one_line(title, _NAME) or PurePath(shown_path(path)).stem
    beginning = _one_line(opening, _OPENING)
    last = max(0, int(count) - 1)
    return OutlineEntry(DocumentId(document_id), (name,), 0, last, ChunkId(chunk_id), beginning)


def _outline(document: OutlineEntry, rows: Sequence[tuple[Any, ...]]) -> Iterator[OutlineEntry]:
    """Yield a document and the headings below it."""
    title = document.names[0]
    root = _Line((title,), 0, document.last, document.chunk_id, document.opening)
    contents = _Contents([root])
    for _, ordinal, chunk_id, section, locator, text in rows:
        names = tuple(_one_line(name, _NAME) for name in section.split(BETWEEN_HEADINGS))
        if not section:
            names = _unit_name(locator, text)
        if names[:1] == (title,):
            names = names[1:]
        contents.add(names, int(ordinal), int(chunk_id), _one_line(text, _OPENING))
    for line in contents.lines:
        chunk = ChunkId(line.chunk_id)
        yield OutlineEntry(
            document.document_id, line.names, line.first, line.last, chunk, line.opening
        )


def _unit_name(locator: str, text: str) -> tuple[str, ...]:
    """Return the name of the sheet, slide or part that a chunk without a section stands in."""
    place = locators.unpack(locator)
    if place.kind in _NAMED and place.value:
        return (_one_line(str(place.value), _NAME),)
    if place.kind in _TITLED_BY_TEXT:
        first = _one_line(text.strip().partition("\n")[0], _NAME)
        return (f"{place.label()}: {first}" if first else place.label(),)
    return ()


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many names two begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _one_line(text: str, length: int) -> str:
    return " ".join(text.split())[:length]
