"""RAPTOR: search the trees of summaries that were made when the knowledge base was prepared.

Sarthi et al. 2024, arXiv 2401.18059. `collapsed`, which the paper found best, looks at all nodes at
once, passages and summaries alike, and takes the nearest to the question up to 2,000 tokens.
`traversal` begins with the nearest of the highest nodes, and goes on with the nearest of those
directly under them, layer by layer, down to passages.

An answer cites passages only. A summary that matched brings the best passages under it among those
that the second stage reads, and is told to the model beside them, without a number. `traversal`
answers from the passages that it ends at, and from no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChunkId
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.retrieval.derived_tree import NodeSearch, TreeNode
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.derived_texts import tell_unprepared

COLLAPSED, TRAVERSAL = "collapsed", "traversal"
_LOOKED_AT = 100  # nodes, of which those are taken that fit
_UNDER = 3  # passages of a summary that matched
_ASIDE = 4  # what a summary may take of the model's context: one part in so many


@dataclass(frozen=True, slots=True)
class Raptor:
    """Summaries of what belongs together lead to passages, and are told beside them."""

    name: ClassVar[str] = "raptor"
    title: ClassVar[str] = "Tree of summaries (RAPTOR)"
    paper: ClassVar[str] = "RAPTOR: Sarthi et al. 2024, arXiv 2401.18059"
    needs: ClassVar[tuple[str, ...]] = ("prepared",)

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)
    mode: str = option(
        COLLAPSED,
        "Mode",
        "collapsed: all layers at once; traversal: from the highest layer down.",
        choices=(COLLAPSED, TRAVERSAL),
    )
    tokens: int = option(
        2000,
        "Tokens",
        "How long the nearest passages and summaries are together, where all layers are searched.",
        low=100,
        high=20_000,
    )
    width: int = option(
        5, "Width", "How many nodes of each layer are followed down.", low=1, high=50
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Find nodes, then the passages under them; answer from these."""
        yield from tell_unprepared(self, tools)
        tree = tools.tree(self.name)
        nodes = self._traversed(tree) if self.mode == TRAVERSAL else self._collapsed(tree)
        summaries = [each for each in nodes if each.level]
        for each in summaries:
            yield Step("matched", Phrase("Layer {0}: {1}", each.level, " ".join(each.text.split())))
        if self.mode == TRAVERSAL:
            chunks = _hits(each for each in nodes if not each.level)
            aim = SearchOverrides(chunks=chunks, only_chunks=bool(chunks))
        else:
            aim = SearchOverrides(chunks=_under(summaries, tree))
        found = yield from tools.search(question.text, "the question", question.k or self.k, aim)
        return (yield from tools.answer(found, aside=_aside(summaries, question, tools)))

    def _collapsed(self, tree: NodeSearch) -> Sequence[TreeNode]:
        """Return the nearest nodes of all layers that fit the tokens; one at least."""
        room, taken = self.tokens, list[TreeNode]()
        for each in tree.nearest(_LOOKED_AT):
            room -= tree.length(each)
            if room < 0 and taken:
                break
            taken.append(each)
        return taken

    def _traversed(self, tree: NodeSearch) -> Sequence[TreeNode]:
        """Return the nearest nodes of the highest layer, and of each layer under those."""
        layer = tree.tops(self.width)
        taken = list(layer)
        while any(each.level for each in layer):
            layer = tree.below([each for each in layer if each.level], self.width)
            taken += layer
        return taken


def _hits(nodes: Iterable[TreeNode]) -> tuple[tuple[ChunkId, float], ...]:
    return tuple((chunk, each.score) for each in nodes for chunk in each.sources)


def _under(summaries: Sequence[TreeNode], tree: NodeSearch) -> tuple[tuple[ChunkId, float], ...]:
    """Return the nearest chunks under each summary, each half as much nearer as that is.

    As near as the summary itself they would take the room of passages that match by themselves.
    """
    found: dict[ChunkId, float] = {}
    for each in summaries:
        for chunk, score in tree.leaves(each, _UNDER):
            nearer = (score + max(score, each.score)) / 2.0
            found[chunk] = max(nearer, found.get(chunk, nearer))
    return tuple(found.items())


def _aside(summaries: Sequence[TreeNode], question: Question, tools: StrategyTools) -> str:
    """Return what a model is told of summaries: as many as leave room for passages."""
    if not tools.model_name or not summaries:
        return ""
    prompts, told = Prompts(question.language), list[str]()
    whole = tools.room([])
    for each in summaries:
        more = prompts.text("raptor/summaries", summaries=tools.background([*told, each.text]))
        if tools.room([Message("user", more)]) < whole - whole // _ASIDE:
            break
        told.append(each.text)
    if not told:
        return ""
    return prompts.text("raptor/summaries", summaries=tools.background(told))
