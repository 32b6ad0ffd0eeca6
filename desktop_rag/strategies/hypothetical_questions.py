"""Hypothetical questions: passages are also found by the questions that they answer.

Reverse HyDE: instead of an answer made up for the question, questions were made up for each passage
when the knowledge base was prepared (doc2query: Nogueira et al. 2019, arXiv 1904.08375). A passage
is as near as the nearest of its own vector and its questions'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.derived_texts import search_derived


@dataclass(frozen=True, slots=True)
class HypotheticalQuestions:
    """Search with the questions that passages answer, then answer."""

    name: ClassVar[str] = "hypothetical_questions"
    title: ClassVar[str] = "Hypothetical questions"
    paper: ClassVar[str] = "doc2query: Nogueira et al. 2019, arXiv 1904.08375; reverse HyDE"
    needs: ClassVar[tuple[str, ...]] = ("prepared",)

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search, then answer."""
        found = yield from search_derived(self, question, tools, question.k or self.k)
        return (yield from tools.answer(found))
