"""FLARE's two baselines (Jiang et al. 2023, section 4): the query is what was written just before.

The answer is written in steps, s_t = LM([D, x, y_<t]) with D the passages that q_t = s_(t-1) finds
and q_1 = x, the question. Nothing is looked ahead, and nothing is written anew. Previous window: a
step is l tokens, as in RETRO and in-context RALM. Previous sentence: a step is a sentence, as in
IRCoT, but without its reader.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.language import content_words
from desktop_rag.models.protocols import GenerationOptions
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.flare_writer import FlareWriter, whole_words
from desktop_rag.strategies.query_builder import one_line


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
        """Search with the question x, then with each window s_t of l tokens."""
        k = question.k or self.k
        passages = yield from tools.search(question.text, "the question", k)
        if not tools.enough(passages):
            return (yield from tools.answer(passages))
        writer = FlareWriter(tools, question.language, self.most_tokens)
        options = GenerationOptions(self.window)
        while writer.goes_on:
            part = whole_words((yield from writer.draft(passages, "next window", options)))
            yield from writer.keep(part)
            query = one_line(part.text)
            if writer.goes_on and content_words(query):
                found = yield from tools.search(query, "the window just written", k)
                passages = found or passages
        return (yield from writer.answer())


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
        """Search with the question x, then with each sentence s_t."""
        k = question.k or self.k
        passages = yield from tools.search(question.text, "the question", k)
        if not tools.enough(passages):
            return (yield from tools.answer(passages))
        writer = FlareWriter(tools, question.language, self.most_tokens)
        options = GenerationOptions(self.sentence, sentences=1)
        while writer.goes_on:
            part = yield from writer.sentence(passages, "next sentence", options)
            yield from writer.keep(part)
            query = one_line(part.text)
            if writer.goes_on and content_words(query):
                found = yield from tools.search(query, "the sentence just written", k)
                passages = found or passages
        return (yield from writer.answer())
