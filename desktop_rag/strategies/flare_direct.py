"""FLARE, direct (Jiang et al. 2023): look one sentence ahead, and search where the model is unsure.

The model writes a tentative next sentence. If it is sure of every token the sentence is kept. If
not, the sentence itself is the query, without what the model was least sure of (implicit), or as
questions about just that (explicit), and it is written anew from what is found. Passages are
replaced, never collected.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Draft, Notice, Step
from desktop_rag.core.language import content_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import says_not_found
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.flare_writer import AnswerPart, FlareWriter, as_query, first_sentence
from desktop_rag.strategies.passage_merge import interleave_by_rank
from desktop_rag.strategies.token_confidence import TokenConfidence

_QUESTION_TOKENS = 48
_MOST_QUESTIONS = 4  # for one sentence, where the paper sets no limit


@dataclass(frozen=True, slots=True)
class FlareDirect:
    """Sentences, each searched for and written anew where the model is unsure of it."""

    name: ClassVar[str] = "flare_direct"
    title: ClassVar[str] = "FLARE, direct"
    paper: ClassVar[str] = "Jiang et al. 2023, FLARE, arXiv 2305.06983"
    needs: ClassVar[tuple[str, ...]] = ("llm", "logprobs")

    queries: str = option(
        "implicit",
        "Queries",
        "implicit: the sentence without its unsure words; explicit: a question about each.",
        choices=("implicit", "explicit"),
    )
    theta: float = option(
        0.8,
        "Search below",
        "A token less probable than this makes it search; higher values search more.",
        low=0.0,
        high=1.0,
    )
    beta: float = option(
        0.4,
        "Leave out below",
        "Tokens less probable than this are left out of the query, or asked about.",
        low=0.0,
        high=1.0,
    )
    look_ahead: int = option(
        64, "Look-ahead", "How many tokens a tentative sentence may take.", low=8, high=256
    )
    most_tokens: int = option(
        256, "Longest answer", "How many tokens the answer may take in all.", low=16, high=4096
    )
    k: int = option(2, "Passages", "How many passages each search gives.", low=1, high=50)

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Search with the question, then look ahead sentence by sentence."""
        passages = yield from tools.search(question.text, "the question", question.k or self.k)
        if not tools.enough(passages):
            return (yield from tools.answer(passages))
        writing = FlareWriter(tools, question.language, self.most_tokens)
        how = GenerationOptions(self.look_ahead, logprobs=True)
        total = retrieved = 0
        while writing.goes_on:
            sentence = first_sentence((yield from writing.draft(passages, "look ahead", how)))
            doubt = self._doubt(sentence)
            yield from _shown(sentence, kept=not doubt)
            total += bool(sentence.text)
            if doubt:
                retrieved += 1
                queries = yield from self._queries(question, tools, writing.text, sentence)
                passages = (yield from self._found(question, tools, queries, doubt)) or passages
                sentence = first_sentence((yield from writing.draft(passages, "write anew", how)))
                yield from _shown(sentence, kept=True)
            yield from writing.keep(sentence)
        rate = round(100 * retrieved / max(1, total))
        yield Step(
            "decision",
            Phrase("retrieved for {0} of {1} sentences ({2}%)", retrieved, total, rate),
        )
        return (yield from writing.answer())

    def _doubt(self, sentence: AnswerPart) -> str:
        """Say what the model is unsure of in a sentence, "" where it is sure."""
        if not sentence.text or says_not_found(sentence.text):  # nothing to search with
            return ""
        least = TokenConfidence(sentence.text, sentence.tokens).least()
        why = "unsure of all of it"
        if least is not None:
            token = sentence.text[least.start : least.end].strip()
            is_unsure = least.probability < self.theta
            why = (
                Phrase("unsure of “{0}” ({1})", token, f"{least.probability:.0%}")
                if is_unsure
                else ""
            )
        return why

    def _queries(
        self, question: Question, tools: StrategyTools, so_far: str, sentence: AnswerPart
    ) -> Steps[list[str]]:
        """Return what to search with for a sentence: questions, or what is sure of it."""
        sureness = TokenConfidence(sentence.text, sentence.tokens)
        asked: list[str] = []
        if self.queries == "explicit":
            written = f"{so_far} {sentence.text}".strip()
            for span in sureness.spans(self.beta)[:_MOST_QUESTIONS]:
                asked += [(yield from _question_about(span, written, question, tools))]
        sure = sureness.without(self.beta)
        rest = sure if content_words(sure) else question.text
        return list(dict.fromkeys(filter(None, asked))) or [rest]

    def _found(
        self, question: Question, tools: StrategyTools, queries: list[str], doubt: str
    ) -> Steps[tuple[Passage, ...]]:
        """Return the best that the queries find, in one ranked list."""
        k = question.k or self.k
        lists = []
        for query in queries:
            lists += [(yield from tools.search(query, doubt, k))]
        return interleave_by_rank(lists, k)


def _question_about(
    span: str, written: str, question: Question, tools: StrategyTools
) -> Steps[str]:
    """Return a question whose answer is an unsure span of what is written, "" for none."""
    asking = Prompts(question.language).text(
        "flare_direct/question", question=question.text, written=written, span=span
    )
    asked = [Message("user", asking)]
    how = GenerationOptions(_QUESTION_TOKENS)
    try:
        reply = yield from tools.generate(asked, Phrase("question about “{0}”", span), how)
    except ModelUnavailable as problem:
        yield Notice(Phrase("{0} The sentence itself is searched with.", problem.sentence))
        return ""
    query = as_query(reply.text.partition("\n")[0])
    if query:
        yield Step("sub-question", query)
    return query


def _shown(sentence: AnswerPart, *, kept: bool) -> Steps[None]:
    if sentence.text:
        yield Draft(sentence.text, kept, sentence.tokens)
