"""FLARE's two baselines: search with what was just written, a sentence or a window of tokens.

Nothing is looked ahead and nothing is written anew. Previous sentence: each sentence's passages are
what the sentence before it finds; it is the rhythm of IRCoT, without its reader. Previous window:
after each window of the answer the passages are replaced by what the window finds; it is RETRO's
and in-context RALM's rhythm.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.language import content_words
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.flare_writer import FlareWriter, as_query, first_sentence, whole_words


@dataclass(frozen=True, slots=True)
class PreviousWindow:
    """Windows of the answer, each the query for the next."""

    name: ClassVar[str] = "previous_window"
    title: ClassVar[str] = "Previous window"
    paper: ClassVar[str] = "Jiang et al. 2023, FLARE, arXiv 2305.06983"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    window: int = option(16, "Window", "After how many tokens it searches.", low=8, high=256)
    most_tokens: int = option(
        256, "Longest answer", "How many tokens the answer may take in all.", low=16, high=4096
    )
    k: int = option(2, "Passages", "How many passages each search gives.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search with the question, then with each window."""
        k = question.k or self.k
        passages = yield from tools.search(question.text, "the question", k)
        if not tools.enough(passages):
            return (yield from tools.answer(passages))
        writing = FlareWriter(tools, question.language, self.most_tokens)
        how = GenerationOptions(self.window)
        while writing.goes_on:
            part = whole_words((yield from writing.draft(passages, "next window", how)))
            yield from writing.keep(part)
            query = as_query(part.text)
            if writing.goes_on and content_words(query):
                found = yield from tools.search(query, "the window just written", k)
                passages = found or passages
        return (yield from writing.answer())


@dataclass(frozen=True, slots=True)
class PreviousSentence:
    """Sentences of the answer, each the query for the next."""

    name: ClassVar[str] = "previous_sentence"
    title: ClassVar[str] = "Previous sentence"
    paper: ClassVar[str] = "Jiang et al. 2023, FLARE, arXiv 2305.06983"
    needs: ClassVar[tuple[str, ...]] = ("llm",)

    sentence: int = option(
        64, "Longest sentence", "How many tokens one sentence may take.", low=8, high=256
    )
    most_tokens: int = option(
        256, "Longest answer", "How many tokens the answer may take in all.", low=16, high=4096
    )
    k: int = option(2, "Passages", "How many passages each search gives.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search with the question, then with each sentence."""
        k = question.k or self.k
        passages = yield from tools.search(question.text, "the question", k)
        if not tools.enough(passages):
            return (yield from tools.answer(passages))
        writing = FlareWriter(tools, question.language, self.most_tokens)
        how = GenerationOptions(self.sentence)
        while writing.goes_on:
            part = first_sentence((yield from writing.draft(passages, "next sentence", how)))
            yield from writing.keep(part)
            query = as_query(part.text)
            if writing.goes_on and content_words(query):
                found = yield from tools.search(query, "the sentence just written", k)
                passages = found or passages
        return (yield from writing.answer())
