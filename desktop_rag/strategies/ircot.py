"""IRCoT (Trivedi et al. 2023): each sentence of a chain of thought is the next query.

What to search for next depends on what is known so far, and what can be concluded depends on what
was found. So the two take turns: one sentence is written from all passages collected, and searched
with. The chain only finds passages; a separate reader answers from them.

The paper's reader answers at once where the model is Flan-T5, of 11 billion parameters at most,
and thinks aloud where it is GPT-3: each was the better one on its dev questions. So "auto" decides
by the model's size. Beside the paper's ends, a chain ends where a sentence says nothing that an
earlier one, or from the second sentence on the question, does not say: it would find the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.core.language import content_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sentences import sentences
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
from desktop_rag.strategies.passage_merge import merge_new, truncate_words, word_count
from desktop_rag.strategies.query_builder import clean_query

_MOST_WORDS = 350  # of a passage that the model reads
_TOO_LONG = 600  # words of a passage that is passed over
_SENTENCE = GenerationOptions(max_tokens=96, sentences=1)
_CONCLUSION = re.compile(r"\banswer is\b|答案[是为為]", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:question|问题)\s*[:：]", re.IGNORECASE)
_CHAIN_LABEL = re.compile(r"^(?:reasoning|推理)\s*[:：]\s*", re.IGNORECASE)  # as in the examples
_LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)、]\s*")
_EQUATION = re.compile(r"\d[\d\s.,()]*(?:[-+−–×x*/÷][\d\s.,()]+)+=\s*[\d.,]+")
_DIRECT_BELOW = 12 * 10**9  # parameters of the model
_FEW_WORDS = 4  # beside an equation: it names nothing to search for


@dataclass(frozen=True, slots=True)
class Ircot:
    """Reasoning and searching in turns, sentence by sentence."""

    name: ClassVar[str] = "ircot"
    title: ClassVar[str] = "Interleaved retrieval and reasoning (IRCoT)"
    paper: ClassVar[str] = "Trivedi et al. 2023, IRCoT, arXiv 2212.10509"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    k: int = option(6, "Passages a search", "How many passages each search finds.", low=1, high=50)
    most: int = option(15, "Passages in all", "How many passages it collects.", low=1, high=50)
    sentences: int = option(
        10, "Sentences", "How many sentences the chain of thought may have.", low=1, high=30
    )
    reader: str = option(
        "auto",
        "Reader",
        "How the answer is written: at once, or after thinking aloud; auto: at once by a model of "
        "fewer than 12 billion parameters, as in the paper.",
        choices=("auto", "direct", "reason"),
    )
    examples: int = examples_option("ircot")

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search and think in turns; then answer from all that was collected."""
        k = question.k or self.k
        rules = WorkedRules(
            Prompts(question.language).text("ircot/next_sentence"),
            shown_examples("ircot", self.examples, question),
        )
        collected: tuple[Passage, ...] = ()
        chain: list[str] = []
        query, why = question.text, "the question"
        for turn in range(1, self.sentences + 1):
            if query:
                found = yield from tools.search(query, why, k)
                collected = merge_new(collected, _cut_to_length(found), max(self.most, question.k))
            sentence = yield from _next_sentence(collected, chain, rules, question, tools)
            if not sentence or _says_nothing_new(sentence, chain, question):
                break
            chain.append(sentence)
            yield Step("thought", sentence)
            if _CONCLUSION.search(sentence):
                break
            query, why = _query_after(sentence, question), Phrase("sentence {0}", turn)
        return (yield from tools.answer(collected, self._manner(tools)))

    def _manner(self, tools: StrategyTools) -> str:
        """Return how the reader answers; a model of an unknown size thinks aloud."""
        is_direct = self.reader == "direct"
        if self.reader == "auto":
            size = tools.model_parameters
            is_direct = size is not None and size < _DIRECT_BELOW
        return "answer/brief" if is_direct else "answer/chain_of_thought"


def _next_sentence(
    collected: Sequence[Passage],
    chain: Sequence[str],
    rules: WorkedRules,
    question: Question,
    tools: StrategyTools,
) -> Steps[str]:
    """Return the next sentence of the chain; whatever else the model wrote is dropped."""
    so_far = ("" if question.language == "zh" else " ").join(chain)
    purpose = Phrase("sentence {0}", len(chain) + 1)
    return _first_sentence((yield from tools.write(collected, purpose, rules, so_far, _SENTENCE)))


def _first_sentence(reply: Generated) -> str:
    """Return a reply's first sentence; none where the reply broke off within it."""
    found = sentences(reply.text)
    if not found or (reply.reason == "broken" and len(found) == 1):
        return ""
    return _CHAIN_LABEL.sub("", " ".join(found[0].of(reply.text).split()))


def _says_nothing_new(sentence: str, chain: Sequence[str], question: Question) -> bool:
    """Tell whether all words of a sentence stand in one earlier sentence, or in the question.

    The first sentence may say the question in other order: the chain has to begin somewhere.
    """
    words = set(content_words(_LABEL.sub("", _LIST_NUMBER.sub("", sentence))))
    if not words:
        return sentence in chain
    earlier = [*chain, question.text] if chain else []
    return any(words <= set(content_words(each)) for each in earlier)


def _query_after(sentence: str, question: Question) -> str:
    """Return what to search for after a sentence: nothing after one that only calculates."""
    rest = _EQUATION.sub(" ", sentence)
    if rest != sentence and len(content_words(rest)) <= _FEW_WORDS:
        return ""
    return clean_query(sentence) or question.text


def _cut_to_length(found: Sequence[Passage]) -> list[Passage]:
    """Return passages cut to what the model reads; too long ones only where there are no others."""
    short = [each for each in found if word_count(each.text) <= _TOO_LONG]
    return [truncate_words(each, _MOST_WORDS) for each in short or found]
