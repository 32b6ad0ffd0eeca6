"""Self-query: what a question says of the documents themselves becomes a filter.

“PDFs from 2023 about the lease” is `ext:pdf after:2023 before:2024` and “the lease”. A filter that
cannot be read is dropped; one that selects nothing is given up, and the search is done without it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar

from desktop_rag.catalog import metadata_filter
from desktop_rag.core.errors import UsageError
from desktop_rag.core.events import Notice, Step
from desktop_rag.core.language import content_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import Message
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
)
from desktop_rag.strategies.transforms.base import Researcher
from desktop_rag.strategies.transforms.reply_cleaning import AS_IT_IS, clean_reply, with_fallback
from desktop_rag.strategies.transforms.search_override import every_search, is_question_query

_SCHEMA = {
    "type": "object",
    "properties": {"filter": {"type": "string"}, "query": {"type": "string"}},
    "required": ["filter", "query"],
}


@dataclass(frozen=True, slots=True)
class SelfQuery:
    """Searches only the documents that the question speaks of, by kind, name or date."""

    name: ClassVar[str] = "self_query"
    title: ClassVar[str] = "Filter from the question"
    paper: ClassVar[str] = "LangChain 2023, Self-querying retriever"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    def run(
        self, question: Question, tools: StrategyTools, then: Researcher
    ) -> Steps[StrategyResult]:
        """Have the question taken apart, and search with the filter and the rest."""
        today = date.today().isoformat()
        prompt = Prompts(question.language).text(
            "transform/self_query", question=question.text, today=today
        )
        steps = tools.decide((Message("user", prompt),), "filter", _SCHEMA)
        found = yield from with_fallback(self.title, steps, {})
        if found is None:
            yield Notice(f"{self.title}: {AS_IT_IS}")
        if _is_copied((found or {}).get("filter", ""), prompt, question.text):
            yield Notice("A filter that the model copied from the example is dropped.")
            found = {}
        narrowed = yield from _narrowed(found or {}, question, tools)
        return (yield from then.run(question, narrowed))


def _is_copied(chosen: str, prompt: str, question: str) -> bool:
    """Whether a filter is the prompt's example, though the question names none of its numbers."""
    if not chosen or f'"filter": "{chosen}"' not in prompt:
        return False
    return not any(number in question for number in re.findall(r"\d+", chosen))


def _narrowed(
    found: dict[str, Any], question: Question, tools: StrategyTools
) -> Steps[StrategyTools]:
    """Return tools that search with the filter that was found, if it is one."""
    chosen = " ".join(found.get("filter", "").split())
    if not chosen:
        return tools
    try:
        metadata_filter.parse_filter(chosen)
    except UsageError as wrong:
        yield Notice(Phrase("A filter that the model wrote is dropped: {0}", wrong.what))
        return tools
    rest = clean_reply(found.get("query", ""))
    rest = rest if content_words(rest) else question.text
    yield Step("decision", f"{chosen} · {rest}")
    return every_search(tools, _Narrowed(tools, question, chosen, rest).search)


@dataclass(slots=True)
class _Narrowed:
    """Searches with a filter until it turns out to select nothing.

    The filter holds for whatever a strategy searches for; the rest stands for the question alone.
    """

    tools: StrategyTools
    question: Question
    filter: str
    rest: str

    def search(
        self, query: str, why: str, k: int, aim: SearchOverrides
    ) -> Steps[tuple[Passage, ...]]:
        """Search what the filter selects; without it where that is nothing."""
        if self.filter:
            instead = aim.instead or (self.rest if is_question_query(query, self.question) else "")
            narrow = replace(aim, instead=instead, where=f"{self.filter} {aim.where}".strip())
            found = yield from self.tools.search(query, why, k, narrow)
            if found:
                return found
            yield Notice(Phrase("The filter “{0}” selects nothing; all is searched.", self.filter))
            self.filter = ""
        return (yield from self.tools.search(query, why, k, aim))
