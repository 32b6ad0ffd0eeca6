"""What a way of preparing is, what it is given, and what it gives back.

A preparer derives texts from a document, batch by batch. Each batch is stored before the next one
is made, with the position at which the next run goes on: so a run that is stopped or killed loses
one batch at most.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, Protocol, runtime_checkable

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import NewDerivedText, StoredChunk
from desktop_rag.core.types import DerivedId, DocumentId, Passage
from desktop_rag.generation.prompt_delimiters import delimit
from desktop_rag.models.protocols import Embedder
from desktop_rag.strategies.model_calls import ModelTools


@dataclass(frozen=True, slots=True)
class DerivedBatch:
    """Some derived texts of a document, and the position at which its preparation goes on.

    `chunks` is how many chunks more are dealt with, for those who watch.
    """

    texts: tuple[NewDerivedText, ...]
    position: int
    chunks: int
    is_done: bool = False


Preparing = Generator[DerivedBatch, list[DerivedId], None]
"""Yields batches, and is sent the numbers under which the texts of each were stored."""


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document that is prepared, with its chunks in the catalog."""

    document_id: DocumentId
    title: str
    chunk_count: int
    catalog: Catalog

    def chunks(self, begin: int = 0) -> Iterator[StoredChunk]:
        """Yield its chunks in order, from the one of this place on."""
        return islice(self.catalog.documents.each_chunk(self.document_id), begin, None)


@dataclass(frozen=True, slots=True)
class PreparationTools:
    """What a preparer works with. `calls` is None where it is to do without a language model."""

    embedder: Embedder
    calls: ModelTools | None
    token: CancelToken


class Preparer(Protocol):
    """One way of preparing. `calls_per_chunk` is about how often it asks a language model."""

    name: ClassVar[str]
    title: ClassVar[str]
    effect: ClassVar[str]
    paper: ClassVar[str]
    version: ClassVar[int]
    calls_per_chunk: ClassVar[float]

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Derive texts from a document, from a position on (0: its beginning)."""
        ...


@runtime_checkable
class RemarkedPreparer(Protocol):
    """A preparer of which there is something to tell before it begins."""

    def remark(self, *, has_model: bool) -> str:
        """Tell how texts are derived here, with or without a language model."""
        ...


def by_chunks(
    document: SourceDocument,
    begin: int,
    size: int,
    derive: Callable[[StoredChunk], Sequence[str]],
) -> Preparing:
    """Derive texts from each chunk alone, `size` chunks a batch; positions count chunks.

    The same text of one document is kept once, with all the chunks of a batch that gave it.
    """
    chunks, position = document.chunks(begin), begin
    while True:
        batch = list(islice(chunks, size))
        position += len(batch)
        found: dict[str, list[StoredChunk]] = {}
        for chunk in batch:
            for text in derive(chunk):
                found.setdefault(text, []).append(chunk)
        texts = tuple(
            NewDerivedText(text, tuple(each.chunk_id for each in sources))
            for text, sources in found.items()
        )
        is_done = len(batch) < size or position >= document.chunk_count
        yield DerivedBatch(texts, position, len(batch), is_done)
        if is_done:
            return


def fenced(chunk: StoredChunk) -> str:
    """Return a chunk as material for a message: data between delimiters, never instructions."""
    ids = (chunk.chunk_id, chunk.document_id)
    whole = (0, len(chunk.text))
    about = (chunk.title, chunk.section, chunk.text)
    return delimit([(1, Passage(1, *ids, "", chunk.locator, *about, whole, 0.0))], "")


def text_list(found: dict[str, Any] | None, name: str, most: int) -> list[str]:
    """Return the texts of a list in a model's reply, each on one line and once, `most` of them."""
    told = (found or {}).get(name, [])
    lines = (" ".join(str(each).split()) for each in told)
    return list(dict.fromkeys(each for each in lines if each))[:most]
