"""Chain of thought: the model reasons, then answers, and nothing is searched first. A baseline.

Where only the documents count, each sentence is checked against them afterwards: it is kept, with
its source, or dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.post_hoc_attribution import answer_without_retrieval


@dataclass(frozen=True, slots=True)
class ChainOfThought:
    """The model's own reasoning and answer, without retrieval."""

    name: ClassVar[str] = "chain_of_thought"
    title: ClassVar[str] = "Chain of thought"
    paper: ClassVar[str] = "Wei et al. 2022, Chain-of-Thought Prompting, arXiv 2201.11903"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Reason and answer, without passages."""
        return (yield from answer_without_retrieval("answer/chain_of_thought", question, tools))
