"""The first stage by meaning: vectors, each knowledge base searched by the model that made its own.

A text that was made up to look like what is searched (HyDE) moves the query's vector towards it:
Gao et al. 2022.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from desktop_rag.catalog.retriever_adaptations import QueryMap
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import KbId
from desktop_rag.index.knowledge_base_index import ModelChanged
from desktop_rag.models.protocols import (
    CalibratedEmbedder,
    Embedder,
    LanguageSupport,
    MultiHeadEmbedder,
    Vectors,
)
from desktop_rag.retrieval.exhaustive_search import Documents, SearchIndexes
from desktop_rag.retrieval.fuse import Hits, interleave_models, join_bases
from desktop_rag.retrieval.query import Query
from desktop_rag.retrieval.query_adaptation import QueryMaps, adapted_query, no_query_map
from desktop_rag.retrieval.stage_timer import StageTimer

_KEPT = 16  # vectors of queries in memory


def query_centroid(
    embedder: Embedder, query: str, alike: Sequence[str], known: Vectors | None = None
) -> Vectors:
    """Return the unit mean of a query's vector and those of the texts that can be read.

    `known` is the query's, where it was made before.
    """
    own = embedder.embed_query(query) if known is None else known
    readable = [text for text in alike if embedder.trust(text) is not LanguageSupport.NONE]
    if not readable:
        return own
    mean: Vectors = np.vstack([own[None, :], embedder.embed(readable)]).mean(axis=0)
    length = float(np.linalg.norm(mean))
    return (mean / length).astype(np.float32) if length else own


class QueryVectors(NamedTuple):
    """A query's vector by a model, and what the model's heads saw; None where nobody wants that."""

    whole: Vectors
    heads: Vectors | None = None


class QueryVectorCache:
    """The vectors of what was asked last: one search asks for its query's more than once.

    Safe to use from several threads.
    """

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[object, ...], QueryVectors] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, embedder: Embedder, query: Query) -> QueryVectors:
        """Return the query's vectors by a model; see `query_centroid`."""
        by_heads = query.by_heads and isinstance(embedder, MultiHeadEmbedder) and embedder.heads > 0
        key = embedder.fingerprint, query.text, query.alike, by_heads
        with self._lock:
            made = self._made.get(key)
        if made is None:
            made = _query_vectors(embedder, query, by_heads=by_heads)
        with self._lock:
            self._made[key] = made
            self._made.move_to_end(key)
            while len(self._made) > _KEPT:
                self._made.popitem(last=False)
        return made


def _query_vectors(embedder: Embedder, query: Query, *, by_heads: bool) -> QueryVectors:
    if not by_heads or not isinstance(embedder, MultiHeadEmbedder):
        return QueryVectors(query_centroid(embedder, query.text, query.alike))
    whole, heads = embedder.query_with_heads(query.text)
    return QueryVectors(query_centroid(embedder, query.text, query.alike, whole), heads)


class HeadVectors(NamedTuple):
    """A model's fingerprint, how many heads it has, and what they saw in a question."""

    model: str
    heads: int
    vector: Vectors


@dataclass(frozen=True, slots=True)
class DenseSearch:
    """Asks the vectors for up to `candidates` chunks.

    `older` gives the embedder of a fingerprint, for knowledge bases whose vectors are another
    model's still: until all is embedded anew, one search may need several models. `query_maps`
    gives what a knowledge base's query vectors are moved by.
    """

    indexes: SearchIndexes
    embedder: Embedder
    older: Callable[[str], Embedder] | None
    candidates: int
    query_maps: QueryMaps = no_query_map
    vectors: QueryVectorCache = field(default_factory=QueryVectorCache)

    def embedders(self, kbs: Sequence[KbId]) -> list[Embedder]:
        """Return the models whose vectors these knowledge bases have: one, as a rule."""
        return [self._embedder_of(model) for model in {self.indexes.of(kb).model() for kb in kbs}]

    def calibrated(self, kbs: Sequence[KbId]) -> CalibratedEmbedder | None:
        """Return the model of all these knowledge bases if it is known what its cosines count."""
        embedders = self.embedders(kbs)
        if len(embedders) == 1 and isinstance(embedders[0], CalibratedEmbedder):
            return embedders[0]
        return None

    def vectors_of(self, query: Query) -> dict[KbId, tuple[str, Vectors]]:
        """Return, for each knowledge base, its model's fingerprint and the query's vector by it.

        Knowledge bases whose model does not read the query, or cannot be loaded, are left out.
        """
        found: dict[KbId, tuple[str, Vectors]] = {}
        for kb in query.kbs:
            model = self.indexes.of(kb).model()
            try:
                embedder = self._embedder_of(model)
                if embedder.trust(query.text) is LanguageSupport.NONE:
                    continue
                found[kb] = (model, self.vectors.of(embedder, query).whole)
            except ModelUnavailable:
                continue  # which the search by meaning tells of
        return found

    def head_vectors_of(self, query: Query) -> dict[KbId, HeadVectors]:
        """Return what the heads of each knowledge base's model saw in the query.

        Knowledge bases whose model does not tell, does not read the query, or cannot be loaded, are
        left out.
        """
        found: dict[KbId, HeadVectors] = {}
        for kb in query.kbs:
            model = self.indexes.of(kb).model()
            same = next((each for each in found.values() if each.model == model), None)
            try:
                made = same or self._head_vectors(model, query)
            except ModelUnavailable:
                continue  # which the search by meaning tells of
            if made is not None:
                found[kb] = made
        return found

    def _head_vectors(self, model: str, query: Query) -> HeadVectors | None:
        embedder = self._embedder_of(model)
        if embedder.trust(query.text) is LanguageSupport.NONE:
            return None
        made = self.vectors.of(embedder, replace(query, by_heads=True)).heads
        if made is None or not isinstance(embedder, MultiHeadEmbedder):
            return None
        return HeadVectors(model, embedder.heads, made)

    def query_map(self, query: Query) -> QueryMap | None:
        """Return what a query's vector is moved by before chunks are compared with it.

        None where several knowledge bases are searched, whose cosines are compared with each other,
        and where other vectors than the question's own have a say: for them nothing was measured.
        """
        is_joined = query.alike or query.derived or query.chunks
        if not query.adapts or is_joined or len(query.kbs) != 1:
            return None
        return self.query_maps(query.kbs[0], self.indexes.of(query.kbs[0]).model())

    def search(self, query: Query, documents: Documents, timer: StageTimer) -> Hits:
        """Return chunks with their cosines, best first; of several models, in turn."""
        while True:
            bases: dict[str, list[KbId]] = {}
            for kb in query.kbs:
                bases.setdefault(self.indexes.of(kb).model(), []).append(kb)
            try:
                found = [self._by(model, query, bases[model], documents, timer) for model in bases]
            except ModelChanged:
                continue
            return interleave_models(found)[: self.candidates]

    def _by(
        self,
        model: str,
        query: Query,
        kbs: Sequence[KbId],
        documents: Documents,
        timer: StageTimer,
    ) -> Hits:
        """Search knowledge bases whose vectors are one model's, if it can read the query."""
        try:
            embedder = self._embedder_of(model)
            if embedder.trust(query.text) is LanguageSupport.NONE:
                return []
            with timer.stage("embed"):
                vector = self.vectors.of(embedder, query).whole
                vector = adapted_query(vector, self.query_map(query))
        except ModelUnavailable as problem:
            timer.problems.append(
                Phrase("{0} Passages are found by their words alone.", problem.sentence)
            )
            return []

        def search(kb: KbId) -> Hits:
            found = self.indexes.of(kb).dense(vector, self.candidates, documents, model=model)
            timer.note_vector_search(found.by)
            return found.hits

        with timer.stage("dense"):
            return join_bases(kbs, search, self.candidates)

    def _embedder_of(self, model: str) -> Embedder:
        if self.older is None or model == self.embedder.fingerprint:
            return self.embedder
        return self.older(model)
