"""A document as all of its passages, in their order, with the vectors that the catalog has of them.

A passage is the bigger range around chunks that a search would hand over; here every one is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePath

import numpy as np

from desktop_rag.catalog import locators
from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.types import ChunkId, DocumentId, KbId, Locator, Passage
from desktop_rag.core.unicode import valid_text
from desktop_rag.models.protocols import Embedder, Vectors

_READ_AT_ONCE = 200_000  # characters of a document's text


@dataclass(frozen=True, slots=True)
class ChunkPlace:
    """A chunk of a passage: its characters in the document, and its own place."""

    chunk_id: ChunkId
    start: int
    end: int
    locator: Locator


@dataclass(frozen=True, slots=True)
class WholeDocument:
    """A file's document: every passage, and the chunks of each, in their order."""

    path: str
    kb: KbId
    document_id: DocumentId
    passages: tuple[Passage, ...]
    chunks: tuple[tuple[ChunkPlace, ...], ...]

    @property
    def name(self) -> str:
        """The file's name."""
        return valid_text(PurePath(self.path).name)

    @property
    def chunk_ids(self) -> list[ChunkId]:
        """All chunks, in their order."""
        return [each.chunk_id for group in self.chunks for each in group]

    def holds(self, passage: Passage) -> bool:
        """Say whether a passage is of this document."""
        return (passage.document_id, passage.path) == (self.document_id, self.path)

    def at(self, passage: Passage, offset: int) -> Passage:
        """Return a passage of it with the chunk at an offset of the text as what matched.

        As it is where no chunk is there, as of a document that was removed meanwhile.
        """
        places = (each for group in self.chunks for each in group)
        found = next((each for each in places if each.start <= offset < each.end), None)
        if found is None:
            return passage
        return replace(
            passage,
            chunk_id=found.chunk_id,
            match=(found.start, found.end),
            match_value=found.locator.value,
            match_cells=found.locator.cells,
        )


@dataclass(frozen=True, slots=True)
class IndexedDocument:
    """A file that has a document in the catalog."""

    path: str
    kb: KbId
    document_id: DocumentId


def read_document(catalog: Catalog, found: IndexedDocument, token: CancelToken) -> WholeDocument:
    """Return all passages of a document; a passage's `rank` is its number in it, from 1.

    The document of a file that was removed meanwhile has none.
    """
    number = found.document_id
    row = catalog.files.get(found.kb, found.path)
    if row is None or row.document_id != number:
        return WholeDocument(found.path, found.kb, number, (), ())
    hashes = catalog.documents.content_hashes([number])
    groups: list[tuple[StoredChunk, ...]] = []
    for _, pieces in groupby(catalog.documents.each_chunk(number), key=lambda each: each.big):
        token.check()
        groups.append(tuple(pieces))
    texts = _texts(catalog, number, [group[0].big for group in groups])
    passages = tuple(
        _passage(rank, group, text, found.path, hashes.get(number, ""))
        for rank, (group, text) in enumerate(zip(groups, texts, strict=True), start=1)
    )
    places = tuple(tuple(map(_place, group)) for group in groups)
    return WholeDocument(found.path, found.kb, number, passages, places)


def stored_vectors(
    catalog: Catalog, document: WholeDocument, embedder: Embedder
) -> dict[ChunkId, Vectors]:
    """Return the unit vectors that the catalog has of a document's chunks, by this embedder."""
    rows = catalog.embeddings.of_chunks(document.kb, embedder.fingerprint, document.chunk_ids)
    return {chunk: np.asarray(vector, dtype=np.float32) for chunk, _, vector in rows}


def _texts(
    catalog: Catalog, number: DocumentId, ranges: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yield the text of each range; ranges come in their order, and are read many at a time."""
    text, begin = "", 0
    for start, end in ranges:
        if not begin <= start or end > begin + len(text):
            begin = start
            text = catalog.documents.text(number, start, max(end, start + _READ_AT_ONCE))
        yield text[start - begin : end - begin]


def _passage(
    rank: int, group: Sequence[StoredChunk], text: str, path: str, content: str
) -> Passage:
    first, (start, end) = group[0], group[0].big
    return Passage(
        rank=rank,
        chunk_id=first.chunk_id,
        document_id=first.document_id,
        path=path,
        locator=locators.joined((each.locator for each in group), start, end),
        title=first.title or valid_text(PurePath(path).stem),
        section=first.section,
        text=text,
        match=_range(first),
        score=0.0,
        content_hash=content,
    )


def _place(chunk: StoredChunk) -> ChunkPlace:
    return ChunkPlace(chunk.chunk_id, *_range(chunk), chunk.locator)


def _range(chunk: StoredChunk) -> tuple[int, int]:
    start = chunk.locator.start if chunk.locator.start is not None else chunk.big[0]
    end = chunk.locator.end if chunk.locator.end is not None else start + len(chunk.text)
    return start, end


def passage_count(documents: Iterable[WholeDocument]) -> int:
    """Return how many passages documents have together."""
    return sum(len(each.passages) for each in documents)
