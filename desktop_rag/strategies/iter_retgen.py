"""ITER-RETGEN (Shao et al. 2023): each round searches with what the round before wrote.

A generation, right or wrong, names what an answer would speak of; searched with, it finds passages
that the question alone does not. Passages are replaced each round, never collected; there is no
early stop; the last round's answer is the answer. A draft is never shown as one: where not only
documents count, it says what the model knows itself, wherever the passages are silent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Draft
from desktop_rag.core.phrases import Phrase
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.query_builder import one_line


@dataclass(frozen=True, slots=True)
class IterRetgen:
    """Rounds of searching and generating, each feeding the next."""

    name: ClassVar[str] = "iter_retgen"
    title: ClassVar[str] = "Iterative retrieval and generation (ITER-RETGEN)"
    paper: ClassVar[str] = "Shao et al. 2023, ITER-RETGEN, arXiv 2305.15294"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    rounds: int = option(
        3, "Rounds", "How often it searches; 2 give most of the gain.", low=1, high=10
    )
    k: int = option(5, "Passages", "How many passages each round reads.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search and think `rounds` times; the last thought is the answer."""
        k = question.k or self.k
        passages = yield from tools.search(question.text, "round 1: the question", k)
        for turn in range(2, self.rounds + 1):
            thought = yield from tools.think(passages, Phrase("round {0}", turn - 1))
            yield Draft(thought.text, kept=False)
            query = f"{question.text} {one_line(thought.text)}"
            why = Phrase("round {0}: the question and what round {1} wrote", turn, turn - 1)
            passages = yield from tools.search(query, why, k)
        return (yield from tools.answer(passages, "answer/chain_of_thought"))
