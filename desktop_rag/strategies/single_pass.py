"""Single pass: search with the question, answer from what was found. The standard RAG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option


@dataclass(frozen=True, slots=True)
class SinglePass:
    """One search, one answer. Works without a language model, by quoting."""

    name: ClassVar[str] = "single_pass"
    title: ClassVar[str] = "Single pass"
    paper: ClassVar[str] = "Lewis et al. 2020, Retrieval-Augmented Generation"
    needs: ClassVar[tuple[str, ...]] = ()

    k: int = option(5, "Passages", "How many passages the answer rests on.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search once and answer once."""
        passages = yield from tools.search(question.text, "the question", question.k or self.k)
        return (yield from tools.answer(passages))
