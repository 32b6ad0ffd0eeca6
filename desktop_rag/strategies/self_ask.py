"""Self-Ask (Press et al. 2022): the model asks itself what it must know first, one thing at a time.

A question of several parts is seldom answered in one place. The model writes a follow-up question
and stops where its answer would come; what a search finds for it is all that the model then reads.
It writes that answer, and stops where the next follow-up would come.

The paper takes the model's last sentence for the answer. Here it only ends the research, for it was
written without the passages of the parts before: the answer is given from what all searches found.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.core.language import all_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.worked_examples import WorkedRules
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import (
    Generated,
    Question,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.example_options import examples_option, shown_examples
from desktop_rag.strategies.fallback_search import enough_or_by_question
from desktop_rag.strategies.query_builder import clean_query

_TOKENS = 128  # of one turn: a question, or its answer


@dataclass(frozen=True, slots=True)
class SelfAsk:
    """Follow-up questions, each answered from passages of its own."""

    name: ClassVar[str] = "self_ask"
    title: ClassVar[str] = "Self-Ask"
    paper: ClassVar[str] = "Press et al. 2022, Self-Ask, arXiv 2210.03350"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    rounds: int = option(5, "Follow-up questions", "How many it may ask itself.", low=1, high=20)
    k: int = option(
        5, "Passages a follow-up", "How many passages answer each of them.", low=1, high=50
    )
    most: int = option(
        10, "Passages of the answer", "How many of all passages the answer reads.", low=1, high=50
    )
    examples: int = examples_option("self_ask")

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Ask and answer follow-ups until none is left; then answer the question."""
        k = question.k or self.k
        labels = _labels_in(question.language)
        so_far, asked = labels.needed, [all_words(question.text)]
        searches: list[tuple[Passage, ...]] = []
        rules = Prompts(question.language).text("self_ask/rules")
        shown = shown_examples("self_ask", self.examples, question)
        write = _Writer(WorkedRules(rules, shown), tools)
        for turn in range(1, self.rounds + 1):
            context = searches[-1] if searches else ()
            reply = yield from write(context, so_far, labels.intermediate)
            follow_up = labels.question_in(reply)
            words = all_words(follow_up)
            if not words or words in asked:  # asked again, it would find the same
                break
            asked.append(words)
            yield Step("sub-question", follow_up)
            searches.append((yield from tools.search(follow_up, Phrase("follow-up {0}", turn), k)))
            so_far = labels.with_follow_up(so_far, reply, follow_up)
            reply = yield from write(searches[-1], so_far, labels.follow_up)
            answer = labels.answer_in(reply)
            yield Step("thought", answer)
            so_far = f"{so_far} {answer}"
            if reply.reason == "broken" or labels.ends(reply.text):
                break
        most = max(self.most, question.k)
        found = yield from enough_or_by_question(searches, most, k, question, tools)
        return (yield from tools.answer(found, "answer/chain_of_thought"))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Has the conversation written on, up to the label that is another's to answer."""

    rules: WorkedRules
    tools: StrategyTools

    def __call__(self, passages: Sequence[Passage], so_far: str, stop: str) -> Steps[Generated]:
        """Return what the model writes next."""
        options = GenerationOptions(_TOKENS, stop=(stop,))
        return self.tools.write(passages, Phrase("up to “{0}”", stop), self.rules, so_far, options)


@dataclass(frozen=True, slots=True)
class _Labels:
    """What each part of the conversation begins with, in the question's language."""

    needed: str
    follow_up: str
    intermediate: str
    final: str

    def ends(self, text: str) -> bool:
        """Tell whether the model has come to its final answer."""
        return bool(_pattern(self.final).search(text))

    def question_in(self, reply: Generated) -> str:
        """Return the first follow-up of a reply; none after the end, or where it broke off."""
        before, *after = _pattern(self.follow_up).split(reply.text, maxsplit=1)
        if not after or reply.reason == "broken" or self.ends(before):
            return ""
        return clean_query(after[0].strip().partition("\n")[0])

    def answer_in(self, reply: Generated) -> str:
        """Return what a reply says before it goes on to a question or to the end."""
        said = _pattern(self.final).split(reply.text)[0]
        return " ".join(_pattern(self.follow_up).split(said)[0].split())

    def with_follow_up(self, so_far: str, reply: Generated, follow_up: str) -> str:
        """Return the conversation with a follow-up, up to where its answer comes."""
        before = " ".join(_pattern(self.follow_up).split(reply.text)[0].split())
        begun = f"{so_far} {before}".rstrip()
        return f"{begun}\n{self.follow_up} {follow_up}\n{self.intermediate}"


def _labels_in(language: str) -> _Labels:
    return _Labels(*Prompts(language).text("self_ask/labels").splitlines())


def _pattern(label: str) -> re.Pattern[str]:
    """Return a label as models write it: with a hyphen, with either colon, in any case."""
    words = re.escape(label.rstrip(":：")).replace(r"\ ", "[ -]")
    return re.compile(rf"{words}\s*[:：]", re.IGNORECASE)
