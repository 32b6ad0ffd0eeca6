"""How right answers and their citations are.

Exact match and token F1 as SQuAD has them (Rajpurkar et al. 2016), against the best of the known
answers; citations against the gold passages.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from desktop_rag.core.events import Answer
from desktop_rag.core.language import ARTICLES, all_words
from desktop_rag.evaluation import metrics
from desktop_rag.evaluation.datasets import EvalQuestion

_NUMBERS = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """A question with the answer that it got; `cited` are the ids of what that quotes."""

    item: EvalQuestion
    answer: Answer
    cited: frozenset[str]

    @property
    def refused(self) -> bool:
        """Whether it said that it found nothing."""
        return self.answer.mode == "refused"

    @property
    def is_hopeless(self) -> bool:
        """Whether nothing answers the question, as far as the set tells: neither is known."""
        return not self.item.gold and not self.item.answers

    @property
    def score(self) -> float:
        """How right it is: token F1, or for what nothing answers whether it was refused."""
        if self.is_hopeless:
            return float(self.refused)
        return f1(self.answer.text, self.item.answers)


def tokens(text: str) -> list[str]:
    """Return a text's words for comparing: no case, marks, articles or citation numbers."""
    plain = unicodedata.normalize("NFKC", _NUMBERS.sub(" ", text))
    return [word for word in all_words(plain) if word not in ARTICLES]


def exact(told: str, known: Sequence[str]) -> float:
    """Return 1 if the answer is one of the known ones, else 0."""
    return float(any(tokens(told) == tokens(each) for each in known))


def f1(told: str, known: Sequence[str]) -> float:
    """Return the best token F1 against the known answers."""
    return max((_f1(tokens(told), tokens(each)) for each in known), default=0.0)


def holds(told: str, known: Sequence[str]) -> float:
    """Return 1 if one of the known answers stands in the answer word for word, else 0."""
    words = f" {' '.join(tokens(told))} "
    wanted = (" ".join(tokens(each)) for each in known)
    return float(any(each and f" {each} " in words for each in wanted))


def answer_row(dataset: str, strategy: str, marked: Sequence[GradedAnswer]) -> dict[str, Any]:
    """Return the figures of a run, in percent.

    Right and F1 are over the questions with known answers, citations over those answered with
    gold known; calls and tokens are a question's, in the mean, seconds in the median.
    `refused_right` is the share of refusals among the questions without answer and gold, None where
    there are none. `interval` is that of F1.
    """
    known = [each for each in marked if each.item.answers]
    shares = [f1(each.answer.text, each.item.answers) for each in known]
    told = [each for each in marked if each.item.gold and not each.refused]
    hopeless = [each for each in marked if each.is_hopeless]
    return {
        "dataset": dataset,
        "strategy": strategy,
        "questions": len(marked),
        "exact": metrics.percent([exact(m.answer.text, m.item.answers) for m in known]),
        "f1": metrics.percent(shares),
        "interval": metrics.interval(shares),
        "citation_precision": metrics.percent(
            [metrics.recall(sorted(m.item.gold), m.cited, len(m.item.gold)) for m in told]
        ),
        "citation_recall": metrics.percent(
            [metrics.recall(sorted(m.cited), m.item.gold, len(m.cited)) for m in told]
        ),
        "refused": metrics.percent([float(m.refused) for m in marked]),
        "refused_right": (
            metrics.percent([float(m.refused) for m in hopeless]) if hopeless else None
        ),
        "llm_calls": round(sum(m.answer.llm_calls for m in marked) / max(1, len(marked)), 2),
        "prompt_tokens": round(sum(m.answer.prompt_tokens for m in marked) / max(1, len(marked))),
        "seconds_p50": metrics.percentile([m.answer.seconds for m in marked], 50),
    }


def _f1(told: Sequence[str], known: Sequence[str]) -> float:
    shared = sum((Counter(told) & Counter(known)).values())
    if not shared:
        return 0.0
    precision, found = shared / len(told), shared / len(known)
    return 2 * precision * found / (precision + found)
