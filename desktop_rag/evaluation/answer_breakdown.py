"""The figures of a way on the built-in questions: all together, by kind, and by language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from desktop_rag.evaluation import answer_metrics, metrics
from desktop_rag.evaluation.answer_metrics import GradedAnswer, f1, holds
from desktop_rag.evaluation.answer_records import FAILED
from desktop_rag.evaluation.builtin_questions import KINDS, LANGUAGES, NAME, kind_of, language_of


def breakdown_row(strategy: str, marked: Sequence[GradedAnswer]) -> dict[str, Any]:
    """Return the figures of `answer_metrics.answer_row`, and more.

    In percent: `holds`, the answers in which a known one stands word for word (of those known);
    `refused_wrong`, the refusals of what has an answer; `f1_…`, of the known ones of one kind or
    language, None where there are none, and `holds_…` likewise. `answer_tokens` is a question's, in
    the mean; seconds are the median and the sum; `failed` counts questions without an answer.
    """
    known = [each for each in marked if each.item.answers]
    seconds = [each.answer.seconds for each in marked]
    return answer_metrics.answer_row(NAME, strategy, marked) | {
        "holds": metrics.percent([holds(m.answer.text, m.item.answers) for m in known]),
        "refused_wrong": metrics.percent([float(m.refused) for m in known]),
        "answer_tokens": round(sum(m.answer.answer_tokens for m in marked) / max(1, len(marked))),
        "seconds_p50": metrics.percentile(seconds, 50),
        "seconds": round(sum(seconds), 1),
        "failed": sum(each.answer.mode == FAILED for each in marked),
        **_parts(known),
    }


def _parts(known: Sequence[GradedAnswer]) -> dict[str, float | None]:
    """Return F1 and `holds` of the questions of each kind and language that have an answer."""
    made: dict[str, float | None] = {}
    for measure, score in (("f1", f1), ("holds", holds)):
        for part in (*KINDS[:2], *LANGUAGES):
            shares = [
                score(each.answer.text, each.item.answers)
                for each in known
                if part in (kind_of(each.item), language_of(each.item))
            ]
            made[f"{measure}_{part}"] = metrics.percent(shares) if shares else None
    return made
