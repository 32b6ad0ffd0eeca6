"""FLARE with retrieval instructions (Jiang et al. 2023, section 3.1): the model asks for them.

Its prompt tells it to write `[Search(query)]` where a fact is missing. The reply ends there, the
passages are replaced by what the query finds, and the answer goes on behind what was written. The
mark is never part of the answer. After the last search that it may have, the model answers with
what it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import ClassVar

from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import (
    Generated,
    Question,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.flare_writer import AnswerPart, FlareWriter, whole_words
from desktop_rag.strategies.query_builder import one_line

_MARK_ENDS = (")]", "）]", ")】", "）】")
# Models also write [Search: query] and [搜索(query)]; the end of a mark goes with the stop.
_MARK = re.compile(r"[\[【]\s*(?:search|搜索|检索)\b[\s(:：（\"“]*([^\])）】\"”]*)", re.IGNORECASE)
_UNCLOSED_BRACKET = re.compile(r"\s*[\[【][^\]】]*$")


@dataclass(frozen=True, slots=True)
class FlareInstruct:
    """An answer in which the model marks where, and with what, to search."""

    name: ClassVar[str] = "flare_instruct"
    title: ClassVar[str] = "FLARE, instructed"
    paper: ClassVar[str] = "Jiang et al. 2023, FLARE, arXiv 2305.06983"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    searches: int = option(
        5, "Searches", "How often the model may ask for a search.", low=1, high=20
    )
    most_tokens: int = option(
        256, "Longest answer", "How many tokens the answer may take in all.", low=16, high=4096
    )
    k: int = option(2, "Passages", "How many passages each search gives.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search with the question, then write on, and search wherever the model asks for it."""
        k = question.k or self.k
        passages = yield from tools.search(question.text, "the question", k)
        if not tools.enough(passages):
            return (yield from tools.answer(passages))
        writer = FlareWriter(tools, question.language, self.most_tokens)
        queries: list[str] = []
        may_search = True
        while writer.goes_on:
            options = GenerationOptions(self.most_tokens, stop=_MARK_ENDS if may_search else ())
            manner = "flare_instruct/search_marks" if may_search else "answer/brief"
            reply = yield from writer.draft(passages, "answer", options, manner)
            part, query = _split_at_mark(reply, may_search=may_search)
            if part.text or part.is_last or not may_search:
                yield from writer.keep(part)
            may_search &= writer.goes_on and bool(query) and query not in queries
            if may_search:
                queries.append(query)
                passages = (yield from tools.search(query, "the model asks", k)) or passages
            may_search &= len(queries) < self.searches
        return (yield from writer.answer())


def _split_at_mark(reply: Generated, *, may_search: bool) -> tuple[AnswerPart, str]:
    """Return what stands before the first mark, and the mark's query, "" where there is none.

    An answer that asks for a search although there is none left is unfinished.
    """
    mark = _MARK.search(reply.text)
    if mark is None:
        part = whole_words(replace(reply, text=_UNCLOSED_BRACKET.sub("", reply.text)))
        return part, ""
    before = reply.text[: mark.start()].rstrip()
    part = AnswerPart(before, reply.gap, is_last=not may_search, is_broken=not may_search)
    return part, one_line(mark[1])
