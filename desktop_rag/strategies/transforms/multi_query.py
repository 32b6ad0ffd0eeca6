"""Multi-query (RAG-Fusion, Raudaschl 2023): ask in several ways, and join what each finds.

The model puts the question in other words; each wording is searched for beside the question itself,
and a passage's place is the sum of 1 / (60 + rank) over all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.query_fusion import search_variants
from desktop_rag.strategies.transforms.reply_cleaning import questions_of


@dataclass(frozen=True, slots=True)
class MultiQuery:
    """Searches in several wordings and joins the results by their ranks."""

    name: ClassVar[str] = "multi_query"
    title: ClassVar[str] = "Several queries"
    paper: ClassVar[str] = "Raudaschl 2023, RAG-Fusion; Rackauckas 2024, arXiv 2402.03367"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    queries: int = option(
        4, "Queries", "How many wordings are searched beside the question.", low=1, high=10
    )

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have other wordings written, and search with all of them."""
        prompt = Prompts(question.language).text(
            "transform/multi_query", question=question.text, count=str(self.queries)
        )
        listed = yield from questions_of(self.title, prompt, question.text, tools)
        others = listed[: self.queries]
        if not others:
            return (yield from then.run(question, tools))
        for other in others:
            yield Step("another wording", other)
        also = search_variants(tools, question, others, "another wording")
        return (yield from then.run(question, also))
