"""Verify (chain of verification, Dhuliawala et al. 2023): check the answer, then correct it.

The strategy's answer is a draft that is not shown as the answer. Questions that check it are
answered from passages of their own, without the draft in sight, so that its mistakes are not
repeated. Then the answer is written anew, from the passages of draft and checks together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from desktop_rag.core.events import Draft, Notice, Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.reply_cleaning import questions_of, with_fallback
from desktop_rag.strategies.transforms.sub_answers import SubAnswer, SubQuestionAnswerer

_UNCHECKED = "The answer is not checked."
_LONGEST = 3000  # characters of a draft that are told again


@dataclass(frozen=True, slots=True)
class Verify:
    """Checks the answer by questions answered from passages, then writes it anew."""

    name: ClassVar[str] = "verify"
    title: ClassVar[str] = "Verify"
    paper: ClassVar[str] = "Dhuliawala et al. 2023, Chain-of-Verification, arXiv 2309.11495"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    checks: int = option(3, "Checks", "How many questions check the answer at most.", low=1, high=5)
    k: int = option(3, "Passages", "How many passages each check is answered from.", low=1, high=50)

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Run the strategy out of sight, check what it wrote, and write the answer."""
        draft = yield from tools.unseen(then.run(question, tools))
        if draft.mode == "extracted":
            yield Notice(Phrase("{0}: quotes alone were given. {1}", self.title, _UNCHECKED))
        if draft.mode != "generated" or not draft.text:
            return draft  # where passages alone are measured nothing is written
        yield Draft(draft.text, kept=False)
        said = citation_markers.strip_citations(
            citation_markers.normalised(draft.text, len(draft.sources))
        )[:_LONGEST]
        steps = self._checked(question, tools, said)
        checks = yield from with_fallback(self.title, steps, (), _UNCHECKED)
        if not checks:
            yield from tools.keep(draft.text)
            return draft
        lines = "\n".join(f"- {check.line}" for check in checks)
        aside = Prompts(question.language).text(
            "transform/verification_results", draft=said, checks=lines
        )
        passages = _together(draft.sources, *(check.passages for check in checks))
        return (yield from tools.answer(passages, aside=aside))

    def _checked(
        self, question: Question, tools: StrategyTools, draft: str
    ) -> Steps[Sequence[SubAnswer]]:
        """Return the answers to questions that check a draft; none where the model asks none."""
        prompt = Prompts(question.language).text(
            "transform/verification_questions",
            question=question.text,
            draft=draft,
            most=str(self.checks),
        )
        asked = yield from questions_of(self.title, prompt, "", tools, _UNCHECKED)
        answers = SubQuestionAnswerer(tools, question, question.k or self.k)
        checked: list[SubAnswer] = []
        for n, check in enumerate(asked[: self.checks], start=1):
            yield Step("sub-question", check)
            answered = yield from answers.answer(check, Phrase("check {0}", n))
            yield Step("thought", answered.line)
            checked.append(answered)
        return checked


def _together(*found: Sequence[Passage]) -> tuple[Passage, ...]:
    """Return the passages of several searches, each once, those of the draft first."""
    kept: dict[ChunkId, Passage] = {}
    for each in chain(*found):
        kept.setdefault(each.chunk_id, each)
    return tuple(kept.values())
