"""The nodes of trees over documents, found by meaning: chunks as leaves, derived texts above them.

Cosines of chunks and of derived texts compare: one embedder made both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop_rag.catalog.facade import Catalog
from desktop_rag.core.types import ChunkId, DerivedId, KbId
from desktop_rag.index.flat import products
from desktop_rag.models.protocols import Vectors
from desktop_rag.retrieval.dense import DenseSearch
from desktop_rag.retrieval.derived_search import DerivedSearch
from desktop_rag.retrieval.exhaustive_search import Documents
from desktop_rag.retrieval.fuse import Hits

_LEAVES = 50  # nearest chunks among which those without a tree are looked for


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node: a chunk, which is of level 0, or a derived text; `score` is its cosine.

    `sources` are the chunks under it, of a chunk itself.
    """

    text: str
    score: float
    sources: tuple[ChunkId, ...]
    level: int = 0
    derived_id: DerivedId | None = None
    children: tuple[DerivedId, ...] = ()


class NodeSearch(Protocol):
    """Finds the nodes of trees that are nearest to a question, best first."""

    def nearest(self, k: int) -> Sequence[TreeNode]:
        """Return the k nearest nodes of all layers."""
        ...

    def tops(self, k: int) -> Sequence[TreeNode]:
        """Return the k nearest of those that no other node is over; also chunks without a tree."""
        ...

    def below(self, nodes: Iterable[TreeNode], k: int) -> Sequence[TreeNode]:
        """Return the k nearest nodes directly under some."""
        ...

    def leaves(self, node: TreeNode, k: int) -> Hits:
        """Return the k nearest chunks under a node, at whatever depth, with their cosines."""
        ...

    def length(self, node: TreeNode) -> int:
        """Return how many tokens of the embedder a node's text has."""
        ...


@dataclass(frozen=True, slots=True)
class DerivedTree:
    """The trees that were derived for a way from `documents` of some knowledge bases.

    `vectors` holds the embedder's fingerprint and the question's vector for each base. A node of
    several bases counts once.
    """

    catalog: Catalog
    derived: DerivedSearch
    dense: DenseSearch
    way: str
    vectors: Mapping[KbId, tuple[str, Vectors]]
    documents: Documents

    def nearest(self, k: int) -> Sequence[TreeNode]:
        """Return the k nearest nodes of all layers."""
        return self._best([*self._derived(k), *self._chunks(self._found(k))], k)

    def tops(self, k: int) -> Sequence[TreeNode]:
        """Return the k nearest of the highest nodes."""
        found = self._found(_LEAVES)
        within = self.catalog.preparations.led_to(found, self.way)
        alone = {each: score for each, score in found.items() if each not in within}
        tops = {kb: self._tops(kb) for kb in self.vectors}
        return self._best([*self._derived(k, tops), *self._chunks(alone)], k)

    def below(self, nodes: Iterable[TreeNode], k: int) -> Sequence[TreeNode]:
        """Return the k nearest children; those of the lowest derived texts are chunks."""
        chosen = list(nodes)
        children = [child for each in chosen for child in each.children]
        chunks = [chunk for each in chosen if not each.children for chunk in each.sources]
        found = self._derived(k, dict.fromkeys(self.vectors, children)) if children else []
        return self._best([*found, *self._chunks(self._cosines(chunks))], k)

    def leaves(self, node: TreeNode, k: int) -> Hits:
        """Return the k nearest chunks under a node."""
        found = self._cosines(node.sources)
        return sorted(found.items(), key=lambda hit: (-hit[1], hit[0]))[:k]

    def length(self, node: TreeNode) -> int:
        """Return how many tokens of the embedder a node's text has."""
        return self.dense.embedder.count_tokens([node.text])[0]

    def _tops(self, kb: KbId) -> list[DerivedId]:
        """Return the highest nodes of the documents that are searched."""
        tops, allowed = self.catalog.preparations.tops(kb, self.way), self.documents
        return [each for each, owner in tops.items() if allowed is None or owner in allowed]

    def _best(self, nodes: Sequence[TreeNode], k: int) -> Sequence[TreeNode]:
        return sorted(nodes, key=lambda each: (-each.score, each.level, each.sources[:1]))[:k]

    def _derived(
        self, k: int, among: Mapping[KbId, Collection[DerivedId]] | None = None
    ) -> list[TreeNode]:
        """Return the nearest derived texts; of each base only some, where they are given."""
        found: dict[DerivedId, float] = {}
        for kb, (model, vector) in self.vectors.items():
            of = (self.way, model)
            if among is None:
                found |= dict(self.derived.nearest(vector, kb, of, k, self.documents))
            else:
                found |= dict(self.derived.nearest_of(among[kb], vector, kb, of, k))
        return [
            TreeNode(
                each.text,
                found[each.derived_id],
                each.sources,
                each.level,
                each.derived_id,
                each.children,
            )
            for each in self.catalog.preparations.get(found).values()
        ]

    def _found(self, k: int) -> dict[ChunkId, float]:
        """Return the nearest chunks of all bases."""
        found: dict[ChunkId, float] = {}
        for kb, (model, vector) in self.vectors.items():
            index = self.dense.indexes.of(kb)
            found |= dict(index.dense(vector, k, self.documents, model=model).hits)
        return found

    def _cosines(self, chunks: Iterable[ChunkId]) -> dict[ChunkId, float]:
        """Return how near some chunks are."""
        wanted, found = sorted(set(chunks)), dict[ChunkId, float]()
        for kb, (model, vector) in self.vectors.items():
            for block in self.catalog.embeddings.blocks(kb, model, wanted):
                scores = products(block.vectors, vector)
                numbers = (ChunkId(each) for each in block.chunks.tolist())
                found |= dict(zip(numbers, map(float, scores), strict=True))
        return found

    def _chunks(self, scores: Mapping[ChunkId, float]) -> list[TreeNode]:
        chunks = self.catalog.documents.get_chunks(scores)
        return [TreeNode(each.text, scores[number], (number,)) for number, each in chunks.items()]


@dataclass(frozen=True, slots=True)
class NoNodes:
    """Trees that are not there."""

    def nearest(self, k: int) -> Sequence[TreeNode]:  # noqa: ARG002
        """Return nothing."""
        return ()

    def tops(self, k: int) -> Sequence[TreeNode]:  # noqa: ARG002
        """Return nothing."""
        return ()

    def below(self, nodes: Iterable[TreeNode], k: int) -> Sequence[TreeNode]:  # noqa: ARG002
        """Return nothing."""
        return ()

    def leaves(self, node: TreeNode, k: int) -> Hits:  # noqa: ARG002
        """Return nothing."""
        return []

    def length(self, node: TreeNode) -> int:  # noqa: ARG002
        """Return nothing's length."""
        return 0


NO_NODES = NoNodes()
