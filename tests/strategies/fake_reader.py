"""A reader whose scores a test sets, and a shelf for each knowledge base."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import ChunkId, KbId
from desktop_rag.models.pair_reader import PairReader, PairReading
from desktop_rag.models.protocols import LanguageSupport
from desktop_rag.retrieval.derived_tree import NO_NODES, NodeSearch
from desktop_rag.retrieval.entity_graph_search import NO_GRAPH, GraphSearch
from desktop_rag.retrieval.outline_search import OutlineSearch
from desktop_rag.retrieval.passage_links import PassageLinks
from desktop_rag.retrieval.query import Query, SearchResult
from desktop_rag.strategies.research_tools import ResearchTools
from testing.fake_retriever import FakeRetriever


class Reader:
    """Scores a text by the first of the given words that it holds, else 0.05; remembers texts."""

    def __init__(self, **scores: float) -> None:
        self.scores = scores
        self.texts: list[str] = []

    def trust(self, text: str) -> LanguageSupport:
        """Read English alone."""
        return LanguageSupport.GOOD if text.isascii() else LanguageSupport.NONE

    def read(
        self,
        query: str,  # noqa: ARG002
        texts: Sequence[str],
        token: CancelToken | None = None,  # noqa: ARG002
    ) -> list[PairReading]:
        """Return readings of which only `irrelevance` means anything."""
        self.texts += texts
        return [self._reading(text) for text in texts]

    def _reading(self, text: str) -> PairReading:
        score = next((s for word, s in self.scores.items() if word in text), 0.05)
        tags = np.log(np.array([score / 3, score / 3, 1 - score, score / 3], np.float32))
        return PairReading(0.0, np.zeros((0, 4), np.float32), tags, (), ())


class Bases:
    """Searches the shelves of several knowledge bases; remembers which were asked for."""

    def __init__(self, shelves: Mapping[int, FakeRetriever]) -> None:
        self.shelves = shelves
        self.asked: list[tuple[tuple[KbId, ...], str]] = []
        self.links: PassageLinks | None = None
        self.outlines: OutlineSearch | None = None

    def search(self, query: Query) -> SearchResult:
        """Search the one knowledge base that a query names."""
        self.asked.append((query.kbs, query.text))
        found = self.shelves[query.kbs[0]].search(query)
        moved = tuple(
            replace(each, chunk_id=ChunkId(each.chunk_id + 1000 * query.kbs[0]))
            for each in found.passages
        )
        return replace(found, passages=moved)

    def tree(self, query: Query, way: str) -> NodeSearch:  # noqa: ARG002
        """Return no nodes: nothing is prepared here."""
        return NO_NODES

    def graph(self, query: Query, way: str) -> GraphSearch:  # noqa: ARG002
        """Return no graph: nothing is prepared here."""
        return NO_GRAPH

    def reading_at_most(self, count: int) -> Bases:  # noqa: ARG002
        """Stay as it is: here is no second stage."""
        return self


def with_reader(research: ResearchTools, reader: Reader) -> ResearchTools:
    """Return tools whose built-in reader is this one."""
    return replace(research, engine=replace(research.engine, readers=(cast("PairReader", reader),)))
