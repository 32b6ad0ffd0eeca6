"""What an evaluation searches, and which of the gold a place in it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.evaluation_records import WHOLE
from desktop_rag.core.events import Answer
from desktop_rag.core.types import DocumentId, KbId, Passage
from desktop_rag.evaluation.corpus_index import CorpusIndex
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.index.indexes import IndexManager
from desktop_rag.models.protocols import Embedder

_ENOUGH = 0.5  # of the shorter of two ranges that both must hold


@dataclass(frozen=True, slots=True)
class FoundRange:
    """A range of a document's text that was found; `path` is where the document lies."""

    document: DocumentId
    path: str
    start: int
    stop: int


class EvaluationScope(Protocol):
    """Documents to be searched, and the gold in them."""

    @property
    def catalog(self) -> Catalog:
        """Where the documents' texts are."""
        ...

    @property
    def indexes(self) -> IndexManager:
        """Their indexes."""
        ...

    @property
    def embedder(self) -> Embedder:
        """The model of their vectors."""
        ...

    def kbs(self, item: EvalQuestion) -> tuple[KbId, ...]:
        """Return the knowledge bases that a question is asked of."""
        ...

    def ids(self, item: EvalQuestion, places: Iterable[FoundRange]) -> tuple[str, ...]:
        """Return what was found, best first, each once: gold by its id, the rest by any other."""
        ...


@dataclass(frozen=True, slots=True)
class CorpusScope:
    """A question set's own corpus: a document is an entry, and its path the entry's id."""

    collection: CorpusIndex

    @property
    def catalog(self) -> Catalog:
        """The collection's."""
        return self.collection.catalog

    @property
    def indexes(self) -> IndexManager:
        """The collection's."""
        return self.collection.indexes

    @property
    def embedder(self) -> Embedder:
        """The collection's."""
        return self.collection.embedder

    def kbs(self, item: EvalQuestion) -> tuple[KbId, ...]:  # noqa: ARG002
        """Return the one knowledge base."""
        return (self.collection.kb,)

    def ids(self, item: EvalQuestion, places: Iterable[FoundRange]) -> tuple[str, ...]:  # noqa: ARG002
        """Return the entries' ids."""
        return distinct(place.path for place in places)


@dataclass(frozen=True, slots=True)
class GoldTarget:
    """A gold passage as it can be found today: any of these documents, in a range of them.

    `is_loose` is one whose document has changed since, so that any place in it counts.
    """

    id: str
    documents: frozenset[DocumentId]
    start: int = 0
    stop: int = WHOLE
    is_loose: bool = False

    def has(self, place: FoundRange) -> bool:
        """Return whether a place is this passage: they share half of the shorter of them."""
        if place.document not in self.documents:
            return False
        if self.stop == WHOLE or self.is_loose:
            return True
        shared = min(self.stop, place.stop) - max(self.start, place.start)
        return shared >= _ENOUGH * max(1, min(self.stop - self.start, place.stop - place.start))


@dataclass(frozen=True, slots=True)
class LibraryScope:
    """The user's own knowledge bases; targets and knowledge bases are known by question."""

    catalog: Catalog
    indexes: IndexManager
    embedder: Embedder
    targets: Mapping[str, Sequence[GoldTarget]]
    bases: Mapping[str, tuple[KbId, ...]]

    def kbs(self, item: EvalQuestion) -> tuple[KbId, ...]:
        """Return the question's own."""
        return self.bases[item.id]

    def ids(self, item: EvalQuestion, places: Iterable[FoundRange]) -> tuple[str, ...]:
        """Return the gold that each place is, or where it lies."""
        found: list[str] = []
        for place in places:
            hit = [each.id for each in self.targets[item.id] if each.has(place)]
            found += hit or [f"{place.document}:{place.start}-{place.stop}"]
        return distinct(found)


def places_of(passages: Iterable[Passage]) -> list[FoundRange]:
    """Return where passages lie."""
    return [_place(each) for each in passages]


def places_cited(answer: Answer) -> list[FoundRange]:
    """Return where the quotes of an answer lie, in the documents of its sources."""
    made = []
    for each in answer.citations:
        if 1 <= each.n <= len(answer.sources):
            source = answer.sources[each.n - 1]
            start, stop = each.locator.start, each.locator.end
            if start is None or stop is None:
                made.append(_place(source))
            else:
                made.append(FoundRange(source.document_id, each.path, start, stop))
    return made


def distinct(ids: Iterable[str]) -> tuple[str, ...]:
    """Return each id once, at its first place."""
    return tuple(dict.fromkeys(ids))


def _place(passage: Passage) -> FoundRange:
    start, stop = passage.locator.start, passage.locator.end
    if start is None or stop is None:
        start, stop = passage.match
    return FoundRange(passage.document_id, passage.path, start, stop)
