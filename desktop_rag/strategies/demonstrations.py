"""Worked examples of multi-hop questions for DSP (Khattab et al. 2022): its *demonstrate* stage.

The paper bootstraps annotations from a training set. A person's documents have none, so the chains
are made up for this project, under its own licence, and shipped: of each, the first query, what it
found out, and the next one. Those most like the question are shown (the paper's kNN), the nearest
last, next to it. They are told to be made up: no answer may come from them, and none is in them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from desktop_rag.core.paths import resources
from desktop_rag.generation import worked_examples
from desktop_rag.generation.prompts import Prompts
from desktop_rag.strategies.base import StrategyTools


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A question with the queries of two hops; `rationale` is what the first hop found out."""

    question: str
    query: str
    rationale: str
    next_query: str


@cache
def shipped_demonstrations(language: str) -> tuple[Demonstration, ...]:
    """Return the examples in a language; one without a file takes the English ones."""
    folder = resources() / "demonstrations" / "dsp"
    file = folder / f"{language}.jsonl"
    if not file.is_file():
        file = folder / "en.jsonl"
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(Demonstration(**json.loads(line)) for line in lines if line.strip())


def most_alike(count: int, language: str, tools: StrategyTools) -> tuple[Demonstration, ...]:
    """Return as many examples as asked for that are most like the question, the nearest last."""
    if not count:
        return ()
    known = shipped_demonstrations(language)
    alike = tools.likeness([each.question for each in known])
    best = sorted(range(len(known)), key=lambda at: -alike[at])[:count]
    return tuple(known[at] for at in reversed(best))


def with_examples(
    rules: str, shown: Sequence[Demonstration], prompts: Prompts, *, is_first: bool
) -> str:
    """Return the rules of a hop with examples of that hop behind them."""
    if not shown:
        return rules
    name = "dsp/first_example" if is_first else "dsp/next_example"
    told = (
        {"question": each.question, "query": each.query}
        if is_first
        else {"question": each.question, "rationale": each.rationale, "query": each.next_query}
        for each in shown
    )
    return worked_examples.with_examples(
        rules, [prompts.text(name, **each) for each in told], prompts
    )
