"""The option that shows a strategy's model worked examples, as its paper does (few-shot prompting).

The papers show four to twenty. Here none is shown by default: they cost their tokens in each call,
and the models of today are told the form in words.
"""

from __future__ import annotations

from typing import Any

from desktop_rag.generation.worked_examples import worked_examples
from desktop_rag.strategies.base import Question, option

_MOST = 3  # that are shipped of each kind


def examples_option(kind: str) -> Any:
    """Declare how many examples of a kind the model sees."""
    effect = "How many worked examples the model sees before the passages, as in the paper."
    return option(0, "Examples", effect, low=0, high=_MOST, examples=kind)


def shown_examples(kind: str, count: int, question: Question) -> tuple[str, ...]:
    """Return the first examples of a kind in the question's language."""
    return worked_examples(kind, question.language)[:count] if count else ()
