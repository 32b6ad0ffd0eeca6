"""What questions share, and what one of them has cost so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from desktop_rag.core.errors import UsageError
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.settings import Settings
from desktop_rag.core.types import KbId, Passage
from desktop_rag.generation.extractive_compression import CompressedPassage, Identity
from desktop_rag.models.pair_reader import PairReader
from desktop_rag.models.protocols import ChatModel, Embedder, LanguageSupport
from desktop_rag.retrieval.derived_tree import NodeSearch
from desktop_rag.retrieval.entity_graph_search import GraphSearch
from desktop_rag.retrieval.evidence import EVIDENCE_THRESHOLD
from desktop_rag.retrieval.outline_search import OutlineSearch
from desktop_rag.retrieval.passage_links import PassageLinks
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.strategies.base import Strategy

if TYPE_CHECKING:
    from desktop_rag.tables.table_store import TableStore


class Retriever(Protocol):
    """Two-stage retrieval, as far as a question needs it; `links` follow what passages name,
    `outlines` read tables of contents.
    """

    links: PassageLinks | None
    outlines: OutlineSearch | None

    def search(self, query: Query) -> SearchResult:
        """Return the passages for a query, best first."""
        ...

    def tree(self, query: Query, way: str) -> NodeSearch:
        """Return the nodes of the trees that were derived for a way, to be searched."""
        ...

    def graph(self, query: Query, way: str) -> GraphSearch:
        """Return the graph of entities that was derived for a way, to be walked."""
        ...

    def reading_at_most(self, count: int) -> Retriever:
        """Return the same way into the index, whose second stage reads no more than so many."""
        ...


@dataclass(slots=True)
class ResearchState:
    """What a question has cost so far, and the best evidence that its searches gave.

    `written` is the answer as far as it has come, `shown` the numbered passages it rests on,
    `manner` the prompt that says how it is written, `problems` what was told of models that
    failed, `told` what was said of its calls, `shorter` what the model is told of passages that
    were shortened for it. `has_queried` says that a query over tables gave the answer,
    `is_reused` that it is an earlier one.
    """

    searches: int = 0
    llm_calls: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    evidence: float = 0.0
    written: str = ""
    shown: tuple[Passage, ...] = ()
    manner: str = ""
    problems: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    shorter: dict[Identity, CompressedPassage] = field(default_factory=dict)
    has_queried: bool = False
    is_reused: bool = False


def _no_strategy(name: str) -> Strategy:
    raise UsageError(
        Phrase("There is no strategy {0} here.", f"{name!r}"), "Choose another strategy."
    )


def _nothing_prepared(_kbs: Sequence[KbId], _way: str) -> tuple[int, int]:
    return 0, 0


@dataclass(frozen=True, slots=True)
class ResearchContext:
    """The parts that questions share. `strategy` gives a strategy by its name; of the built-in
    `readers` the first reads that knows a question's language. `prepared` counts the documents of
    knowledge bases that are prepared for a way, and all of them; `tables` are the documents'.
    """

    retriever: Retriever
    embedder: Embedder | None
    model: ChatModel | None
    settings: Settings
    readers: tuple[PairReader, ...] = ()
    strategy: Callable[[str], Strategy] = _no_strategy
    prepared: Callable[[Sequence[KbId], str], tuple[int, int]] = _nothing_prepared
    tables: TableStore | None = None

    def reader_of(self, query: str) -> PairReader | None:
        """Return the built-in reader that reads a query; None where none does."""
        reads = (each for each in self.readers if each.trust(query) is not LanguageSupport.NONE)
        return next(reads, None)

    def reading_at_most(self, count: int) -> ResearchContext:
        """Return the same parts with a second stage that reads no more than so many; 0: as is."""
        if not count:
            return self
        return replace(self, retriever=self.retriever.reading_at_most(count))

    def answering_with(self, chosen: Mapping[str, str]) -> ResearchContext:
        """Return the same parts under some other settings of answers, as a preset has them."""
        if not chosen:
            return self
        answering = replace(self.settings.answering, **dict(chosen))  # type: ignore[arg-type]
        return replace(self, settings=replace(self.settings, answering=answering))

    @property
    def refuse_below(self) -> float:
        """The evidence that an answer needs: the user's own, or the calibrated one."""
        own = self.settings.retrieval.refuse_below
        return own if own >= 0 else EVIDENCE_THRESHOLD
