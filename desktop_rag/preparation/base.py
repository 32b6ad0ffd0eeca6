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
from desktop_rag.core.language import language
from desktop_rag.core.types import DerivedId, DocumentId, Passage
from desktop_rag.generation.prompt_delimiters import delimit
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Embedder, Message, Vectors
from desktop_rag.strategies.base import run_to_end
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


@runtime_checkable
class VectorPreparer(Protocol):
    """A preparer whose derived texts are found by other vectors than their own words'."""

    def vectors(self, texts: Sequence[str], embedder: Embedder, token: CancelToken) -> Vectors:
        """Return a vector a text, as the embedder reads the chunk that a derived text stands for.

        Shape `(len(texts), embedder.dimensions)`, of length one.
        """
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


@dataclass(frozen=True, slots=True)
class ListPrompt:
    """What a model writes of a chunk: up to `most` texts, by the prompt `preparation/NAME`.

    The reply is an object with a list of that name. `batch` is how many chunks are dealt with
    before what was made is stored; `batch_by_rules` how many where no model is asked.
    """

    name: str
    most: int
    batch: int
    batch_by_rules: int

    def steps(
        self,
        document: SourceDocument,
        begin: int,
        tools: PreparationTools,
        by_rules: Callable[[StoredChunk], Sequence[str]],
    ) -> Preparing:
        """Derive texts from each chunk: the model's, where there is one and it keeps the form."""
        calls = tools.calls
        if calls is None:
            return by_chunks(document, begin, self.batch_by_rules, by_rules)

        def written(chunk: StoredChunk) -> Sequence[str]:
            return self.written(chunk, calls) or by_rules(chunk)

        return by_chunks(document, begin, self.batch, written)

    def written(self, chunk: StoredChunk, calls: ModelTools) -> list[str]:
        """Return the texts that a model writes; none where it twice breaks the form."""
        rules = Prompts(language(chunk.text)).text(f"preparation/{self.name}", most=str(self.most))
        messages = [Message("system", rules), Message("user", fenced(chunk))]
        texts = {"type": "array", "items": {"type": "string"}, "maxItems": self.most}
        schema = {"type": "object", "properties": {self.name: texts}, "required": [self.name]}
        found = run_to_end(calls.decide(messages, f"prepare: {self.name}", schema))
        return text_list(found, self.name, self.most)


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
