"""Finds the documents of citations where they are now.

A citation keeps its document's number, path and content hash. The number goes when nobody has the
content any more, and another comes when it is back; then the hash finds it, wherever the file lies
and whatever it is called. Where only the path is left, the document that is there now is another
text, in which the quote has to be looked for again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from desktop_rag.catalog.database import Database
from desktop_rag.catalog.document_queries import DocumentQueries
from desktop_rag.catalog.documents import Documents
from desktop_rag.catalog.provenance import IS_OWN
from desktop_rag.core.quote_search import QuotePlace, find_same, find_similar
from desktop_rag.core.types import DocumentId
from desktop_rag.core.unicode import shown_path, stored_path

_SELECT = "SELECT documents.id, path, title FROM documents"
_BY_NUMBER = "JOIN files ON document_id = documents.id WHERE documents.id = ? ORDER BY path"
_BY_CONTENT = (
    "JOIN files ON document_id = documents.id WHERE documents.content_hash = ? "
    f"ORDER BY {IS_OWN} DESC, documents.id DESC, path"
)
_IN_BASES = "kb IN (SELECT id FROM knowledge_bases)"  # so that the index by base and path is used
_BY_PATH = (
    f"JOIN files ON document_id = documents.id WHERE path = ? AND {_IN_BASES} "
    f"ORDER BY {IS_OWN} DESC, files.id DESC"
)
_STRETCH = 1_000_000  # characters looked through at a time
_MOST_STRETCHES = 20
_OVERLAP = 10_000  # characters: longer than any quote


@dataclass(frozen=True, slots=True)
class CitedDocument:
    """What a citation knows of its document; `content_hash` is "" in those of older versions."""

    document_id: DocumentId | None
    path: str
    content_hash: str = ""


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """The document as the catalog has it now; `is_same` says that its content is the cited one."""

    document_id: DocumentId
    path: str
    title: str
    is_same: bool


class CitedDocuments:
    """What became of the documents that kept conversations cite."""

    def __init__(
        self, database: Database, documents: Documents, document_queries: DocumentQueries
    ) -> None:
        self._database = database
        self._documents = documents
        self._queries = document_queries

    def find(self, cited: CitedDocument) -> FoundDocument | None:
        """Return the document with the cited content, else the one at its path, else None."""
        same = self._find_same(cited)
        if same is not None or not cited.path:
            return same
        rows = self._rows(_BY_PATH, stored_path(cited.path))
        return _chosen(rows[:1], cited.path, is_same=False) if rows else None

    def current_paths(self, cited: Iterable[CitedDocument]) -> dict[CitedDocument, str]:
        """Return where documents are now that are no longer where they were; same content only."""
        asked = list(dict.fromkeys(cited))
        there = self._still_there(asked)
        moved = {}
        for each in asked:
            if (each.document_id, each.path) not in there:
                found = self._find_same(each)
                if found is not None and found.path != each.path:
                    moved[each] = found.path
        return moved

    def find_text(self, document_id: DocumentId, quote: str, near: int) -> QuotePlace | None:
        """Return where a quote stands in a document, the nearest to `near`.

        What is set the same way is looked for in the whole text, up to twenty million characters;
        what is said in other words only around the old place.
        """
        length = self._queries.length(document_id) or 0
        stretches = list(_stretches(length, near))
        for start in stretches:
            text = self._documents.text(document_id, start, start + _STRETCH + _OVERLAP)
            if (place := find_same(text, quote, near - start)) is not None:
                return _moved(place, start)
        if not stretches:
            return None
        start = max(0, min(near - _STRETCH // 2, length - _STRETCH))
        text = self._documents.text(document_id, start, start + _STRETCH)
        place = find_similar(text, quote, near - start)
        return None if place is None else _moved(place, start)

    def _find_same(self, cited: CitedDocument) -> FoundDocument | None:
        for condition, value in (
            (_BY_NUMBER, cited.document_id),
            (_BY_CONTENT, cited.content_hash),
        ):
            if value and (rows := self._rows(condition, value)):
                return _chosen(rows, cited.path, is_same=True)
        return None

    def _rows(self, condition: str, value: int | str) -> list[tuple[int, str, str]]:
        rows = self._database.read().execute(f"{_SELECT} {condition}", (value,))
        return [(number, shown_path(path), title) for number, path, title in rows]

    def _still_there(self, cited: Sequence[CitedDocument]) -> set[tuple[int | None, str]]:
        rows = self._database.read().execute(
            "SELECT document_id, path FROM files "
            "WHERE document_id IN (SELECT value FROM json_each(?))",
            (json.dumps([each.document_id for each in cited if each.document_id]),),
        )
        return {(number, shown_path(path)) for number, path in rows}


def _chosen(rows: Sequence[tuple[int, str, str]], path: str, *, is_same: bool) -> FoundDocument:
    """Choose the path that is likest to the old one: itself, its name, its folder."""
    old = PurePath(path)

    def alike(row: tuple[int, str, str]) -> tuple[bool, bool, bool]:
        new = PurePath(row[1])
        return row[1] == path, new.name == old.name, new.parent == old.parent

    number, found, title = max(rows, key=alike)
    return FoundDocument(DocumentId(number), found, title, is_same)


def _stretches(length: int, near: int) -> Iterator[int]:
    """Yield where the stretches of a text begin, those nearest to a place first."""
    begins = sorted(range(0, length, _STRETCH), key=lambda at: abs(at + _STRETCH // 2 - near))
    yield from begins[:_MOST_STRETCHES]


def _moved(place: QuotePlace, by: int) -> QuotePlace:
    return QuotePlace(place.start + by, place.end + by, place.is_similar)
