"""RAPTOR: a tree of summaries over each document's chunks, layer by layer.

Sarthi et al. 2024, "RAPTOR: Recursive Abstractive Processing for Tree-Organized Retrieval", arXiv
2401.18059: nodes that are near in meaning are clustered (`raptor_clusters`), each cluster is summed
up, and the summaries are the nodes of the next layer, until at most 11 are left or there are five
layers of them. The paper's leaves have about 100 tokens; here they are the chunks, of about 175.
Each document has a tree of its own, so that it comes and goes with its document.

Positions count the summaries that are stored. The same document gives the same clusters, so a run
goes on with those that are not summed up yet. Where they come out otherwise (UMAP was installed, or
vectors are another model's), what is not in a stored cluster is clustered by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from desktop_rag.core.catalog_records import DerivedText, NewDerivedText
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.search_text import search_text
from desktop_rag.core.types import BlockKind, ChunkId, DerivedId
from desktop_rag.models.protocols import Vectors
from desktop_rag.preparation.base import DerivedBatch, PreparationTools, Preparing, SourceDocument
from desktop_rag.preparation.cluster_summary import ClusterSummarizer, RelatedTexts, TermWeights
from desktop_rag.preparation.dimension_reduction import Reducer, available_reducer
from desktop_rag.preparation.raptor_clusters import LayerNodes, Members, layer_clusters

LAYERS = 5
"""Layers of summaries, at most."""
FEWEST = 11
"""Nodes that are not summed up any more."""
_BATCH, _BATCH_WITHOUT = 1, 8  # clusters


@dataclass(frozen=True, slots=True)
class RaptorPreparer:
    """Sums up what belongs together, and sums up the summaries."""

    name: ClassVar[str] = "raptor"
    title: ClassVar[str] = "Tree of summaries (RAPTOR)"
    effect: ClassVar[str] = (
        "Long documents are found by summaries of what belongs together in them, too."
    )
    paper: ClassVar[str] = "RAPTOR: Sarthi et al. 2024, arXiv 2401.18059"
    version: ClassVar[int] = 1
    calls_per_chunk: ClassVar[float] = 0.2

    def steps(self, document: SourceDocument, begin: int, tools: PreparationTools) -> Preparing:
        """Make a document's tree from its lowest layer on."""
        return _TreeBuilder(document, tools, available_reducer()).build(begin)

    def remark(self, *, has_model: bool) -> str:
        """Tell what summaries and clusters are made with."""
        summaries = (
            "Summaries are written by the language model."
            if has_model
            else "Summaries are made of the passages' own sentences, without a language model."
        )
        clusters = (
            "Passages are clustered after UMAP, as in the paper."
            if available_reducer().name == "umap"
            else "Passages are clustered by principal components: UMAP (the extra “raptor”) is not "
            "installed."
        )
        short = Phrase("Documents of up to {0} passages need no tree.", FEWEST)
        return Phrase("{0} {1} {2}", summaries, clusters, short)


@dataclass(frozen=True, slots=True)
class _Node:
    """A node: a chunk, or the summary of that number; and the chunks under it."""

    text: str
    sources: tuple[ChunkId, ...]
    derived_id: DerivedId | None = None
    is_rows: bool = False


@dataclass(frozen=True, slots=True)
class _Layer:
    """The nodes of a layer, and their vectors, a row each; `level` is 0 for chunks."""

    level: int
    nodes: tuple[_Node, ...]
    vectors: Vectors

    def members(self, summary: DerivedText) -> Members:
        """Return which nodes a summary was made of."""
        own: set[int] = set(summary.children) if self.level else set(summary.sources)
        return tuple(at for at, node in enumerate(self.nodes) if self._number(node) in own)

    def _number(self, node: _Node) -> int | None:
        return node.derived_id if self.level else node.sources[0]


@dataclass(frozen=True, slots=True)
class _TreeBuilder:
    document: SourceDocument
    tools: PreparationTools
    reducer: Reducer
    headings: dict[ChunkId, str] = field(default_factory=dict)  # of chunks that stand under one

    def build(self, position: int) -> Preparing:
        """Yield what is not stored yet, bottom up."""
        layer, known = self._leaves(), self._stored() if position else {}
        weights = TermWeights([each.text for each in layer.nodes])
        sums = ClusterSummarizer(self.tools, weights)
        if len(layer.nodes) <= FEWEST:
            yield DerivedBatch((), position, len(layer.nodes), is_done=True)
            return
        while True:
            above = known.get(layer.level + 1, [])
            is_whole = bool(known.get(layer.level + 2))
            waiting = [] if is_whole else self._waiting(layer, above)
            count = len(above) + len(waiting)
            is_last = layer.level + 1 == LAYERS or count <= FEWEST
            made = [_node(each) for each in above]
            for batch in self._batches(layer, waiting, made):
                texts = tuple(self._summary(layer, each, sums) for each in batch.clusters)
                position += len(texts)
                is_done = is_last and len(made) + len(texts) == count
                ids = yield DerivedBatch(texts, position, batch.chunks, is_done)
                pairs = zip(texts, ids, strict=True)
                made += (_Node(new.text, new.sources, number) for new, number in pairs)
            if is_last:
                if not waiting:
                    yield DerivedBatch((), position, 0, is_done=True)
                return
            layer = _Layer(layer.level + 1, tuple(made), self._summary_vectors(made))

    def _batches(
        self, layer: _Layer, waiting: Sequence[Members], made: Sequence[_Node]
    ) -> Iterator[_Batch]:
        """Yield clusters, a few at a time, and how many chunks each few are the first to hold."""
        size = _BATCH_WITHOUT if self.tools.calls is None else _BATCH
        seen = {each for node in made for each in node.sources}
        for start in range(0, len(waiting), size):
            some = tuple(waiting[start : start + size])
            held = {s for members in some for at in members for s in layer.nodes[at].sources}
            yield _Batch(some, 0 if layer.level else len(held - seen))
            seen |= held

    def _waiting(self, layer: _Layer, done: Sequence[DerivedText]) -> list[Members]:
        """Return the clusters of a layer that are not summed up yet."""
        clusters = self._clusters(layer, range(len(layer.nodes)))
        told = [layer.members(each) for each in done]
        if clusters[: len(told)] == told:
            return clusters[len(told) :]
        within = {at for members in told for at in members}
        left = [at for at in range(len(layer.nodes)) if at not in within]
        return self._clusters(layer, left) if left else []

    def _clusters(self, layer: _Layer, places: Sequence[int]) -> list[Members]:
        lengths = self.tools.embedder.count_tokens([layer.nodes[at].text for at in places])
        nodes = LayerNodes(layer.vectors[list(places)], lengths)
        found = layer_clusters(nodes, self.reducer, self.tools.token.check)
        return [tuple(places[at] for at in members) for members in found]

    def _summary(self, layer: _Layer, members: Members, sums: ClusterSummarizer) -> NewDerivedText:
        self.tools.token.check()
        nodes = [layer.nodes[at] for at in members]
        texts = tuple(self._body(each) for each in nodes)
        are_rows = tuple(each.is_rows for each in nodes)
        sources = dict.fromkeys(source for each in nodes for source in each.sources)
        under = Counter(self.headings[each] for each in sources if each in self.headings)
        vectors, headings = layer.vectors[list(members)], [each for each, _ in under.most_common()]
        told = RelatedTexts(self.document.title, texts, are_rows, vectors, tuple(headings))
        children = tuple(each.derived_id for each in nodes if each.derived_id is not None)
        return NewDerivedText(sums.summary(told), tuple(sources), layer.level + 1, children)

    def _body(self, node: _Node) -> str:
        """Return a node's text without what a summary tells before it: title and headings."""
        if node.derived_id is None:
            return node.text
        return node.text.rpartition("\n")[2].removeprefix(f"{self.document.title}: ")

    def _leaves(self) -> _Layer:
        """Return the chunks; those that the catalog has no vector of are embedded."""
        embedder, document = self.tools.embedder, self.document
        chunks = list(document.chunks())
        found = document.catalog.embeddings.of_document(document.document_id, embedder.fingerprint)
        vectors: dict[ChunkId, np.ndarray] = dict(found)
        missing = [each for each in chunks if each.chunk_id not in vectors]
        if missing:
            texts = [search_text(each.context, each.text) for each in missing]
            made = embedder.embed(texts, self.tools.token)
            vectors |= {each.chunk_id: made[at] for at, each in enumerate(missing)}
        for each in chunks:
            heading = " ".join(each.section.rpartition(" > ")[2].split())
            if heading and heading != each.title:
                self.headings[each.chunk_id] = heading
        nodes = (
            _Node(
                each.text, (each.chunk_id,), is_rows=each.kind in (BlockKind.TABLE, BlockKind.CODE)
            )
            for each in chunks
        )
        return _Layer(
            0, tuple(nodes), _rows([vectors[each.chunk_id] for each in chunks], embedder.dimensions)
        )

    def _summary_vectors(self, nodes: Sequence[_Node]) -> Vectors:
        """Return the vectors of summaries as they are stored: each run compares the same ones."""
        embedder = self.tools.embedder
        ids = [each.derived_id for each in nodes if each.derived_id is not None]
        known = self.document.catalog.preparations.vectors_of(ids, embedder.fingerprint)
        made = [
            known[number] if number in known else embedder.embed([node.text])[0]
            for number, node in zip(ids, nodes, strict=True)
        ]
        return _rows(made, embedder.dimensions)

    def _stored(self) -> dict[int, list[DerivedText]]:
        levels: dict[int, list[DerivedText]] = {}
        texts = self.document.catalog.preparations.texts_of(
            self.document.document_id, RaptorPreparer.name
        )
        for each in texts:
            levels.setdefault(each.level, []).append(each)
        return levels


@dataclass(frozen=True, slots=True)
class _Batch:
    clusters: tuple[Members, ...]
    chunks: int


def _node(told: DerivedText) -> _Node:
    return _Node(told.text, told.sources, told.derived_id)


def _rows(vectors: Sequence[npt.NDArray[np.floating[Any]]], dimensions: int) -> Vectors:
    if not vectors:
        return np.zeros((0, dimensions), np.float32)
    return np.stack(vectors).astype(np.float32)
