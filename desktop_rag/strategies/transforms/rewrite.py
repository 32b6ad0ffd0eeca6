"""Rewrite (Ma et al. 2023): the question, tidied up by the model, is what is searched for.

Politeness, detours and slips go, names and numbers stay. Only the search changes: what is answered
is the question as it was asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.core.language import content_words
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
)
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.reply_cleaning import rephrased
from desktop_rag.strategies.transforms.search_override import aimed_search

_TOKENS = 120


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Tidies the question up for the search, with one call of the model."""

    name: ClassVar[str] = "rewrite"
    title: ClassVar[str] = "Rewrite"
    paper: ClassVar[str] = "Ma et al. 2023, Rewrite-Retrieve-Read, arXiv 2305.14283"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have the question rewritten once, and search with that instead."""
        prompt = Prompts(question.language).text("transform/rewrite", question=question.text)
        text = yield from rephrased(
            self.title, prompt, question.text, tools, GenerationOptions(_TOKENS)
        )
        if not text:
            return (yield from then.run(question, tools))
        if not set(content_words(text)) & set(content_words(question.text)):
            text = f"{question.text} {text}"  # it may be of something else: both are searched for
        yield Step("rewritten", text)

        def rewritten(aim: SearchOverrides) -> SearchOverrides:
            return replace(aim, instead=aim.instead or text)

        return (yield from then.run(question, aimed_search(tools, question, rewritten)))
