"""EfficientRAG (Zhuang et al. 2024): rounds of searching steered by a small encoder, not by an LLM.

Each round searches with its query, and then:

1. The Labeler reads query and passage together, and marks the useful tokens of the passage.
2. The Tagger, a head on the same encoder, tags the passage: <CONTINUE> leads to a further search,
   <TERMINATE> is irrelevant. Ours knows two more: FINISH is the last hop, which the paper counts as
   <CONTINUE>, and POSITIVE is relevant, at a hop that the training data does not tell. Neither
   leads on here: after the last hop the paper's searches once more.
3. The Filter reads the query beside the marked tokens of the <CONTINUE> passages, and marks those
   tokens of both that make the next query.

Without a <CONTINUE> it ends, and the answer is given from the passages of all rounds that are not
<TERMINATE>. All three are heads of the built-in reader, of 22 million parameters. The paper has two
encoders (Labeler with Tagger, Filter), each DeBERTa-v3-large of 435 million, 304 without the
embeddings: ours is a twentieth of one of them, a fortieth of both.
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
# The tags, as the step says them.
_SHOWN_AS = {
    "CONTINUE": "leads on",
    "FINISH": "answers",
    "POSITIVE": "helps",
    "TERMINATE": "no use",
}


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
        query, queries = question.text, set[str]()
        for turn in range(1, self.rounds + 1):
            queries.add(query)
            found = yield from tools.search(query, Phrase("round {0}", turn), max(k, self.found))
            readings = tools.read(query, [reader_text(each) for each in found[: self.found]])
            if readings is None:
                if turn == 1:
                    yield Step("decision", _UNREAD)
                break
            yield from _show_tags(readings)
            for passage, reading in zip(found, readings, strict=False):
                if reading.irrelevance < self.sure:  # not surely <TERMINATE>
                    before, _ = useful.get(passage.chunk_id, (0.0, passage))
                    useful[passage.chunk_id] = (max(1.0 - reading.irrelevance, before), passage)
            query = _next_query(query, found, readings, tools)
            if not query or query in queries:
                break
        best = sorted(useful.values(), key=lambda each: -each[0])[:k]
        return (yield from tools.answer([passage for _, passage in best] or found[:k]))


def _next_query(
    query: str, found: Sequence[Passage], readings: Sequence[PairReading], tools: StrategyTools
) -> str:
    """Return what the Filter keeps of the query and of <CONTINUE> passages, "" without any."""
    labelled = [
        f"{passage.title} {_text_at(reader_text(passage), reading.useful())}"
        for passage, reading in zip(found, readings, strict=False)
        if reading.tag == "CONTINUE"
    ]
    info = "; ".join(labelled)
    filtered = tools.read(query, [info]) if info else None
    if not filtered:
        return ""
    of_query, of_info = filtered[0].kept()
    return " ".join(f"{_text_at(query, of_query)} {_text_at(info, of_info)}".split())


def _show_tags(readings: Sequence[PairReading]) -> Steps[None]:
    """Show how many passages were tagged in which way."""
    counts = Counter(each.tag for each in readings)
    yield Step("labels", ", ".join(f"{counts[tag]} {name}" for tag, name in _SHOWN_AS.items()))


def _text_at(text: str, ranges: Sequence[CharRange]) -> str:
    return " ".join(text[begin:end] for begin, end in ranges)
