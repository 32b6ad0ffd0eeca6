"""Adaptive-RAG (Jeong et al. 2024): as much searching as the question needs, and no more.

A router tells whether a question needs no search, one, or several, and another strategy is run
accordingly. The router is a few rules, which cost nothing, or the model, which costs one call.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.query_complexity import NONE, ONE, SEVERAL, query_complexity

DIRECT = "direct"
_NO_SEARCH = ("adaptive", DIRECT)
_ROUTE = {
    "type": "object",
    "properties": {"route": {"enum": [NONE, ONE, SEVERAL]}},
    "required": ["route"],
}


@dataclass(frozen=True, slots=True)
class Adaptive:
    """Tells how many steps a question needs, and runs a strategy that takes as many.

    It adds no call to that strategy's own, or with `router=model` one, at most two.
    """

    name: ClassVar[str] = "adaptive"
    title: ClassVar[str] = "Adaptive routing (Adaptive-RAG)"
    paper: ClassVar[str] = "Jeong et al. 2024, Adaptive-RAG, arXiv 2403.14403"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    router: str = option(
        "rules", "Router", "What tells the routes apart.", choices=("rules", "model")
    )
    none: str = option(
        DIRECT,
        "Without a search",
        "The strategy for questions that need no search; direct: the model answers by itself, "
        "unless only the documents count.",
        strategies_but=("adaptive",),
    )
    one: str = option(
        "single_pass", "One step", "The strategy for one search.", strategies_but=_NO_SEARCH
    )
    several: str = option(
        "ircot", "Several steps", "The strategy for several searches.", strategies_but=_NO_SEARCH
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Choose a route and follow it."""
        self._check()
        route = yield from self._route(question, tools)
        name = {NONE: self.none, ONE: self.one, SEVERAL: self.several}[route]
        if name == DIRECT and tools.only_documents:
            name = self.one
        yield Step("decision", f"{route}: {name}")
        if name == DIRECT:
            return (yield from tools.answer(()))
        return (yield from tools.strategy(name).run(question, tools))

    def _check(self) -> None:
        """Raise a `UsageError` for what would route for ever, or never search."""
        if self.name in (self.none, self.one, self.several):
            raise UsageError("adaptive can't be a route of its own.", "Choose another strategy.")
        if DIRECT in (self.one, self.several):
            raise UsageError(Phrase("{0} does not search.", DIRECT), "Choose another strategy.")

    def _route(self, question: Question, tools: StrategyTools) -> Steps[str]:
        """Return how many steps are needed; where the model does not say, the rules do."""
        by_rules = query_complexity(question.text)
        if self.router == "rules":
            return by_rules
        told = Prompts(question.language).text("adaptive/route", question=question.text)
        found = yield from tools.decide([Message("user", told)], "route", _ROUTE)
        return by_rules if found is None else str(found["route"])
