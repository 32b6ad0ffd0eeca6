"""Decompose (least to most, Zhou et al. 2022): answer the parts of a question first, in order.

Each part is searched for with the answers before it, and answered from what is found. The answers
then join the search for the question, and the passages of all parts are joined with its own by
ranks. They reach the final answer in no other way: it rests on passages alone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.query_fusion import fuse_rankings
from desktop_rag.strategies.transforms.reply_cleaning import questions_of, with_fallback
from desktop_rag.strategies.transforms.search_override import question_search
from desktop_rag.strategies.transforms.sub_answers import SubAnswer, SubQuestionAnswerer

_GO_ON = "It goes on with the parts answered until then."


@dataclass(frozen=True, slots=True)
class Decompose:
    """Answers the question's parts one after the other, each with the answers before it."""

    name: ClassVar[str] = "decompose"
    title: ClassVar[str] = "Sub-questions"
    paper: ClassVar[str] = "Zhou et al. 2022, Least-to-Most Prompting, arXiv 2205.10625"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    parts: int = option(5, "Sub-questions", "The most there may be.", low=1, high=5)
    k: int = option(5, "Passages", "How many passages each one is answered from.", low=1, high=50)

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Answer the parts in order, then search with their answers as well."""
        known = yield from self._answered(question, tools)
        if not known:
            return (yield from then.run(question, tools))
        behind = " ".join(each.text for each in known if each.text)

        def search(
            query: str, why: str, k: int, aim: SearchOverrides
        ) -> Steps[tuple[Passage, ...]]:
            answers = replace(aim, behind=f"{aim.behind} {behind}".strip())
            own = yield from tools.search(query, why, k, answers)
            if aim.kbs:  # the parts' passages are not of these
                return own
            return (yield from fuse_rankings(query, [own, *(each.passages for each in known)], k))

        return (yield from then.run(question, question_search(tools, question, search)))

    def _answered(self, question: Question, tools: StrategyTools) -> Steps[list[SubAnswer]]:
        """Return the parts that the model names, answered in order; a call that fails is last."""
        prompt = Prompts(question.language).text(
            "transform/decompose", question=question.text, most=str(self.parts)
        )
        parts = yield from questions_of(self.title, prompt, question.text, tools)
        answers = SubQuestionAnswerer(tools, question, question.k or self.k)
        known: list[SubAnswer] = []
        for n, part in enumerate(parts[: self.parts], start=1):
            yield Step("sub-question", part)
            steps = answers.answer(part, Phrase("sub-question {0}", n), known)
            answered = yield from with_fallback(self.title, steps, None, _GO_ON)
            if answered is None:
                break
            yield Step("thought", answered.line)
            known.append(answered)
        return known
