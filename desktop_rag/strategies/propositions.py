"""Propositions: passages are also found by each of their facts.

Chen et al. 2023, "Dense X Retrieval", arXiv 2312.06648: small units are compared, and the passage
around the one that matched is read. They were derived when the knowledge base was prepared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.derived_texts import search_derived


@dataclass(frozen=True, slots=True)
class Propositions:
    """Search with the facts that passages state, then answer."""

    name: ClassVar[str] = "propositions"
    title: ClassVar[str] = "Propositions"
    paper: ClassVar[str] = "Dense X Retrieval: Chen et al. 2023, arXiv 2312.06648"
    needs: ClassVar[tuple[str, ...]] = ("prepared",)

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search, then answer."""
        found = yield from search_derived(self, question, tools, question.k or self.k)
        return (yield from tools.answer(found))
