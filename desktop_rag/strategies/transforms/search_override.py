"""Tools that search in another way, for the user's question alone or for every query."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from desktop_rag.core.types import Passage
from desktop_rag.strategies.base import (
    NO_OVERRIDES,
    Question,
    SearchOverrides,
    Steps,
    StrategyTools,
)

Search = Callable[[str, str, int, SearchOverrides], Steps[tuple[Passage, ...]]]


@dataclass(frozen=True, slots=True)
class _OtherSearch:
    """Tools with another search; every other tool is handed on, those to come as well."""

    tools: StrategyTools
    changed: Search

    def search(
        self, query: str, why: str, k: int, aim: SearchOverrides = NO_OVERRIDES
    ) -> Steps[tuple[Passage, ...]]:
        """Search in the other way."""
        return self.changed(query, why, k, aim)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tools, name)


def every_search(tools: StrategyTools, search: Search) -> StrategyTools:
    """Return tools whose every search is this one."""
    return cast("StrategyTools", _OtherSearch(tools, search))


def question_search(tools: StrategyTools, question: Question, search: Search) -> StrategyTools:
    """Return tools whose search is this one where a query is the question, or begins with it.

    What a strategy searches for besides stays its own.
    """

    def chosen(query: str, why: str, k: int, aim: SearchOverrides) -> Steps[tuple[Passage, ...]]:
        find = search if is_question_query(query, question) else tools.search
        return find(query, why, k, aim)

    return every_search(tools, chosen)


def aimed_search(
    tools: StrategyTools, question: Question, change: Callable[[SearchOverrides], SearchOverrides]
) -> StrategyTools:
    """Return tools that put the question to the index in another way."""

    def search(query: str, why: str, k: int, aim: SearchOverrides) -> Steps[tuple[Passage, ...]]:
        return tools.search(query, why, k, change(aim))

    return question_search(tools, question, search)


def is_question_query(query: str, question: Question) -> bool:
    """Tell whether a query is the question, or begins with it as a whole."""
    text = question.text
    rest = query[len(text) :]
    is_inside_a_word = text[-1:].isalnum() and rest[:1].isalnum() and rest[:1].isascii()
    return query.startswith(text) and not is_inside_a_word
