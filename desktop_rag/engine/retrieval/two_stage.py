"""Two-stage retrieval: dense and BM25 candidates, fused, reranked, thinned out and expanded."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import ChunkId, DocumentId, KbId
from desktop_rag.engine.models.protocols import Embedder, Reranker, Trust
from desktop_rag.engine.retrieval.age import by_age
from desktop_rag.engine.retrieval.course import Course
from desktop_rag.engine.retrieval.diversify import varied, without_duplicates
from desktop_rag.engine.retrieval.everything import ALL, Everything, Searched
from desktop_rag.engine.retrieval.evidence import (
    CALIBRATED_FOR,
    Commonness,
    evidence,
    signs,
    terms_of,
)
from desktop_rag.engine.retrieval.expand import passages
from desktop_rag.engine.retrieval.fuse import Hits, fuse, fuse_by_coverage, interleaved
from desktop_rag.engine.retrieval.links import Links
from desktop_rag.engine.retrieval.middle import middle
from desktop_rag.engine.retrieval.query import Candidate, Found, Query, Ranked
from desktop_rag.engine.retrieval.second_stage import SecondStage
from desktop_rag.engine.retrieval.wanted import wanted
from desktop_rag.engine.retrieval.watch import Watch
from desktop_rag.store.catalog import Catalog
from desktop_rag.store.indexes import ModelChanged
from desktop_rag.store.where import parse

__all__ = ["Found", "Query", "TwoStage"]

Documents = Collection[DocumentId] | None
_ROOM = 3  # candidates taken from the catalog for each passage asked for: some will merge


class TwoStage:
    """The one way into the index. Safe to use from several threads.

    Every number is a setting, but for how a question is fused whose meaning is known roughly.
    The first of the `rerankers` that reads a query, and does not fail, orders its candidates.
    `older` gives the embedder of a fingerprint, for knowledge bases whose vectors are another
    model's still. A model that fails costs its part of a search, and is told of, not the search.
    """

    def __init__(
        self,
        catalog: Catalog,
        indexes: Searched,
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
        self.links: Links | None = Links(catalog, indexes, rules)

    def search(self, query: Query) -> Found:
        """Return the passages for a query, best first, with every score that brought them."""
        return self.followed(query).found

    def followed(self, query: Query) -> Course:
        """Return what each stage of a search gave, and last the passages."""
        watch = Watch()
        query = replace(query, text=wanted(query.text))
        documents = self._catalog.documents.select(query.kbs, parse(query.where))
        dense, lexical = self._first_stage(query, documents, watch)
        fused = self._fused(query, dense, lexical)
        ranked = self._second_stage(query, fused, watch)
        with watch.stage("expand"):
            dated = self._dated(query.kbs, ranked)
            unlike = without_duplicates(dated, self._rules.duplicate_similarity)
            chosen = varied(unlike, self._rules.mmr_lambda, query.k * _ROOM)
            found = passages(self._catalog, chosen, query.kbs, query.k, expand=self._rules.expand)
        with watch.stage("evidence"):
            confidence = self._evidence(*self._as_asked(query, dated, documents, watch))
        orders = (tuple(ranked), tuple(dated), tuple(unlike), tuple(chosen))
        told = Found(found, watch.timings, confidence, tuple(watch.problems))
        return Course(query, documents, dense, lexical, tuple(fused), *orders, told)

    def whole(self, course: Course) -> tuple[Hits, Hits]:
        """Return the orders by meaning and by words as they are before they are cut."""
        indexes = Everything(self._catalog, self._indexes)
        rules = replace(self._rules, candidates=ALL)
        all_of_it = TwoStage(self._catalog, indexes, self._embedder, (), rules, older=self._older)
        return all_of_it._first_stage(course.query, course.documents, Watch())

    def under(self, rules: Retrieval, rerankers: Sequence[Reranker] | None = None) -> TwoStage:
        """Return the same search under other rules; with other rerankers, where they are given."""
        second = self._rerankers if rerankers is None else rerankers
        parts = (self._catalog, self._indexes, self._embedder)
        return TwoStage(*parts, second, rules, older=self._older)

    def reading_at_most(self, count: int) -> TwoStage:
        """Return the same way into the index, whose second stage reads no more than so many."""
        fewer = min(count, self._rules.rerank_candidates)
        rules = replace(self._rules, rerank_candidates=fewer)
        parts = (self._catalog, self._indexes, self._embedder, self._rerankers)
        made = TwoStage(*parts, rules, older=self._older)
        made.links = self.links  # with the names that it has read
        return made

    def _as_asked(
        self, query: Query, ranked: Sequence[Ranked], documents: Documents, watch: Watch
    ) -> tuple[Query, Sequence[Ranked]]:
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

    def _evidence(self, query: Query, ranked: Sequence[Ranked]) -> float:
        """Return how surely the passages answer; a term is as rare as in all bases together."""
        if not ranked:
            return 0.0
        terms, embedders = terms_of(query.text), self._embedders(query.kbs)

        def is_well_known(text: str) -> bool:
            return all(each.trust(text) is Trust.GOOD for each in embedders)

        known = all(each.fingerprint.startswith(CALIBRATED_FOR) for each in embedders)
        told = signs(terms, ranked, self._commonness(query.kbs, terms), is_well_known)
        is_meant = known and is_well_known(query.text)
        return evidence(told if is_meant else replace(told, meaning=None))

    def _embedders(self, kbs: Sequence[KbId]) -> list[Embedder]:
        """Return the models whose vectors these knowledge bases have: one, as a rule."""
        return [self._embedder_of(model) for model in {self._indexes.model(kb) for kb in kbs}]

    def _embedder_of(self, model: str) -> Embedder:
        if self._older is None or model == self._embedder.fingerprint:
            return self._embedder
        return self._older(model)

    def _commonness(self, kbs: Sequence[KbId], terms: Sequence[str]) -> Commonness:
        counts: Counter[str] = Counter()
        chunks = 0
        for kb in kbs:
            found, size = self._indexes.frequencies(kb, terms)
            counts.update(found)
            chunks += size
        return Commonness(counts, chunks)

    def _first_stage(self, query: Query, documents: Documents, watch: Watch) -> tuple[Hits, Hits]:
        """Search both indexes at the same time."""
        with ThreadPoolExecutor(1, "lexical") as beside:
            other = beside.submit(self._lexical, query, documents, watch)
            dense = self._dense(query, documents, watch)
            return dense, other.result()

    def _dense(self, query: Query, documents: Documents, watch: Watch) -> Hits:
        """Search by meaning, each knowledge base by the model of its own vectors."""
        while True:
            bases: dict[str, list[KbId]] = {}
            for kb in query.kbs:
                bases.setdefault(self._indexes.model(kb), []).append(kb)
            try:
                found = [self._by(model, query, bases[model], documents, watch) for model in bases]
            except ModelChanged:
                continue
            return interleaved(found)[: self._rules.candidates]

    def _by(
        self,
        model: str,
        query: Query,
        kbs: Sequence[KbId],
        documents: Documents,
        watch: Watch,
    ) -> Hits:
        """Search knowledge bases whose vectors are one model's, if it can read the query."""
        count = self._rules.candidates
        try:
            embedder = self._embedder_of(model)
            if embedder.trust(query.text) is Trust.NONE:
                return []
            with watch.stage("embed"):
                vector = middle(embedder, query.text, query.alike)
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
        return any(each.trust(query.text) is Trust.ROUGH for each in self._embedders(query.kbs))

    def _weight(self, kbs: Sequence[KbId], text: str) -> float:
        """Return the sum of the inverse document frequencies of a text's terms."""
        terms = terms_of(text)
        return sum(map(self._commonness(kbs, terms).weight, terms))

    def _lexical(self, query: Query, documents: Documents, watch: Watch) -> Hits:
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

    def _second_stage(self, query: Query, fused: Sequence[Candidate], watch: Watch) -> list[Ranked]:
        """Read the candidates, and put the first of them in the reranker's order."""
        with watch.stage("read"):
            chunks = self._catalog.documents.get_chunks([each.chunk_id for each in fused])
        ranked = [Ranked(each, chunks[each.chunk_id]) for each in fused if each.chunk_id in chunks]
        return SecondStage(self._rerankers, self._rules).ordered(query, ranked, watch)

    def _dated(self, kbs: Sequence[KbId], ranked: Sequence[Ranked]) -> Sequence[Ranked]:
        """Return candidates with the age of their files counted, where the settings wish that."""
        if not self._rules.half_life_days:
            return ranked
        changed = self._catalog.files.changed({each.chunk.document_id for each in ranked}, kbs)
        return by_age(ranked, changed, self._rules.half_life_days, time.time())
