"""Two-stage retrieval: dense and BM25 candidates, fused, reranked, thinned out and expanded."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from desktop_rag.catalog.facade import Catalog
from desktop_rag.catalog.metadata_filter import parse_filter
from desktop_rag.core.settings import Retrieval
from desktop_rag.core.types import KbId
from desktop_rag.models.protocols import Embedder, LanguageSupport, Reranker
from desktop_rag.retrieval.age_weighting import weigh_by_age
from desktop_rag.retrieval.attention_head_search import HeadSearch, add_votes
from desktop_rag.retrieval.dense import DenseSearch
from desktop_rag.retrieval.derived_search import NO_DERIVED, DerivedChunks, DerivedSearch
from desktop_rag.retrieval.derived_tree import DerivedTree
from desktop_rag.retrieval.diversify import maximal_marginal_relevance, without_duplicates
from desktop_rag.retrieval.entity_graph import EntityGraph
from desktop_rag.retrieval.entity_graph_search import (
    EntityGraphs,
    EntityGraphSearch,
    WalkOptions,
)
from desktop_rag.retrieval.evidence import (
    FoundText,
    background_cosine,
    content_terms,
    evidence_features,
    evidence_score,
)
from desktop_rag.retrieval.exhaustive_search import (
    ALL_CHUNKS,
    Documents,
    ExhaustiveIndexes,
    SearchIndexes,
)
from desktop_rag.retrieval.expand import expand_passages
from desktop_rag.retrieval.fuse import Hits, ScoreScale, fuse, join_by_best
from desktop_rag.retrieval.knowledge_base_routing import KnowledgeBaseRouter
from desktop_rag.retrieval.lexical import LexicalSearch, term_statistics
from desktop_rag.retrieval.outline_search import OutlineSearch
from desktop_rag.retrieval.page_scores import add_page_ranks
from desktop_rag.retrieval.passage_links import PassageLinks
from desktop_rag.retrieval.query import Query, RankedChunk, SearchResult
from desktop_rag.retrieval.query_adaptation import QueryMaps
from desktop_rag.retrieval.query_cleaning import without_answer_instructions
from desktop_rag.retrieval.rerank import RerankStage
from desktop_rag.retrieval.search_trace import SearchTrace
from desktop_rag.retrieval.stage_timer import StageTimer

__all__ = ["Query", "SearchResult", "TwoStageRetriever"]

_ROOM = 3  # candidates taken from the catalog for each passage asked for: some will merge


class TwoStageRetriever:
    """The one way into the index. Safe to use from several threads.

    Every number is a setting, or was measured and stands on the embedder's card.
    The first of the `rerankers` that reads a query, and does not fail, orders its candidates.
    `older` gives the embedder of a fingerprint, for knowledge bases whose vectors are another
    model's still, `query_maps` what query vectors are moved by: as a rule, the kept adaptations.
    A model that fails costs its part of a search, and is told of, not the search.
    """

    def __init__(
        self,
        catalog: Catalog,
        indexes: SearchIndexes,
        embedder: Embedder,
        rerankers: Sequence[Reranker],
        rules: Retrieval,
        *,
        older: Callable[[str], Embedder] | None = None,
        query_maps: QueryMaps | None = None,
    ) -> None:
        self._catalog = catalog
        self._indexes = indexes
        self._embedder = embedder
        self._rerankers = tuple(rerankers)
        self._rules = rules
        self._older = older
        self._query_maps = query_maps or catalog.adaptations.query_map
        self._dense = DenseSearch(indexes, embedder, older, rules.candidates, self._query_maps)
        self._lexical = LexicalSearch(indexes, rules.candidates)
        self.links: PassageLinks | None = PassageLinks(catalog, indexes, rules)
        self.derived = DerivedSearch(catalog)
        self.heads = HeadSearch(self.derived)
        self.graphs = EntityGraphs(catalog)
        self.outlines: OutlineSearch | None = OutlineSearch(catalog, indexes, rules, self.among)

    def search(self, query: Query) -> SearchResult:
        """Return the passages for a query, best first, with every score that brought them."""
        return self.followed(query).found

    def followed(self, query: Query) -> SearchTrace:
        """Return what each stage of a search gave, and last the passages."""
        watch = StageTimer()
        query = replace(query, text=without_answer_instructions(query.text))
        documents = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        by_vector, lexical = self._first_stage(query, documents, watch)
        found_by = watch.vector_search
        derived = self._derived(query, documents, watch)
        join = add_votes if query.by_heads else join_by_best
        dense = join_by_best(join(by_vector, derived.hits), list(query.chunks))
        fused = self._fused(query, dense, lexical, watch)
        ranked = RerankStage(self._rerankers, self._rules).ordered(query, fused, watch)
        with watch.stage("expand"):
            dated = self._dated(query.kbs, ranked)
            unlike = without_duplicates(dated, self._rules.duplicate_similarity)
            chosen = maximal_marginal_relevance(unlike, self._rules.mmr_lambda, query.k * _ROOM)
            found = expand_passages(
                self._catalog, chosen, query.kbs, query.k, expand=self._rules.expand
            )
        with watch.stage("evidence"):
            confidence = self._evidence(query, dated, by_vector, documents, watch)
        return SearchTrace(
            query,
            documents,
            dense,
            found_by,
            lexical,
            tuple(each.candidate for each in fused),
            tuple(ranked),
            tuple(dated),
            tuple(unlike),
            tuple(chosen),
            SearchResult(
                found, watch.timings, confidence, tuple(watch.problems), derived.texts_of(found)
            ),
        )

    def among(self, query: Query, candidates: list[RankedChunk]) -> SearchResult:
        """Return passages of candidates that were found in another way, in the order of the second
        stage, and the evidence that they are.

        Only what that evidence is measured by are cosines: they find nothing and order nothing.
        """
        watch = StageTimer()
        query = replace(query, text=without_answer_instructions(query.text), adapts=False)
        documents = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        ranked = RerankStage(self._rerankers, self._rules).ordered(query, candidates, watch)
        dated = self._dated(query.kbs, ranked)
        unlike = without_duplicates(dated, self._rules.duplicate_similarity)
        chosen = maximal_marginal_relevance(unlike, self._rules.mmr_lambda, query.k * _ROOM)
        found = expand_passages(
            self._catalog, chosen, query.kbs, query.k, expand=self._rules.expand
        )
        dense = self._dense.search(query, documents, watch)
        cosines = dict(dense)
        read = [_with_cosine(each, cosines.get(each.chunk.chunk_id)) for each in dated]
        confidence = self._evidence(query, read, dense, documents, watch)
        return SearchResult(found, watch.timings, confidence, tuple(watch.problems))

    def whole(self, trace: SearchTrace) -> tuple[Hits, Hits]:
        """Return the orders by meaning and by words as they are before they are cut."""
        indexes = ExhaustiveIndexes(self._catalog, self._indexes)
        rules = replace(self._rules, candidates=ALL_CHUNKS)
        all_of_it = TwoStageRetriever(
            self._catalog,
            indexes,
            self._embedder,
            (),
            rules,
            older=self._older,
            query_maps=self._query_maps,
        )
        return all_of_it._first_stage(trace.query, trace.documents, StageTimer())

    def tree(self, query: Query, way: str) -> DerivedTree:
        """Return the nodes of the trees that were derived for a way, to be searched."""
        documents = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        vectors = self._dense.vectors_of(query)
        return DerivedTree(self._catalog, self.derived, self._dense, way, vectors, documents)

    def graph(self, query: Query, way: str) -> EntityGraphSearch:
        """Return the graph of entities that was derived for a way, to be walked."""
        documents = self._catalog.documents.select(query.kbs, parse_filter(query.where))
        known = [*self._dense.vectors_of(query).values(), ("", None)]
        model, vector = known[0]
        embedder = self._embedder
        if vector is not None and model != embedder.fingerprint and self._older is not None:
            embedder = self._older(model)
        over = self._catalog, self.graphs, embedder, query.kbs
        return EntityGraphSearch(*over, way, model, vector, documents)

    def entity_graph(self, kb: KbId, way: str) -> EntityGraph:
        """Return the graph of one knowledge base's entities, to be looked at without a question."""
        model = self._indexes.of(kb).model()
        return self.graphs.of((kb,), way, model, WalkOptions().synonym)

    @property
    def router(self) -> KnowledgeBaseRouter:
        """What tells which knowledge base a question is for."""
        return KnowledgeBaseRouter(self._catalog, self._dense)

    def under(
        self, rules: Retrieval, rerankers: Sequence[Reranker] | None = None
    ) -> TwoStageRetriever:
        """Return the same search under other rules; with other rerankers, where they are given."""
        made = TwoStageRetriever(
            self._catalog,
            self._indexes,
            self._embedder,
            self._rerankers if rerankers is None else rerankers,
            rules,
            older=self._older,
            query_maps=self._query_maps,
        )
        made.derived, made.heads, made.graphs = self.derived, self.heads, self.graphs  # as read
        return made

    def moving_queries(self, query_maps: QueryMaps) -> TwoStageRetriever:
        """Return the same search with query vectors moved otherwise."""
        return TwoStageRetriever(
            self._catalog,
            self._indexes,
            self._embedder,
            self._rerankers,
            self._rules,
            older=self._older,
            query_maps=query_maps,
        )

    def reading_at_most(self, count: int) -> TwoStageRetriever:
        """Return the same way into the index, whose second stage reads no more than so many."""
        fewer = min(count, self._rules.rerank_candidates)
        made = self.under(replace(self._rules, rerank_candidates=fewer))
        made.links = self.links  # with the names that it has read
        return made

    def _evidence(
        self,
        query: Query,
        ranked: Sequence[RankedChunk],
        dense: Hits,
        documents: Documents,
        watch: StageTimer,
    ) -> float:
        """Return how surely the passages answer; a term is as rare as in all bases together.

        `dense` is what the query's vector found. Only what a question says by itself is evidence,
        not what a model made up for the search, nor how near its vector is once it was moved: the
        calibration knows no other cosines.
        """
        is_moved = self._dense.query_map(query) is not None
        is_unlike = is_moved or query.alike or query.asked or query.only_chunks
        is_joined = is_unlike or query.derived or query.chunks
        if is_unlike:
            query = replace(
                query, text=query.asked or query.text, alike=(), derived="", adapts=False
            )
            dense = self._dense.search(query, documents, watch)
        if is_joined:
            cosines = dict(dense)
            ranked = [_with_cosine(each, cosines.get(each.chunk.chunk_id)) for each in ranked]
        if not ranked:
            return 0.0
        statistics = term_statistics(self._indexes, query.kbs, content_terms(query.text))
        embedders = self._dense.embedders(query.kbs)

        def found(each: RankedChunk) -> FoundText:
            text = each.chunk.text
            is_read = all(one.trust(text) is not LanguageSupport.NONE for one in embedders)
            cosine = each.candidate.dense_score if is_read else None
            return FoundText(f"{each.chunk.context}\n{text}", cosine)

        background = background_cosine([cosine for _, cosine in dense])
        told = evidence_features(query.text, map(found, ranked), statistics, background)
        calibrated = self._dense.calibrated(query.kbs)
        return evidence_score(told, calibrated.evidence if calibrated else {}, query.text)

    def _first_stage(
        self, query: Query, documents: Documents, watch: StageTimer
    ) -> tuple[Hits, Hits]:
        """Search both indexes at the same time; neither, where the query names its chunks."""
        if query.only_chunks:
            return [], []
        with ThreadPoolExecutor(1, "lexical") as beside:
            other = beside.submit(
                self._lexical.search,
                query,
                documents,
                watch,
                is_compared=self._cosine_weight(query.kbs) > 0,
            )
            dense = self._dense.search(query, documents, watch)
            return dense, other.result()

    def _derived(self, query: Query, documents: Documents, watch: StageTimer) -> DerivedChunks:
        """Search what was derived from documents, where the query asks for that."""
        if not query.derived:
            return NO_DERIVED
        search = self.heads if query.by_heads else self.derived
        with watch.stage("derived"):
            return search.search(query, documents, self._dense, self._rules.candidates)

    def _fused(
        self, query: Query, dense: Hits, lexical: Hits, watch: StageTimer
    ) -> list[RankedChunk]:
        """Join what both searches found, and read it; pages count where one model's cosines do."""
        cosine, scale = self._cosine_weight(query.kbs), None
        if cosine:
            scale = ScoreScale(cosine, self._lexical.weight(query.kbs, query.text))
        fused = fuse(dense, lexical, self._rules, scale)
        with watch.stage("read"):
            chunks = self._catalog.documents.get_chunks([each.chunk_id for each in fused])
        found = [
            RankedChunk(each, chunks[each.chunk_id]) for each in fused if each.chunk_id in chunks
        ]
        if len(self._dense.embedders(query.kbs)) > 1:  # cosines that do not compare
            return found
        return add_page_ranks(found, self._rules.rrf_k)

    def _cosine_weight(self, kbs: Sequence[KbId]) -> float:
        """Return what a cosine counts beside words; 0 where ranks decide."""
        embedder = self._dense.calibrated(kbs)
        return 0.0 if embedder is None or self._rules.fusion != "auto" else embedder.cosine_weight

    def _dated(self, kbs: Sequence[KbId], ranked: Sequence[RankedChunk]) -> Sequence[RankedChunk]:
        """Return candidates with their age counted, where the settings wish that.

        A date that a document tells itself goes before that of its file, which may be a copy's.
        """
        if not self._rules.half_life_days:
            return ranked
        documents = {each.chunk.document_id for each in ranked}
        now = time.time()
        told = self._catalog.metadata.dates(documents)
        own = {number: dated for number, dated in told.items() if dated <= now}
        changed = self._catalog.files.changed(documents, kbs) | own
        return weigh_by_age(ranked, changed, self._rules.half_life_days, now)


def _with_cosine(ranked: RankedChunk, cosine: float | None) -> RankedChunk:
    return replace(ranked, candidate=replace(ranked.candidate, dense_score=cosine))
