"""Condense: a follow-up is made to stand alone, from what was said before it.

That is done before any other transform and strategy, which see the question that it gives: here is
only what the listing says of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.engine.strategies.base import Outcome, Question, Steps, Tools
from desktop_rag.engine.strategies.transforms.base import Researcher


@dataclass(frozen=True, slots=True)
class Condense:
    """Makes a follow-up question stand alone; without a model, by the question before it."""

    name: ClassVar[str] = "condense"
    title: ClassVar[str] = "Condense follow-ups"
    paper: ClassVar[str] = ""
    needs: ClassVar[tuple[str, ...]] = ()

    def run(self, question: Question, tools: Tools, then: Researcher) -> Steps[Outcome]:
        """Go on: the question stands alone already."""
        return then.run(question, tools)
