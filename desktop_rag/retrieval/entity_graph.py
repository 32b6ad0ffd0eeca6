"""A graph of entities and chunks, and the walk over it: personalised PageRank.

HippoRAG (Gutiérrez et al. 2024, arXiv 2405.14831) and HippoRAG 2 (arXiv 2502.14802): an entity is
joined with the chunks that name it, with entities that a triple relates it to, and with synonyms.
The paper compares all names with each other; here only those that share a word are compared, which
is nearly all that rules can take for one, and quick.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from desktop_rag.core.catalog_records import DerivedText
from desktop_rag.core.derived_events import EntityNeighbour, EntityNeighbourhood
from desktop_rag.core.entity_names import entity_key
from desktop_rag.core.types import ChunkId, DerivedId
from desktop_rag.index.flat import products
from desktop_rag.models.protocols import Vectors

SYNONYM, RELATION, PASSAGE = "synonym", "relation", "passage"
_MOST_SHARING = 40  # names that share a word, of which pairs are compared
_ROWS = 4096  # pairs compared at once
_STEPS, _SETTLED = 50, 1e-7  # of the walk: at most, and the change at which it ends

Numbers = npt.NDArray[np.int64]
Weights = npt.NDArray[np.float64]


class _Relation(NamedTuple):
    """A triple in words, and the chunk that it was written of."""

    chunk: ChunkId
    text: str


class EntityGraph:
    """Entities are nodes from 0 on, then come the chunks; edges go both ways.

    `vectors` has a row a name, or none at all; names of a cosine of `threshold` are synonyms.
    """

    def __init__(
        self,
        texts: Sequence[DerivedText],
        vectors: Mapping[DerivedId, npt.NDArray[np.float16]],
        threshold: float,
    ) -> None:
        nodes: dict[str, int] = {}
        names: list[str] = []
        of_text: dict[DerivedId, int] = {}
        firsts: list[DerivedId] = []
        for each in texts:
            key = entity_key(each.text)
            if each.level or not key:
                continue
            if key not in nodes:
                nodes[key] = len(names)
                names.append(each.text)
                firsts.append(each.derived_id)
            of_text[each.derived_id] = nodes[key]
        self.names = names
        self._nodes = nodes
        self._longest = max((key.count(" ") + 1 for key in nodes), default=0)
        has_vectors = bool(names) and all(each in vectors for each in firsts)
        self._vectors: npt.NDArray[np.float16] | None = None
        if has_vectors:
            self._vectors = np.stack([vectors[each] for each in firsts])
        mentions = {
            (of_text[each.derived_id], chunk)
            for each in texts
            if each.derived_id in of_text
            for chunk in each.sources
        }
        self.chunks = sorted({chunk for _, chunk in mentions})
        self._chunk_nodes = {chunk: len(names) + at for at, chunk in enumerate(self.chunks)}
        self._relations = _relations(texts, of_text)
        self._synonyms = self._similar_names(threshold)
        edges = [(entity, self._chunk_nodes[chunk], 1.0) for entity, chunk in sorted(mentions)]
        edges += [(*pair, float(len(made))) for pair, made in sorted(self._relations.items())]
        edges += [(*pair, weight) for pair, weight in sorted(self._synonyms.items())]
        self._connect(edges)

    def __len__(self) -> int:
        return len(self.names)

    def node(self, name: str) -> int | None:
        """Return the node of a name; None where there is none."""
        return self._nodes.get(entity_key(name))

    def most_connected(self, text: str, most: int) -> list[tuple[str, int]]:
        """Return entities whose names hold a text, and how many chunks name each.

        Up to `most`; those come first that have the most edges, and, of a text, whose names begin
        with it.
        """
        wanted = " ".join(text.casefold().split())
        folded = ((name.casefold(), node) for node, name in enumerate(self.names))
        degrees = np.diff(self._begins)

        def order(of: tuple[str, int]) -> tuple[bool, int, str]:
            name, node = of
            return not name.startswith(wanted), -int(degrees[node]), name

        held = (each for each in folded if wanted in each[0])
        best = nsmallest(most, held, key=order)
        return [(self.names[node], self.chunk_count(node)) for _, node in best]

    def chunk_count(self, node: int) -> int:
        """Return how many chunks name an entity."""
        return int((self._adjacent(node) >= len(self)).sum())

    def named_in(self, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the longest names in words as `all_words` gives them: place, length, node."""
        at = 0
        while at < len(words):
            for count in range(min(self._longest, len(words) - at), 0, -1):
                node = self._nodes.get(" ".join(words[at : at + count]))
                if node is not None:
                    yield at, count, node
                    at += count
                    break
            else:
                at += 1

    def nearest(self, vector: Vectors, most: int) -> list[tuple[int, float]]:
        """Return the entities whose names are nearest to a vector, with their cosines."""
        if self._vectors is None or self._vectors.shape[1] != len(vector):
            return []
        scores = products(self._vectors, vector)
        best = np.argsort(-scores)[:most]
        return [(int(each), float(scores[each])) for each in best]

    def walk(
        self, entities: Mapping[int, float], chunks: Mapping[ChunkId, float], damping: float
    ) -> Weights:
        """Return the share of each node of a walk that returns to seeds: personalised PageRank.

        The seeds' weights say where it begins and, with a probability of 1 - `damping` at each
        step, begins again. Shape `(nodes,)`; zeros without a seed.
        """
        seeds = np.zeros(len(self) + len(self.chunks))
        for node, weight in entities.items():
            seeds[node] += weight
        for chunk, weight in chunks.items():
            if chunk in self._chunk_nodes:
                seeds[self._chunk_nodes[chunk]] += weight
        total = seeds.sum()
        if not total:
            return seeds
        seeds /= total
        shares = seeds
        for _ in range(_STEPS):
            flow = shares[self._sources] * self._shares
            moved = np.bincount(self._targets, weights=flow, minlength=len(seeds))
            lost = 1.0 - damping * moved.sum()  # what begins again, dead ends included
            following = damping * moved + lost * seeds
            change = np.abs(following - shares).sum()
            shares = following
            if change < _SETTLED:
                break
        return shares

    def chunk_shares(
        self, shares: Weights, most: int, allowed: Collection[ChunkId] | None = None
    ) -> dict[ChunkId, float]:
        """Return the share of each chunk that a walk comes to, the largest first, up to `most`.

        Only of `allowed` chunks, where they are given.
        """
        own = shares[len(self) :]
        if allowed is not None:
            numbers = np.fromiter(allowed, np.int64, len(allowed))
            own = np.where(np.isin(self.chunks, numbers), own, 0.0)
        order = np.argsort(-own, kind="stable")[:most]
        return {self.chunks[at]: float(own[at]) for at in order if own[at] > 0}

    def entities_of(self, chunk: ChunkId) -> list[int]:
        """Return the entities that a chunk names."""
        if chunk not in self._chunk_nodes:
            return []
        return [int(each) for each in self._adjacent(self._chunk_nodes[chunk])]

    def neighbourhood(self, name: str, most: int) -> EntityNeighbourhood | None:
        """Return what an entity is joined with, up to `most`; None where there is none so named."""
        node = self.node(name)
        if node is None:
            return None
        own = [self.chunks[each - len(self)] for each in self._adjacent(node) if each >= len(self)]
        found = [*self._related(node), *self._synonymous(node)]
        shared: defaultdict[int, list[ChunkId]] = defaultdict(list)
        for chunk in own:
            for other in self.entities_of(chunk):
                if other != node:
                    shared[other].append(chunk)
        found += _strongest_first(
            EntityNeighbour(self.names[other], PASSAGE, float(len(chunks)), tuple(chunks))
            for other, chunks in shared.items()
        )
        return EntityNeighbourhood(self.names[node], tuple(own), tuple(found[:most]))

    def _related(self, node: int) -> list[EntityNeighbour]:
        made = []
        for pair, told in self._relations.items():
            if node in pair:
                chunks = tuple(dict.fromkeys(each.chunk for each in told))
                texts = tuple(dict.fromkeys(each.text for each in told))
                name = self.names[_other(pair, node)]
                made.append(EntityNeighbour(name, RELATION, float(len(told)), chunks, texts))
        return _strongest_first(made)

    def _synonymous(self, node: int) -> list[EntityNeighbour]:
        return _strongest_first(
            EntityNeighbour(self.names[_other(pair, node)], SYNONYM, weight, ())
            for pair, weight in self._synonyms.items()
            if node in pair
        )

    def _similar_names(self, threshold: float) -> dict[tuple[int, int], float]:
        """Return pairs of names that share a word and are nearly of one meaning."""
        if self._vectors is None:
            return {}
        by_word: defaultdict[str, list[int]] = defaultdict(list)
        for key, node in self._nodes.items():
            for word in set(key.split(" ")):
                by_word[word].append(node)
        some = (nodes for nodes in by_word.values() if len(nodes) <= _MOST_SHARING)
        pairs = np.array(
            sorted({pair for nodes in some for pair in combinations(sorted(nodes), 2)}), np.int64
        ).reshape(-1, 2)
        found: dict[tuple[int, int], float] = {}
        for start in range(0, len(pairs), _ROWS):
            part = pairs[start : start + _ROWS]
            one, other = (self._vectors[part[:, side]].astype(np.float32) for side in (0, 1))
            scores = np.einsum("ij,ij->i", one, other)
            for at in np.flatnonzero(scores >= threshold):
                found[int(part[at, 0]), int(part[at, 1])] = float(scores[at])
        return found

    def _connect(self, edges: Sequence[tuple[int, int, float]]) -> None:
        """Lay edges out by their beginning, each with its share of what leaves that node."""
        size = len(self) + len(self.chunks)
        one, other, weight = (np.array(each) for each in zip(*edges, strict=True)) if edges else (
            np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
        )  # fmt: skip
        sources = np.concatenate([one, other]).astype(np.int64)
        targets = np.concatenate([other, one]).astype(np.int64)
        weights = np.concatenate([weight, weight])
        order = np.argsort(sources, kind="stable")
        self._sources, self._targets = sources[order], targets[order]
        leaving = np.bincount(sources, weights=weights, minlength=size)
        self._shares: Weights = weights[order] / leaving[self._sources]
        self._begins = np.searchsorted(self._sources, np.arange(size + 1))

    def _adjacent(self, node: int) -> Numbers:
        return self._targets[self._begins[node] : self._begins[node + 1]]


def _other(pair: tuple[int, int], node: int) -> int:
    return pair[1] if pair[0] == node else pair[0]


def _strongest_first(found: Iterable[EntityNeighbour]) -> list[EntityNeighbour]:
    return sorted(found, key=lambda each: (-each.weight, each.name))


def _relations(
    texts: Iterable[DerivedText], of_text: Mapping[DerivedId, int]
) -> dict[tuple[int, int], list[_Relation]]:
    """Return the pairs of entities that triples relate, with a chunk a triple."""
    found: defaultdict[tuple[int, int], list[_Relation]] = defaultdict(list)
    for each in texts:
        ends = sorted({of_text[child] for child in each.children if child in of_text})
        if each.level and len(ends) == 2:
            found[ends[0], ends[1]] += [_Relation(chunk, each.text) for chunk in each.sources[:1]]
    return dict(found)
