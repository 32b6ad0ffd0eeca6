"""DSP (Khattab et al. 2022): each hop writes a search query from what the hops before have found.

Version 1: the first query comes from the question alone, later ones from the passages so far, whose
clues are written down before the query. What a hop finds joins what was found; the answer is
predicted from all of it.

Version 2 samples: many queries a hop, whose passages are fused, and many answers, of which the most
common wins. One unlucky query or answer then decides nothing, at many times the cost.

*Demonstrate*, on request, shows examples of each hop's query (`demonstrations`); the prediction is
made without. *Search* and *predict* are the hops and the answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from desktop_rag.core.events import Draft, Step
from desktop_rag.core.language import ARTICLES, all_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import (
    Generated,
    Question,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.demonstrations import Demonstration, most_alike, with_examples
from desktop_rag.strategies.fallback_search import enough_or_by_question
from desktop_rag.strategies.passage_merge import merge_new
from desktop_rag.strategies.query_builder import clean_query

_PASSAGES = {"v1": 2, "v2": 5}  # that a hop finds, in the paper
_DEPTH = 3  # times as many passages of each query go into the fusion
_QUERY = GenerationOptions(max_tokens=160)
_SAMPLED_QUERY = GenerationOptions(max_tokens=160, temperature=0.7)
_SAMPLED_ANSWER = GenerationOptions(max_tokens=400, temperature=0.7)
_QUERY_LABEL = re.compile(r"(?:search )?query\s*[:：]|检索词\s*[:：]", re.IGNORECASE)
_CLUES_LABEL = re.compile(r"rationale\s*[:：]|依据\s*[:：]", re.IGNORECASE)
_ANSWER = re.compile(r"\banswer is\b\s*[:：]?|答案[是为為]\s*[:：]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Dsp:
    """Hops of writing a query and searching with it; then a prediction."""

    name: ClassVar[str] = "dsp"
    title: ClassVar[str] = "Demonstrate, search, predict (DSP)"
    paper: ClassVar[str] = "Khattab et al. 2022, DSP, arXiv 2212.14024"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    version: str = option(
        "v1",
        "Version",
        "v1 writes one query a hop; v2 samples queries and answers and lets them vote.",
        choices=("v1", "v2"),
    )
    hops: int = option(2, "Hops", "How often it searches.", low=1, high=10)
    k: int = option(
        0, "Passages a hop", "How many passages a hop adds; 0: 2 in v1, 5 in v2.", low=0, high=50
    )
    samples: int = option(
        10, "Samples", "How many queries a hop, and how many answers, v2 samples.", low=1, high=50
    )
    demonstrations: int = option(
        0,
        "Demonstrations",
        "How many worked examples, those most like the question, are shown before a query; each "
        "adds 40 to 60 tokens to a call, the first 50 more.",
        low=0,
        high=8,
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Write a query and search, hop by hop; then predict the answer."""
        k = question.k or self.k or _PASSAGES[self.version]
        examples = most_alike(self.demonstrations, question.language, tools)
        writer = _QueryWriter(question, tools, examples)
        context: tuple[Passage, ...] = ()
        for hop in range(1, self.hops + 1):
            if self.version == "v2":
                found = yield from self._sampled_search(hop, k, context, writer)
            else:
                query = yield from writer.query(Phrase("hop {0}", hop), context, _QUERY)
                found = yield from tools.search(query, Phrase("hop {0}", hop), k)
            context = merge_new(context, found, hop * k)
        most = max(len(context), k)
        context = yield from enough_or_by_question([context], most, k, question, tools)
        if self.version == "v2" and context:
            return (yield from self._sampled_answer(context, tools))
        return (yield from tools.answer(context, "answer/chain_of_thought"))

    def _sampled_search(
        self, hop: int, k: int, context: Sequence[Passage], writer: _QueryWriter
    ) -> Steps[Sequence[Passage]]:
        """Return the k passages that many sampled queries agree on."""
        queries = Counter[str]()
        for turn in range(1, self.samples + 1):
            purpose = Phrase("hop {0}, sample {1}", hop, turn)
            queries[(yield from writer.query(purpose, context, _SAMPLED_QUERY))] += 1
        total, known = dict[int, float](), dict[int, Passage]()
        for query, times in queries.items():
            found = yield from writer.tools.search(
                query, Phrase("hop {0}, {1} of the samples", hop, times), _DEPTH * k
            )
            for passage, share in zip(found, _softmax(found), strict=True):
                chunk = passage.chunk_id
                total[chunk] = total.get(chunk, 0.0) + times * share
                known.setdefault(chunk, passage)
        return [known[chunk] for chunk in sorted(total, key=lambda each: -total[each])[:k]]

    def _sampled_answer(
        self, context: Sequence[Passage], tools: StrategyTools
    ) -> Steps[StrategyResult]:
        """Return the first of the sampled answers that says what most of them say."""
        drafts: list[Generated] = []
        for turn in range(1, self.samples + 1):
            draft = yield from tools.go_on(
                context, Phrase("answer {0}", turn), _SAMPLED_ANSWER, "answer/chain_of_thought"
            )
            yield Draft(draft.text, kept=False)
            drafts.append(draft)
        whole = [each for each in drafts if each.text and each.reason == "stop"] or drafts
        votes = Counter(_vote_key(_short_answer(each.text)) for each in whole)
        said, most = votes.most_common(1)[0]
        chosen = next(each for each in whole if _vote_key(_short_answer(each.text)) == said)
        yield Step("decision", f"{most}/{len(whole)}: {_short_answer(chosen.text)}")
        yield from tools.keep(chosen.text)
        return (yield from tools.written(unfinished=chosen.reason != "stop"))


@dataclass(frozen=True, slots=True)
class _QueryWriter:
    """Has queries written for a question, after the examples of it."""

    question: Question
    tools: StrategyTools
    examples: tuple[Demonstration, ...]

    def query(
        self, purpose: str, context: Sequence[Passage], options: GenerationOptions
    ) -> Steps[str]:
        """Return a query from the question, or from the clues in what was found."""
        prompts = Prompts(self.question.language)
        rules = prompts.text("dsp/next_query" if context else "dsp/first_query")
        rules = with_examples(rules, self.examples, prompts, is_first=not context)
        reply = yield from self.tools.write(context, purpose, rules, "", options)
        if reply.reason == "broken":
            return self.question.text
        *clues, said = _QUERY_LABEL.split(reply.text)
        if clues and (clue := clean_query(_CLUES_LABEL.sub(" ", clues[0]))):
            yield Step("thought", clue)
        lines = [line for line in map(clean_query, said.splitlines()) if line]
        if not lines:
            return self.question.text
        return lines[0] if clues else lines[-1]


def _softmax(found: Sequence[Passage]) -> list[float]:
    """Return the scores of a search as probabilities that sum to 1 (softmax)."""
    scores = np.array([each.score for each in found])
    raised = np.exp(scores - scores.max(initial=0.0))
    return [float(share) for share in raised / raised.sum()]


def _short_answer(draft: str) -> str:
    """Return the short answer that a draft ends with; a draft without one is its own."""
    return clean_query(_ANSWER.split(draft)[-1])


def _vote_key(answer: str) -> str:
    """Return what makes two answers the same: all their words, “not” too, but for articles."""
    return " ".join(word for word in all_words(answer) if word not in ARTICLES)
