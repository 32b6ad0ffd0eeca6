"""Multi-head: each attention head of the embedder votes for the passages that are nearest by it.

Besta et al. 2024, "Multi-Head RAG", arXiv 2406.05085. One vector says what a text is about on the
whole; the heads of the embedder's last layer each say something else of it, so that passages of
several aspects of a question come up. What the heads saw in each passage was kept when the
knowledge base was prepared. Needs no language model, and no second search.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.derived_texts import tell_unprepared


@dataclass(frozen=True, slots=True)
class MultiHead:
    """Search with the votes of the heads beside the one vector, then answer."""

    name: ClassVar[str] = "multi_head"
    title: ClassVar[str] = "Attention heads (Multi-Head RAG)"
    paper: ClassVar[str] = "Multi-Head RAG: Besta et al. 2024, arXiv 2406.05085"
    needs: ClassVar[tuple[str, ...]] = ("prepared",)

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search, then answer."""
        yield from tell_unprepared(self, tools)
        aim = SearchOverrides(derived=self.name, by_heads=True)
        found = yield from tools.search(question.text, "the question", question.k or self.k, aim)
        return (yield from tools.answer(found))
