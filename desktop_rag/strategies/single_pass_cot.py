"""Chain of thought over passages: search once, reason, then answer. A baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option


@dataclass(frozen=True, slots=True)
class SinglePassCot:
    """One search, and an answer that reasons aloud first."""

    name: ClassVar[str] = "single_pass_cot"
    title: ClassVar[str] = "Single pass, chain of thought"
    paper: ClassVar[str] = "Wei et al. 2022, Chain-of-Thought Prompting, arXiv 2201.11903"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search once; reason, then answer."""
        passages = yield from tools.search(question.text, "the question", question.k or self.k)
        return (yield from tools.answer(passages, "answer/chain_of_thought"))
