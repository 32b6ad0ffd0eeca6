"""Condense: a follow-up is made to stand alone, from what was said before it.

That is done before any other transform and strategy, which see the question that it gives: here is
only what the listing says of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.transforms.base import Researcher


@dataclass(frozen=True, slots=True)
class Condense:
    """Makes a follow-up question stand alone; without a model, by the question before it."""

    name: ClassVar[str] = "condense"
    title: ClassVar[str] = "Condense follow-ups"
    paper: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Go on: the question stands alone already."""
        return then.run(question, tools)
