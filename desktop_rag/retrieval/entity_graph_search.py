"""Walks graphs of entities from a question to passages; they are kept in memory by revision."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import EntityNeighbourhood
from desktop_rag.core.entity_names import entity_names
from desktop_rag.core.language import FUNCTION_WORDS, all_words
from desktop_rag.core.types import ChunkId, DerivedId, KbId
from desktop_rag.models.protocols import Embedder, Vectors
from desktop_rag.retrieval.entity_graph import EntityGraph
from desktop_rag.retrieval.exhaustive_search import ALL_CHUNKS, Documents

_KEPT = 2  # graphs
_LARGEST = 100_000  # texts whose vectors are kept: of more, names are compared as they are written
_NEAREST = 3  # entities that are near to a name of the question, or to the question itself
_LED = 2  # entities that are told for a passage

_Key = tuple[tuple[KbId, ...], str, str, float]


@dataclass(frozen=True, slots=True)
class WalkOptions:
    """How a graph is walked; defaults are the paper's.

    `synonym`: the least cosine of two names of one entity. `by_rarity`: the fewer chunks name an
    entity, the more it counts as a seed.
    """

    damping: float = 0.5
    synonym: float = 0.8
    by_rarity: bool = True


@dataclass(frozen=True, slots=True)
class SeedEntity:
    """An entity that a question speaks of: its name, and how surely (1: by its name)."""

    name: str
    score: float

    @property
    def is_named(self) -> bool:
        """Whether the question names it, and is not only near in meaning."""
        return self.score >= 1.0


@dataclass(frozen=True, slots=True)
class WalkedChunk:
    """A chunk, the share of the walk that it has, and the entities that led to it, best first."""

    chunk_id: ChunkId
    share: float
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GraphWalk:
    """What a walk began with, and the chunks that it came to, the largest share first."""

    seeds: tuple[SeedEntity, ...] = ()
    chunks: tuple[WalkedChunk, ...] = ()


class GraphSearch(Protocol):
    """Walks a graph from a question."""

    def walk(
        self, text: str, near: Mapping[ChunkId, float], options: WalkOptions, most: int
    ) -> GraphWalk:
        """Return up to `most` chunks from the entities of a text and weights of near chunks."""
        ...

    def neighbourhood(self, name: str, most: int) -> EntityNeighbourhood | None:
        """Return what stands around an entity; None where there is none of that name."""
        ...


@dataclass(frozen=True, slots=True)
class _Kept:
    """A graph in memory.

    `changes` is how often its knowledge bases had changed when `revision`, which takes longer to
    learn, was looked at last.
    """

    changes: tuple[int, ...]
    revision: tuple[tuple[int, ...], ...]
    graph: EntityGraph


class EntityGraphs:
    """The graphs of knowledge bases. Safe to use from several threads."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._kept: OrderedDict[_Key, _Kept] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, kbs: Sequence[KbId], way: str, model: str, synonym: float) -> EntityGraph:
        """Return the graph over knowledge bases, made of what was derived for a way.

        `model` is the fingerprint whose vectors of names are compared.
        """
        key = (tuple(kbs), way, model, synonym)
        with self._lock:
            changes = tuple(map(self._catalog.preparations.changes, kbs))
            kept = self._kept.get(key)
            if kept is None or kept.changes != changes:
                kept = self._kept[key] = self._looked_up(key, changes, kept)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return kept.graph

    def _looked_up(self, key: _Key, changes: tuple[int, ...], before: _Kept | None) -> _Kept:
        """Return what is kept now: the graph from before, unless other texts are there."""
        kbs, way, model, synonym = key
        stored = self._catalog.preparations
        revision = tuple(stored.text_revision(kb, way, model) for kb in kbs)
        if before is not None and before.revision == revision:
            return replace(before, changes=changes)
        return _Kept(changes, revision, self._made(kbs, way, model, synonym))

    def _made(self, kbs: Sequence[KbId], way: str, model: str, synonym: float) -> EntityGraph:
        stored = self._catalog.preparations
        texts: dict[DerivedId, DerivedText] = {}
        for kb in kbs:
            texts |= {each.derived_id: each for each in stored.texts_in(kb, way)}
        vectors: dict[DerivedId, npt.NDArray[np.float16]] = {}
        for kb in kbs if len(texts) <= _LARGEST else ():
            for ids, _, matrix in stored.vectors(kb, way, model):
                vectors |= {DerivedId(int(n)): row for n, row in zip(ids, matrix, strict=True)}
        return EntityGraph(list(texts.values()), vectors, synonym)


@dataclass(frozen=True, slots=True)
class EntityGraphSearch:
    """The graph of some knowledge bases for a question; only chunks of `documents` are found."""

    catalog: Catalog
    graphs: EntityGraphs
    embedder: Embedder
    kbs: tuple[KbId, ...]
    way: str
    model: str
    vector: Vectors | None
    documents: Documents

    def walk(
        self, text: str, near: Mapping[ChunkId, float], options: WalkOptions, most: int
    ) -> GraphWalk:
        """Walk from the entities of a text, and from near chunks by their weights.

        Entities together weigh 1 beside the chunks' weights.
        """
        graph = self.graphs.of(self.kbs, self.way, self.model, options.synonym)
        seeds = self._seeds(graph, text, options.synonym)
        weights = {
            node: score / (max(1, graph.chunk_count(node)) if options.by_rarity else 1)
            for node, score in seeds.items()
        }
        total = sum(weights.values())
        weights = {node: weight / total for node, weight in weights.items()} if total else {}
        shares = graph.walk(weights, near, options.damping)
        found = graph.chunk_shares(shares, most, self._allowed())
        told = []
        for chunk, share in found.items():
            led = sorted(graph.entities_of(chunk), key=lambda node: -shares[node])
            told.append(WalkedChunk(chunk, share, tuple(graph.names[node] for node in led[:_LED])))
        best = sorted(seeds, key=lambda node: -weights[node])
        return GraphWalk(
            tuple(SeedEntity(graph.names[node], seeds[node]) for node in best), tuple(told)
        )

    def _allowed(self) -> set[ChunkId] | None:
        """Return the chunks of the documents that are searched; None where all are."""
        if self.documents is None:
            return None
        of = self.catalog.documents.chunk_ids_of
        return {each for kb in self.kbs for each in of(kb, self.documents, ALL_CHUNKS) or ()}

    def neighbourhood(self, name: str, most: int) -> EntityNeighbourhood | None:
        """Return what stands around an entity."""
        synonym = WalkOptions().synonym
        return self.graphs.of(self.kbs, self.way, self.model, synonym).neighbourhood(name, most)

    def _seeds(self, graph: EntityGraph, text: str, synonym: float) -> dict[int, float]:
        """Return the entities of a text with a weight each: by name, else by their vectors.

        Where it names none, those nearest to the text as a whole.
        """
        words, found, taken = all_words(text), dict[int, float](), set[str]()
        for at, count, node in graph.named_in(words):
            if count > 1 or _is_name(words[at], text):
                found[node] = 1.0
                taken |= set(words[at : at + count])
        if self.vector is None:
            return found
        other = [each for each in entity_names(text) if not set(all_words(each)) & taken]
        for vector in self.embedder.embed(other) if other else ():
            near = graph.nearest(vector, _NEAREST)
            found |= {node: score for node, score in near if score >= synonym and node not in found}
        return found or dict(graph.nearest(self.vector, _NEAREST))


@dataclass(frozen=True, slots=True)
class NoGraph:
    """A graph that is not there."""

    def walk(
        self,
        text: str,  # noqa: ARG002
        near: Mapping[ChunkId, float],  # noqa: ARG002
        options: WalkOptions,  # noqa: ARG002
        most: int,  # noqa: ARG002
    ) -> GraphWalk:
        """Return nothing."""
        return GraphWalk()

    def neighbourhood(self, name: str, most: int) -> EntityNeighbourhood | None:  # noqa: ARG002
        """Return nothing."""
        return None


NO_GRAPH = NoGraph()


def _is_name(word: str, text: str) -> bool:
    """Tell whether one word of a text is a name there: in capitals, with a digit."""
    if word in FUNCTION_WORDS:
        return False
    return word not in text or any(each.isdigit() for each in word) or not word.isascii()
