"""EfficientRAG (Zhuang et al. 2024): rounds of searching steered by a small encoder, not by an LLM.

A labeler marks the tokens of each passage that are of use and tags the passage; what those that
lead on say goes, with the query, to a filter, whose kept tokens are the next query. When nothing
leads on, the answer is given from all passages that are not surely of no use. Labeler, tagger and
filter are heads of the built-in reader, which is a seventh of the size of the paper's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import ChunkId, Passage
from desktop_rag.models.pair_reader import CharRange, PairReading
from desktop_rag.retrieval.passage_links import reader_text
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option

_UNREAD = "The built-in reader does not read this question: one search is done."
_SAID = {"CONTINUE": "leads on", "FINISH": "answers", "POSITIVE": "helps", "TERMINATE": "no use"}


@dataclass(frozen=True, slots=True)
class EfficientRag:
    """Several searches, each query made by a small encoder; no language model until the answer."""

    name: ClassVar[str] = "efficient_rag"
    title: ClassVar[str] = "EfficientRAG"
    paper: ClassVar[str] = "Zhuang et al. 2024, EfficientRAG, arXiv 2408.04259"
    needs: ClassVar[tuple[str, ...]] = ()

    rounds: int = option(4, "Rounds", "How often it searches at most.", low=1, high=10)
    found: int = option(10, "Read a round", "How many passages are labelled.", low=1, high=50)
    sure: float = option(
        0.8,
        "Sureness",
        "How probable it must be that a passage says nothing of the query, to leave it out.",
        low=0.05,
        high=1.0,
    )
    k: int = option(
        10, "Passages", "How many passages the answer rests on at most.", low=1, high=50
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search, label and filter until nothing leads on; answer from what is of use.

        A query that is made may be one that the reader cannot read, such as two years.
        """
        k = question.k or self.k
        useful: dict[ChunkId, tuple[float, Passage]] = {}
        query, asked = question.text, set[str]()
        for turn in range(1, self.rounds + 1):
            asked.add(query)
            found = yield from tools.search(query, Phrase("round {0}", turn), max(k, self.found))
            read = tools.read(query, [reader_text(each) for each in found[: self.found]])
            if read is None:
                if turn == 1:
                    yield Step("decision", _UNREAD)
                break
            yield from _told(read)
            for passage, said in zip(found, read, strict=False):
                worth = max(1.0 - said.silence, useful.get(passage.chunk_id, (0.0, passage))[0])
                if said.silence < self.sure:
                    useful[passage.chunk_id] = (worth, passage)
            query = _next_query(query, found, read, tools)
            if not query or query in asked:
                break
        best = sorted(useful.values(), key=lambda each: -each[0])[:k]
        return (yield from tools.answer([passage for _, passage in best] or found[:k]))


def _next_query(
    query: str, found: Sequence[Passage], read: Sequence[PairReading], tools: StrategyTools
) -> str:
    """Return what the filter keeps of the query and of what leads on, "" where nothing does."""
    leading = [
        f"{passage.title} {_joined(reader_text(passage), said.useful())}"
        for passage, said in zip(found, read, strict=False)
        if said.tag == "CONTINUE"
    ]
    info = "; ".join(leading)
    filtered = tools.read(query, [info]) if info else None
    if not filtered:
        return ""
    of_query, of_info = filtered[0].kept()
    return " ".join(f"{_joined(query, of_query)} {_joined(info, of_info)}".split())


def _told(read: Sequence[PairReading]) -> Steps[None]:
    """Show how many passages were tagged in which way."""
    counts = Counter(_SAID[each.tag] for each in read)
    yield Step("labels", ", ".join(f"{counts[said]} {said}" for said in _SAID.values()))


def _joined(text: str, ranges: Sequence[CharRange]) -> str:
    return " ".join(text[begin:end] for begin, end in ranges)
