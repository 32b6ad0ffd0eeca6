"""Searches under other retrieval settings than the user's, which are not kept.

The reranker scores each pair of query and text once: searches that are tried one after the other
mostly score the same pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import StoredChunk
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId
from desktop_rag.models.model_loader import load_rerankers
from desktop_rag.models.protocols import LanguageSupport, Reranker, TimedReranker
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.search_trace import ChunkTrace, SearchTrace
from desktop_rag.retrieval.two_stage import TwoStageRetriever
from desktop_rag.workspace import Workspace


class CachingReranker:
    """Scores as another reranker does, and keeps every score as long as it lives itself."""

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker
        self._known: dict[tuple[str, str], float] = {}
        self.name = reranker.name
        self.rank_weight = reranker.rank_weight

    def trust(self, text: str) -> LanguageSupport:
        """Say what the scores of a query are worth."""
        return self._reranker.trust(text)

    def count_in(self, seconds: float, query: str, texts: Sequence[str]) -> int | None:
        """Return how many of the first texts are scored in a time."""
        if not isinstance(self._reranker, TimedReranker):
            return len(texts)
        return self._reranker.count_in(seconds, query, texts)

    def score(
        self, query: str, texts: Sequence[str], token: CancelToken | None = None
    ) -> list[float]:
        """Return one score a text."""
        new = [text for text in dict.fromkeys(texts) if (query, text) not in self._known]
        scores = self._reranker.score(query, new, token) if new else []
        self._known.update({(query, text): s for text, s in zip(new, scores, strict=True)})
        return [self._known[query, text] for text in texts]


@dataclass(frozen=True, slots=True)
class WhatIfSearch:
    """A workspace whose passages are found under `rules`, by `rerankers`."""

    workspace: Workspace
    rules: Retrieval
    rerankers: tuple[Reranker, ...]

    @classmethod
    def of(
        cls, workspace: Workspace, rules: Retrieval, before: WhatIfSearch | None = None
    ) -> WhatIfSearch:
        """Return a bench; a reranker that neither the settings nor a bench before use is loaded."""
        if _second(rules) == _second(workspace.settings.retrieval):
            return cls(workspace, rules, workspace.models.rerankers)
        if before is not None and _second(rules) == _second(before.rules):
            return cls(workspace, rules, before.rerankers)
        settings = replace(workspace.settings, retrieval=rules)
        embedder = workspace.models.embedder
        return cls(
            workspace, rules, load_rerankers(rules.reranker, settings, embedder, workspace.data_dir)
        )

    def remembering(self) -> WhatIfSearch:
        """Return a bench on which the same pair is scored once, however often it is asked for."""
        return replace(self, rerankers=tuple(map(CachingReranker, self.rerankers)))

    def retriever(self, **rules: object) -> TwoStageRetriever:
        """Return the search under these rules, some of them changed."""
        return self.workspace.retriever.under(_changed(self.rules, rules), self.rerankers)

    def course(self, query: Query, **rules: object) -> SearchTrace:
        """Search, and return what each stage gave."""
        return self.retriever(**rules).followed(query)

    def trail(self, query: Query, chunks: Sequence[StoredChunk], token: CancelToken) -> ChunkTrace:
        """Search, and return the way of the chunk that comes best of these."""
        course = self.course(query)
        token.check()
        dense, lexical = self.retriever().whole(course)
        places: dict[ChunkId, int] = {}
        for at, (chunk_id, _) in enumerate(_by_turns(dense, lexical), start=len(course.dated)):
            places.setdefault(chunk_id, at)
        places |= {each.chunk.chunk_id: at for at, each in enumerate(course.dated)}
        last = len(dense) + len(lexical) + len(course.dated)
        best = min(chunks, key=lambda each: places.get(each.chunk_id, last))
        documents = {best.document_id, *(each.chunk.document_id for each in course.dated)}
        paths = self.workspace.catalog.documents.paths(documents, query.kbs)
        files = {document: PurePath(at[0]).name for document, at in paths.items()}
        return ChunkTrace(best, course, dense, lexical, self.rules, files)


def _second(rules: Retrieval) -> tuple[str, bool]:
    """Return what decides which rerankers are loaded."""
    return rules.reranker, rules.rerank_candidates > 0


def _by_turns(
    dense: list[tuple[ChunkId, float]], lexical: list[tuple[ChunkId, float]]
) -> list[tuple[ChunkId, float]]:
    """Return two orders as one, by rank."""
    pairs = [(at, hit) for hits in (dense, lexical) for at, hit in enumerate(hits)]
    return [hit for _, hit in sorted(pairs, key=lambda pair: pair[0])]


def _changed(rules: Retrieval, changes: dict[str, object]) -> Retrieval:
    made: Retrieval = replace(rules, **changes)  # type: ignore[arg-type]
    return made
