"""Step-back (Zheng et al. 2023): also ask the more general question behind the question.

A detail may stand where only its background is spoken of. Both questions are searched for, and what
they find is joined by ranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.query_fusion import search_variants
from desktop_rag.strategies.transforms.reply_cleaning import rephrased

_TOKENS = 120


@dataclass(frozen=True, slots=True)
class StepBack:
    """Searches for the more general question, too."""

    name: ClassVar[str] = "step_back"
    title: ClassVar[str] = "Step back"
    paper: ClassVar[str] = "Zheng et al. 2023, Take a Step Back, arXiv 2310.06117"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have the more general question written, and search for both."""
        prompt = Prompts(question.language).text("transform/step_back", question=question.text)
        general = yield from rephrased(
            self.title, prompt, question.text, tools, GenerationOptions(_TOKENS)
        )
        if not general or general.casefold() == question.text.casefold():
            return (yield from then.run(question, tools))
        yield Step("step back", general)
        also = search_variants(tools, question, (general,), "the more general question")
        return (yield from then.run(question, also))
