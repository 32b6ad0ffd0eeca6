"""Direct: the model answers from what it knows, and nothing is searched first. A baseline.

Where only the documents count, each sentence is checked against them afterwards: it is kept, with
its source, or dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.post_hoc_attribution import answer_without_retrieval


@dataclass(frozen=True, slots=True)
class Direct:
    """The model's own answer, without retrieval."""

    name: ClassVar[str] = "direct"
    title: ClassVar[str] = "Direct"
    paper: ClassVar[str] = "Brown et al. 2020, GPT-3, arXiv 2005.14165"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Answer in a few sentences, without passages."""
        return (yield from answer_without_retrieval("answer/brief", question, tools))
