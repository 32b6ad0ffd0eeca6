"""Worked examples that a model sees before a question (few-shot prompting), and their price.

The papers take theirs from training sets. These are made up for this project, under its own
licence: `resources/demonstrations/KIND/LANGUAGE.txt`, with lines of three dashes between them. They
stand in the rules, without passage tags, and no source is made of them: nothing in them can be
cited.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from desktop_rag.core.paths import resources
from desktop_rag.core.phrases import Phrase
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.ollama.token_estimate import TokenEstimate

_BETWEEN = re.compile(r"^---$", re.MULTILINE)
_ROUNDED = 10  # tokens that a price is rounded up to


@dataclass(frozen=True, slots=True)
class WorkedRules:
    """Rules, and the examples that stand behind them as far as they fit."""

    text: str
    examples: tuple[str, ...] = ()


@cache
def worked_examples(kind: str, language: str) -> tuple[str, ...]:
    """Return the examples of a kind; a language without any takes the English ones."""
    folder = resources() / "demonstrations" / kind
    file = folder / f"{language}.txt"
    if not file.is_file():
        file = folder / "en.txt"
    return tuple(each.strip() for each in _BETWEEN.split(file.read_text(encoding="utf-8")))


def with_examples(rules: str, examples: Sequence[str], prompts: Prompts) -> str:
    """Return rules with examples behind them, which are said to be made up."""
    if not examples:
        return rules
    told = prompts.text("shared/worked_examples", examples="\n\n".join(examples))
    return f"{rules}\n\n{told}".strip()


def fitting_examples(
    rules: str, examples: Sequence[str], prompts: Prompts, fits: Callable[[str], bool]
) -> tuple[str, tuple[str, ...]]:
    """Return rules with as many of the first examples as fit, and what is left out in words."""
    for count in range(len(examples), 0, -1):
        told = with_examples(rules, examples[:count], prompts)
        if fits(told):
            break
    else:
        count, told = 0, rules
    if count == len(examples):
        return told, ()
    return told, (Phrase("{0} of {1} worked examples", len(examples) - count, len(examples)),)


@cache
def tokens_each(kind: str, language: str) -> int:
    """Return about how many tokens one example of a kind adds to a prompt, rounded up to ten."""
    shipped = worked_examples(kind, language)
    told = with_examples("", shipped, Prompts(language))
    return _ROUNDED * math.ceil(TokenEstimate().of(told) / len(shipped) / _ROUNDED)
