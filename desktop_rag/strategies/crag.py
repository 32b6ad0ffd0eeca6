"""CRAG (Yan et al. 2024): judge what was found before an answer rests on it, and correct it.

An evaluator scores every passage. One that is good enough makes the search *correct*; none that is
better than poor makes it *incorrect*; else it is *ambiguous*. Of what is good only the strips that
speak of the question are kept. What is bad is thrown away, and searched for again: in keywords, and
in the user's other knowledge bases. The paper goes to the web there; this never does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.events import Notice, Step
from desktop_rag.core.language import content_runs
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import (
    Question,
    SearchOverrides,
    Steps,
    StrategyResult,
    StrategyTools,
    option,
)
from desktop_rag.strategies.evaluator import evaluate_passages
from desktop_rag.strategies.strips import best_of, recompose, strips_of

CORRECT, AMBIGUOUS, INCORRECT = "correct", "ambiguous", "incorrect"
_KEYWORD_TOKENS = 60
_MARKS = re.compile(r"""[\s,，、;；:：."“”'*`#\[\]]+""")  # between keywords


@dataclass(frozen=True, slots=True)
class Crag:
    """Searches, judges what was found, and corrects it before answering.

    The thresholds are the built-in reader's, tried once on fifty questions each of HotpotQA and
    CMRC 2018: with the right passage among those found, 94 and 52 in a hundred are correct and 0
    and 2 incorrect; without it, 28 and 10 are correct. A false *incorrect* is the dear mistake.

    Besides the answer it calls the model once at most, for keywords, where the built-in reader
    reads the language; else once more for every twenty passages or strips, as far as they fit.
    """

    name: ClassVar[str] = "crag"
    title: ClassVar[str] = "Corrective retrieval (CRAG)"
    paper: ClassVar[str] = "Yan et al. 2024, CRAG, arXiv 2401.15884"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    k: int = option(5, "Passages", "How many passages are judged.", low=1, high=50)
    upper: float = option(
        0.6, "Correct from", "One passage of this score makes a search correct.", low=0.0, high=1.0
    )
    lower: float = option(
        0.25, "Incorrect below", "All below this make a search incorrect.", low=0.0, high=1.0
    )
    sentences: int = option(3, "Strip", "How many sentences make a strip.", low=1, high=10)
    strips: int = option(6, "Strips kept", "How many strips the answer rests on.", low=1, high=50)
    bases: int = option(
        3,
        "Other knowledge bases",
        "In how many of your other knowledge bases it looks after a poor search.",
        low=0,
        high=20,
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search, judge, correct, keep the best strips, and answer from them."""
        found = yield from tools.search(question.text, "the question", question.k or self.k)
        scores = yield from evaluate_passages(found, "evaluate the passages", question, tools)
        verdict = self._verdict(found, scores)
        best = f", the best passage {max(scores):.2f}" if scores else ""
        yield Step("decision", f"{verdict}{best}")
        if verdict == CORRECT:
            return (yield from self._refined(found, question, tools))
        if verdict == INCORRECT:
            yield Notice("Nothing that was found seems to answer this; the search is widened.")
        more = yield from self._widened(found, question, tools)
        passages = (*found, *more) if verdict == AMBIGUOUS else more or found
        return (yield from self._refined(passages, question, tools))

    def _verdict(self, found: Sequence[Passage], scores: Sequence[float]) -> str:
        """Return what the scores say together; passages that nobody scored are ambiguous."""
        if found and not scores:
            return AMBIGUOUS
        if any(score >= self.upper for score in scores):
            return CORRECT
        return INCORRECT if all(score < self.lower for score in scores) else AMBIGUOUS

    def _refined(
        self, passages: Sequence[Passage], question: Question, tools: StrategyTools
    ) -> Steps[StrategyResult]:
        """Answer from the best strips; from whole passages where nobody scored their strips."""
        strips = strips_of(passages, self.sentences)
        each = [strip.as_passage() for strip in strips]
        scores = yield from evaluate_passages(each, "evaluate the strips", question, tools)
        if not scores:
            return (yield from tools.answer(passages))
        kept = best_of(strips, scores, self.strips)
        yield Step("decision", f"{len(kept)} of {len(strips)} strips kept")
        return (yield from tools.answer(recompose(kept)))

    def _widened(
        self, found: Sequence[Passage], question: Question, tools: StrategyTools
    ) -> Steps[tuple[Passage, ...]]:
        """Return what keywords find that was not there before, here and in other bases."""
        query = yield from _keywords(question, tools)
        k = question.k or self.k
        known = {each.chunk_id for each in found}
        more = yield from tools.search(query, "keywords, as the question found too little", k)
        new = {each.chunk_id: each for each in more}
        for base in question.others[: self.bases]:
            why = f"the same keywords in “{base.name}”"
            more = yield from tools.search(query, why, k, SearchOverrides(kbs=(base.id,)))
            if more:
                titles = ", ".join(dict.fromkeys(each.title for each in more))
                yield Notice(f"From your knowledge base “{base.name}”: {titles}.")
            new |= {each.chunk_id: each for each in more}
        return tuple(each for key, each in new.items() if key not in known)


def _keywords(question: Question, tools: StrategyTools) -> Steps[str]:
    """Return the question as keywords, of the model's or, where it writes none, its own words."""
    told = Prompts(question.language).text("keywords", question=question.text)
    how = GenerationOptions(_KEYWORD_TOKENS)
    reply = yield from tools.generate([Message("user", told)], "keywords", how)
    written = " ".join(_MARKS.sub(" ", reply.text).split())
    return written or " ".join(content_runs(question.text)) or question.text
