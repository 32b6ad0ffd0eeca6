"""Adapts a knowledge base's query vectors to its reranker, and measures whether that is a gain.

Questions are dealt into three parts by their documents: what the map is trained on, what says when
to stop, and what it is measured on. No document has questions in two of them, so that a gain is not
of documents that were learnt by heart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.retriever_adaptations import QueryMap
from desktop_rag.core.catalog_records import RetrieverAdaptation
from desktop_rag.core.types import KbId
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.datasets import EvalQuestion
from desktop_rag.evaluation.gold_matching import EvaluationScope, FoundRange, places_of
from desktop_rag.evaluation.query_map_training import RankedCandidates
from desktop_rag.index.flat import FlatIndex
from desktop_rag.models.protocols import Embedder
from desktop_rag.retrieval.fuse import Hits
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.query_adaptation import no_query_map
from desktop_rag.retrieval.two_stage import TwoStageRetriever

_FIVE = 5
_READ = 30  # candidates that the reranker scores for a question that is trained on
_FEWEST = 2  # candidates that can be told apart
_SHARES = 0.4, 0.1, 0.5  # of the questions: trained on, to stop by, held out


@dataclass(frozen=True, slots=True)
class DividedQuestions:
    """Questions to train on, to stop by, and to measure on."""

    trained: tuple[EvalQuestion, ...]
    validation: tuple[EvalQuestion, ...]
    held_out: tuple[EvalQuestion, ...]


def divided(
    questions: Sequence[EvalQuestion], documents: Mapping[str, frozenset[str]]
) -> DividedQuestions:
    """Deal questions into parts by the names of their documents, which stand by their ids.

    Documents come in the order of a hash; each goes with its questions to the part that lacks most,
    and one that has no room in any is trained on. What is trained on has no question on a document
    of the other parts, nor has what says when to stop one of what is measured on.
    """
    all_names = {name for each in questions for name in documents[each.id]}
    ordered = sorted(all_names, key=lambda name: hashlib.sha256(name.encode()).digest())
    rest = {each.id: each for each in questions}
    trained, validation, held_out = parts = [_Part(share * len(questions)) for share in _SHARES]
    for name in ordered:
        own = [each for each in rest.values() if name in documents[each.id]]
        room = [part for part in parts if len(part.questions) + len(own) <= part.wanted]
        part = min(room, key=lambda part: len(part.questions) / part.wanted, default=trained)
        part.questions += own
        for each in own:
            del rest[each.id]
    used: set[str] = set()
    for part in (held_out, validation, trained):
        kept = [each for each in part.questions if used.isdisjoint(documents[each.id])]
        used |= {name for each in kept for name in documents[each.id]}
        part.questions = kept
    return DividedQuestions(*(tuple(part.questions) for part in parts))


@dataclass(slots=True)
class _Part:
    """A part, and how many questions it is to have."""

    wanted: float
    questions: list[EvalQuestion] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AdaptedSearch:
    """One knowledge base of an evaluation's scope, and the search of it as the user has it set."""

    scope: EvaluationScope
    retriever: TwoStageRetriever
    kb: KbId

    @property
    def _catalog(self) -> Catalog:
        return self.scope.catalog

    @property
    def _embedder(self) -> Embedder:
        return self.scope.embedder

    def candidates(self, question: str, generation: str = "") -> RankedCandidates | None:
        """Return what the reranker makes of a question's candidates; None where it reads too few.

        It reads the question with the first generation behind it, the encoder the question alone.
        """
        asked = f"{question} {generation}".strip()
        query = Query(asked, (self.kb,), _FIVE, reads=_READ)
        trace = self.retriever.moving_queries(no_query_map).followed(query)
        scores = {
            each.chunk.chunk_id: each.candidate.rerank_score
            for each in trace.ranked
            if each.candidate.rerank_score is not None
        }
        found = FlatIndex.of(
            self._catalog.embeddings.blocks(self.kb, self._embedder.fingerprint, scores)
        )
        if len(found) < _FEWEST:
            return None
        told = np.array([scores[each] for each in found.chunks.tolist()], np.float32)
        return RankedCandidates(self._embedder.embed_query(question), found.vectors, told)

    def gain(self, item: EvalQuestion, query_map: QueryMap) -> QuestionGain:
        """Return what is found for a question without a map, and with it."""
        plain = self.retriever.moving_queries(no_query_map)
        moved = self.retriever.moving_queries(lambda _kb, _model: query_map)
        return QuestionGain(*self._recalls(plain, item), *self._recalls(moved, item))

    def _recalls(self, retriever: TwoStageRetriever, item: EvalQuestion) -> tuple[float, float]:
        """Return recall@5 of the whole search, and of the vector alone."""
        trace = retriever.followed(Query(item.question, (self.kb,), _FIVE))
        found = self.scope.ids(item, places_of(trace.found.passages))
        near = self.scope.ids(item, self._places(trace.dense))
        return metrics.recall(found, item.gold, _FIVE), metrics.recall(near, item.gold, _FIVE)

    def _places(self, hits: Hits) -> list[FoundRange]:
        """Return the passages of the nearest chunks, each once."""
        chunks = self._catalog.documents.get_chunks([number for number, _ in hits])
        found = [chunks[number] for number, _ in hits if number in chunks]
        paths = self._catalog.documents.paths([each.document_id for each in found], (self.kb,))
        places = [
            FoundRange(each.document_id, paths[each.document_id][0], *each.big)
            for each in found
            if each.document_id in paths
        ]
        return list(dict.fromkeys(places))


@dataclass(frozen=True, slots=True)
class QuestionGain:
    """Recall@5 of one question: of the whole search and of the vector alone, before and after."""

    before: float
    vector_before: float
    after: float
    vector_after: float


def verdict(told: RetrieverAdaptation, gains: Sequence[QuestionGain]) -> RetrieverAdaptation:
    """Return an adaptation with what was measured of it, in percent.

    The interval is that of the paired gain of the whole search, by which it is kept or not.
    """
    low, high = metrics.interval([each.after - each.before for each in gains])
    return replace(
        told,
        held_out=len(gains),
        recall_before=metrics.percent([each.before for each in gains]),
        recall_after=metrics.percent([each.after for each in gains]),
        gain_low=low,
        gain_high=high,
        vector_before=metrics.percent([each.vector_before for each in gains]),
        vector_after=metrics.percent([each.vector_after for each in gains]),
    )
