"""Query2doc (Wang et al. 2023): a made-up document behind the query widens it.

Unlike HyDE's, its words are searched for, too. The paper repeats the question for BM25, so that its
own words still count; here the reranker reads the question itself, and only the question's words
count as evidence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.events import Draft, Notice
from desktop_rag.core.phrases import Phrase
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.reply_cleaning import AS_IT_IS, passage_of, with_fallback
from desktop_rag.strategies.transforms.search_override import aimed_search


@dataclass(frozen=True, slots=True)
class Query2Doc:
    """Puts a document that the model makes up behind the query."""

    name: ClassVar[str] = "query2doc"
    title: ClassVar[str] = "Query to document"
    paper: ClassVar[str] = "Wang et al. 2023, Query2doc, arXiv 2303.07678"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    tokens: int = option(128, "Length", "The document's most tokens.", low=16, high=256)

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have a document made up, and search with it behind the question."""
        prompt = Prompts(question.language).text("transform/query2doc", question=question.text)
        steps = passage_of(prompt, "made-up document", tools, GenerationOptions(self.tokens))
        text = yield from with_fallback(self.title, steps, None)
        if text == "":
            yield Notice(Phrase("{0}: the model wrote no document. {1}", self.title, AS_IT_IS))
        if not text:
            return (yield from then.run(question, tools))
        yield Draft(text, kept=False)

        def widened(aim: SearchOverrides) -> SearchOverrides:
            return replace(aim, behind=f"{aim.behind} {text}".strip())

        return (yield from then.run(question, aimed_search(tools, question, widened)))
