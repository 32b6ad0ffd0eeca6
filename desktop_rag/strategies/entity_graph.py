"""Entity graph: walk from what the question names, over passages and names, to other passages.

HippoRAG (Gutiérrez et al. 2024, arXiv 2405.14831), HippoRAG 2 (arXiv 2502.14802):

    seeds       the question's entities, the rarer the heavier, and at a small weight the passages
                that the first search finds
    walk        personalised PageRank over entities and passages, damping 0.5
    passages    those with the largest share of the walk

Knowledge Graph Prompting (Wang et al. 2023, arXiv 2308.11730) has a model judge the neighbours of
a passage in the graph, given what was read so far. Here the built-in reader does: the likeliest
first passages are followed to what the walk found, and to what linked hops finds beside each, and
the question is read with what the first passage says of the second. The order is by that reading
and the walk's shares together. Where the reader doesn't read the question, the first search's order
and the walk's take turns; where `reading` is off, it is the walk's alone, as in HippoRAG.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from desktop_rag.core.events import Step
from desktop_rag.core.phrases import Phrase, SourceName
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.retrieval.entity_graph_search import GraphWalk, WalkOptions
from desktop_rag.retrieval.passage_links import reader_text
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.derived_texts import tell_unprepared
from desktop_rag.strategies.passage_merge import interleave_by_rank

ON, OFF = "on", "off"
_TOLD = 5  # entities of the question, and passages, that are told of
_BEAM = 3  # first passages that are followed
PassageKey = tuple[int, int | None]
"""The document of a passage, and where it begins."""


@dataclass(frozen=True, slots=True)
class EntityGraphWalk:
    """Passages that the names in the question lead to, over what they share."""

    name: ClassVar[str] = "entity_graph"
    title: ClassVar[str] = "Graph of entities (HippoRAG)"
    paper: ClassVar[str] = "HippoRAG: Gutiérrez et al. 2024, arXiv 2405.14831, 2502.14802"
    needs: ClassVar[tuple[str, ...]] = ("prepared",)

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)
    damping: float = option(
        0.5, "Damping", "How far the walk goes before it begins again.", low=0.1, high=0.95
    )
    synonym: float = option(
        0.8, "Synonyms", "Names of at least this cosine are one entity.", low=0.5, high=1.0
    )
    passage_weight: float = option(
        0.05,
        "Passage weight",
        "What the first search's passages weigh as seeds, beside entities of 1.",
        low=0.0,
        high=10.0,
    )
    first: int = option(
        15, "First passages", "How many the first search gives as seeds.", low=5, high=100
    )
    walked: int = option(
        30, "Walked passages", "How many of the walk's passages are looked at.", low=5, high=200
    )
    pairs: int = option(48, "Pairs", "How many second passages are read at most.", low=5, high=500)
    reading: str = option(
        ON,
        "Reading",
        "on: the built-in reader judges what the walk found; off: the walk's order alone.",
        choices=(ON, OFF),
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search, walk from what was found and named, read, answer."""
        yield from tell_unprepared(self, tools)
        k = question.k or self.k
        aim = SearchOverrides(reads=self.first)
        found = yield from tools.search(question.text, "the question", max(k, self.first), aim)
        walk = tools.graph(self.name).walk(
            question.text,
            self._near(found),
            WalkOptions(self.damping, self.synonym),
            max(k, self.walked),
        )
        if not walk.chunks:
            return (yield from tools.answer(found[:k]))
        yield from _told_seeds(walk)
        shares = {each.chunk_id: each.share for each in walk.chunks}
        only = SearchOverrides(chunks=tuple(shares.items()), only_chunks=True, reads=0)
        walked = yield from tools.search(
            question.text, "what the graph leads to", max(k, self.walked), only
        )
        ranked: Sequence[Passage] = sorted(walked, key=lambda each: -shares.get(each.chunk_id, 0.0))
        if self.reading == ON and tools.score(()) is not None:
            ranked = yield from self._read(question, found, walked, shares, tools)
        elif self.reading == ON:
            ranked = interleave_by_rank((found, ranked), k)
        yield from _told(walk, ranked[:k])
        return (yield from tools.answer(ranked[:k]))

    def _near(self, found: Sequence[Passage]) -> dict[ChunkId, float]:
        """Return the first search's passages as seeds: the better the rank, the heavier."""
        shares = [1.0 / rank for rank in range(1, len(found) + 1)]
        return {
            each.chunk_id: self.passage_weight * share / sum(shares)
            for each, share in zip(found, shares, strict=True)
        }

    def _read(
        self,
        question: Question,
        found: Sequence[Passage],
        walked: Sequence[Passage],
        shares: Mapping[ChunkId, float],
        tools: StrategyTools,
    ) -> Steps[list[Passage]]:
        """Return passages by how likely each is a first one, or the second one after such."""
        by_share = sorted(walked, key=lambda each: -shares.get(each.chunk_id, 0.0))
        room = max(1, self.pairs // _BEAM)
        some = {_key(each): each for each in (*found[: room // 3], *by_share)}
        passages = {_key(each): each for each in found} | some
        firsts = [each for each in found if each.rerank_score is not None]
        prior = dict(zip(map(_key, firsts), _softmax([
            (each.rerank_score or 0.0) - 2.0 * math.log(each.fused_rank or 1) for each in firsts
        ]), strict=True))  # fmt: skip
        posterior = dict.fromkeys(passages, 0.0) | prior
        for key in sorted(prior, key=lambda each: -prior[each])[:_BEAM]:
            near = passages[key]
            why = Phrase("what “{0}” leads to", SourceName(near.title, near.chunk_id))
            beside = yield from tools.beyond(near, why, room)
            linked = {_key(each): each for each in beside}
            passages = linked | passages
            posterior = dict.fromkeys(linked, 0.0) | posterior
            seconds = [each for each in (some | linked) if each != key][: 2 * room]
            pairs = [
                (f"{question.text} {tools.excerpt_about(near, passages[each])}",
                 reader_text(passages[each]))
                for each in seconds
            ]  # fmt: skip
            scores = tools.score(pairs) or [0.0] * len(pairs)
            for each, share in zip(seconds, _softmax(scores), strict=True):
                posterior[each] += prior[key] * share
        best = sorted(
            posterior,
            key=lambda each: (-posterior[each], -shares.get(passages[each].chunk_id, 0.0)),
        )
        return [passages[each] for each in best]


def _told_seeds(walk: GraphWalk) -> Steps[None]:
    """Tell what the walk began with: what the question names, or only comes near to."""
    named = [each.name for each in walk.seeds if each.is_named][:_TOLD]
    near = [each.name for each in walk.seeds if not each.is_named][:_TOLD]
    if named:
        yield Step("matched", Phrase("In the question: {0}", "; ".join(named)))
    if near:
        yield Step("matched", Phrase("Names like it: {0}", "; ".join(near)))


def _told(walk: GraphWalk, passages: Sequence[Passage]) -> Steps[None]:
    """Tell which entities led to passages."""
    led = {each.chunk_id: each.entities for each in walk.chunks}
    for each in passages[:_TOLD]:
        if names := led.get(each.chunk_id):
            source = SourceName(each.title, each.chunk_id)
            yield Step("matched", Phrase("{0} → “{1}”", "; ".join(names), source))


def _key(passage: Passage) -> PassageKey:
    return passage.document_id, passage.locator.start


def _softmax(scores: Sequence[float]) -> list[float]:
    if not scores:
        return []
    shares = np.exp(np.asarray(scores) - max(scores))
    return [float(each) for each in shares / shares.sum()]
