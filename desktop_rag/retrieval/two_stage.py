"""Two-stage retrieval: dense and BM25 candidates, fused, reranked, thinned out and expanded.

The vector in the middle of a query and of texts like what is looked for (Gao et al. 2022).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.index.indexes import ModelChanged
from desktop_rag.models.protocols import Embedder, LanguageSupport, Reranker, Vectors
from desktop_rag.retrieval.age_weighting import weigh_by_age
from desktop_rag.retrieval.diversify import maximal_marginal_relevance, without_duplicates
from desktop_rag.retrieval.evidence import (
    CALIBRATED_FOR,
    TermStatistics,
    content_terms,
    evidence_features,
    evidence_score,
)
from desktop_rag.retrieval.exhaustive_search import ALL_CHUNKS, ExhaustiveIndex, SearchIndex
from desktop_rag.retrieval.expand import expand_passages
from desktop_rag.retrieval.fuse import Hits, fuse, fuse_by_coverage, interleave_models
from desktop_rag.retrieval.passage_links import PassageLinks
from desktop_rag.retrieval.query import Candidate, Query, RankedChunk, SearchResult
from desktop_rag.retrieval.query_cleaning import without_answer_instructions
from desktop_rag.retrieval.rerank import RerankStage
from desktop_rag.retrieval.search_trace import SearchTrace
from desktop_rag.retrieval.stage_timer import StageTimer


def query_centroid(embedder: Embedder, query: str, alike: Sequence[str]) -> Vectors:
    """Return the unit mean of a query's vector and those of the texts that can be read."""
    own = embedder.embed_query(query)
    readable = [text for text in alike if embedder.trust(text) is not LanguageSupport.NONE]
    if not readable:
        return own
    mean: Vectors = np.vstack([own[None, :], embedder.embed(readable)]).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return (mean / length).astype(np.float32) if length else own


__all__ = ["Query", "SearchResult", "TwoStageRetriever"]

Documents = Collection[DocumentId] | None
_ROOM = 3  # candidates taken from the catalog for each passage asked for: some will merge


class TwoStageRetriever:
    """The one way into the index. Safe to use from several threads.

    Every number is a setting, but for how a question is fused whose meaning is known roughly.
    The first of the `rerankers` that reads a query, and does not fail, orders its candidates.
    `older` gives the embedder of a fingerprint, for knowledge bases whose vectors are another
    model's still. A model that fails costs its part of a search, and is told of, not the search.
    """

    def __init__(
        self,
        catalog: Catalog,
        indexes: SearchIndex,
        embedder: Embedder,
        rerankers: Sequence[Reranker],
        rules: Retrieval,
        *,
        older: Callable[[str], Embedder] | None = None,
    ) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._embedder = embedder
        self._rerankers = tuple(rerankers)
        self._rules = rules
        self._older = older
        self.links: PassageLinks | None = PassageLinks(catalog, indexes, rules)

    def search(self, query: Query) -> SearchResult:
        """Return the passages for a query, best first, with every score that brought them."""
        return self.followed(query).found

    def followed(self, query: Query) -> SearchTrace:
        """Return what each stage of a search gave, and last the passages."""
        watch = StageTimer()
        query = replace(query, text=without_answer_instructions(query.text))
        documents = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        dense, lexical = self._first_stage(query, documents, watch)
        fused = self._fused(query, dense, lexical)
        ranked = self._second_stage(query, fused, watch)
        with watch.stage("expand"):
            dated = self._dated(query.kbs, ranked)
            unlike = without_duplicates(dated, self._rules.duplicate_similarity)
            chosen = maximal_marginal_relevance(unlike, self._rules.mmr_lambda, query.k * _ROOM)
            found = expand_passages(
                self._catalog, chosen, query.kbs, query.k, expand=self._rules.expand
            )
        with watch.stage("evidence"):
            confidence = self._evidence(*self._as_asked(query, dated, documents, watch))
        orders = (tuple(ranked), tuple(dated), tuple(unlike), tuple(chosen))
        told = SearchResult(found, watch.timings, confidence, tuple(watch.problems))
        return SearchTrace(query, documents, dense, lexical, tuple(fused), *orders, told)

    def whole(self, course: SearchTrace) -> tuple[Hits, Hits]:
        """Return the orders by meaning and by words as they are before they are cut."""
        indexes = ExhaustiveIndex(self._catalog, self._indexes)
        rules = replace(self._rules, candidates=ALL_CHUNKS)
        all_of_it = TwoStageRetriever(
            self._catalog, indexes, self._embedder, (), rules, older=self._older
        )
        return all_of_it._first_stage(course.query, course.documents, StageTimer())

    def under(
        self, rules: Retrieval, rerankers: Sequence[Reranker] | None = None
    ) -> TwoStageRetriever:
        """Return the same search under other rules; with other rerankers, where they are given."""
        second = self._rerankers if rerankers is None else rerankers
        parts = (self._catalog, self._indexes, self._embedder)
        return TwoStageRetriever(*parts, second, rules, older=self._older)

    def reading_at_most(self, count: int) -> TwoStageRetriever:
        """Return the same way into the index, whose second stage reads no more than so many."""
        fewer = min(count, self._rules.rerank_candidates)
        rules = replace(self._rules, rerank_candidates=fewer)
        parts = (self._catalog, self._indexes, self._embedder, self._rerankers)
        made = TwoStageRetriever(*parts, rules, older=self._older)
        made.links = self.links  # with the names that it has read
        return made

    def _as_asked(
        self, query: Query, ranked: Sequence[RankedChunk], documents: Documents, watch: StageTimer
    ) -> tuple[Query, Sequence[RankedChunk]]:
        """Return a query without what a model made up, with its own cosine for each passage.

        Only what a question says by itself is evidence: the calibration knows no other cosines.
        """
        if not query.alike and not query.asked:
            return query, ranked
        plain = replace(query, text=query.asked or query.text, alike=())
        cosines = dict(self._dense(plain, documents, watch))
        return plain, [
            replace(
                each,
                candidate=replace(each.candidate, dense_score=cosines.get(each.chunk.chunk_id)),
            )
            for each in ranked
        ]

    def _evidence(self, query: Query, ranked: Sequence[RankedChunk]) -> float:
        """Return how surely the passages answer; a term is as rare as in all bases together."""
        if not ranked:
            return 0.0
        terms, embedders = content_terms(query.text), self._embedders(query.kbs)

        def is_well_known(text: str) -> bool:
            return all(each.trust(text) is LanguageSupport.GOOD for each in embedders)

        known = all(each.fingerprint.startswith(CALIBRATED_FOR) for each in embedders)
        told = evidence_features(terms, ranked, self._commonness(query.kbs, terms), is_well_known)
        is_meant = known and is_well_known(query.text)
        return evidence_score(told if is_meant else replace(told, meaning=None))

    def _embedders(self, kbs: Sequence[KbId]) -> list[Embedder]:
        """Return the models whose vectors these knowledge bases have: one, as a rule."""
        return [self._embedder_of(model) for model in {self._indexes.model(kb) for kb in kbs}]

    def _embedder_of(self, model: str) -> Embedder:
        if self._older is None or model == self._embedder.fingerprint:
            return self._embedder
        return self._older(model)

    def _commonness(self, kbs: Sequence[KbId], terms: Sequence[str]) -> TermStatistics:
        counts: Counter[str] = Counter()
        chunks = 0
        for kb in kbs:
            found, size = self._indexes.frequencies(kb, terms)
            counts.update(found)
            chunks += size
        return TermStatistics(counts, chunks)

    def _first_stage(
        self, query: Query, documents: Documents, watch: StageTimer
    ) -> tuple[Hits, Hits]:
        """Search both indexes at the same time."""
        with ThreadPoolExecutor(1, "lexical") as beside:
            other = beside.submit(self._lexical, query, documents, watch)
            dense = self._dense(query, documents, watch)
            return dense, other.result()

    def _dense(self, query: Query, documents: Documents, watch: StageTimer) -> Hits:
        """Search by meaning, each knowledge base by the model of its own vectors."""
        while True:
            bases: dict[str, list[KbId]] = {}
            for kb in query.kbs:
                bases.setdefault(self._indexes.model(kb), []).append(kb)
            try:
                found = [self._by(model, query, bases[model], documents, watch) for model in bases]
            except ModelChanged:
                continue
            return interleave_models(found)[: self._rules.candidates]

    def _by(
        self,
        model: str,
        query: Query,
        kbs: Sequence[KbId],
        documents: Documents,
        watch: StageTimer,
    ) -> Hits:
        """Search knowledge bases whose vectors are one model's, if it can read the query."""
        count = self._rules.candidates
        try:
            embedder = self._embedder_of(model)
            if embedder.trust(query.text) is LanguageSupport.NONE:
                return []
            with watch.stage("embed"):
                vector = query_centroid(embedder, query.text, query.alike)
        except ModelUnavailable as problem:
            watch.problems.append(f"{problem} Passages are found by their words alone.")
            return []
        with watch.stage("dense"):
            return self._of_all(
                kbs, lambda kb: self._indexes.dense(kb, vector, count, documents, model=model)
            )

    def _fused(self, query: Query, dense: Hits, lexical: Hits) -> list[Candidate]:
        """Join what both searches found; a rough meaning only adds to what the words say."""
        if not self._is_rough(query):
            return fuse(dense, lexical, self._rules)
        return fuse_by_coverage(dense, lexical, self._weight(query.kbs, query.text))

    def _is_rough(self, query: Query) -> bool:
        """Say whether a model whose vectors are searched knows the query's meaning roughly."""
        return any(
            each.trust(query.text) is LanguageSupport.ROUGH for each in self._embedders(query.kbs)
        )

    def _weight(self, kbs: Sequence[KbId], text: str) -> float:
        """Return the sum of the inverse document frequencies of a text's terms."""
        terms = content_terms(text)
        return sum(map(self._commonness(kbs, terms).weight, terms))

    def _lexical(self, query: Query, documents: Documents, watch: StageTimer) -> Hits:
        """Search by words; where scores are compared, as if a term were as rare in each base."""
        adjusts = len(query.kbs) > 1 and self._is_rough(query)
        whole = self._weight(query.kbs, query.text) if adjusts else 1.0

        def search(kb: KbId) -> Hits:
            hits = self._indexes.lexical(kb, query.text, self._rules.candidates, documents)
            own = (self._weight([kb], query.text) if adjusts else 1.0) or 1.0
            return [(chunk_id, score * whole / own) for chunk_id, score in hits]

        with watch.stage("lexical"):
            return self._of_all(query.kbs, search)

    def _of_all(self, kbs: Sequence[KbId], search: Callable[[KbId], Hits]) -> Hits:
        """Join the hits of several knowledge bases; a chunk in two of them counts once."""
        best: dict[ChunkId, float] = {}
        for kb in kbs:
            for chunk_id, score in search(kb):
                best[chunk_id] = max(score, best.get(chunk_id, score))
        joined = sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))
        return joined[: self._rules.candidates]

    def _second_stage(
        self, query: Query, fused: Sequence[Candidate], watch: StageTimer
    ) -> list[RankedChunk]:
        """Read the candidates, and put the first of them in the reranker's order."""
        with watch.stage("read"):
            chunks = self._catalog.documents.get_chunks([each.chunk_id for each in fused])
        ranked = [
            RankedChunk(each, chunks[each.chunk_id]) for each in fused if each.chunk_id in chunks
        ]
        return RerankStage(self._rerankers, self._rules).ordered(query, ranked, watch)

    def _dated(self, kbs: Sequence[KbId], ranked: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return candidates with the age of their files counted, where the settings wish that."""
        if not self._rules.half_life_days:
            return ranked
        changed = self._catalog.files.changed({each.chunk.document_id for each in ranked}, kbs)
        return weigh_by_age(ranked, changed, self._rules.half_life_days, time.time())
