"""Direct FLARE (Jiang et al. 2023, section 3.2): look one sentence ahead, search where unsure.

In step t the model drafts a tentative next sentence ŝ_t = LM([D, x, y_<t]) from the question x, the
answer so far y_<t and the passages D of the last search (in the paper without D). Then:

    when to search (3.2.1)   s_t = ŝ_t                  if all of its tokens have p >= theta
                             s_t = LM([D_q, x, y_<t])   else, where D_q is what q_t finds
    what to search (3.2.2)   q_t = mask(ŝ_t)            implicit: ŝ_t without tokens of p < beta
                             q_t = qgen(ŝ_t)            explicit: a question a span of p < beta

The first D is what x finds. Passages are replaced, never collected.
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
from desktop_rag.strategies.flare_writer import AnswerPart, FlareWriter, first_sentence
from desktop_rag.strategies.passage_merge import interleave_by_rank
from desktop_rag.strategies.query_builder import one_line
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
        writer = FlareWriter(tools, question.language, self.most_tokens)  # its text is y_<t
        options = GenerationOptions(self.look_ahead, logprobs=True)
        total = retrieved = 0
        while writer.goes_on:
            sentence = first_sentence((yield from writer.draft(passages, "look ahead", options)))
            unsure_of = self._why_unsure(sentence)
            yield from _show_draft(sentence, kept=not unsure_of)
            total += bool(sentence.text)
            if unsure_of:
                retrieved += 1
                queries = yield from self._queries(question, tools, writer.text, sentence)
                found = yield from self._retrieve(queries, unsure_of, question, tools)
                passages = found or passages
                regenerated = yield from writer.draft(passages, "write anew", options)
                sentence = first_sentence(regenerated)
                yield from _show_draft(sentence, kept=True)
            yield from writer.keep(sentence)
        rate = round(100 * retrieved / max(1, total))
        yield Step(
            "decision",
            Phrase("retrieved for {0} of {1} sentences ({2}%)", retrieved, total, rate),
        )
        return (yield from writer.answer())

    def _why_unsure(self, sentence: AnswerPart) -> str:
        """When to search (3.2.1): name the token of ŝ_t below theta; "" if there is none."""
        if not sentence.text or says_not_found(sentence.text):  # nothing to search with
            return ""
        least = TokenConfidence(sentence.text, sentence.tokens).least_confident()
        why = "unsure of all of it"
        if least is not None:
            token = sentence.text[least.start : least.end].strip()
            unsure = Phrase("unsure of “{0}” ({1})", token, f"{least.probability:.0%}")
            why = unsure if least.probability < self.theta else ""
        return why

    def _queries(
        self, question: Question, tools: StrategyTools, so_far: str, sentence: AnswerPart
    ) -> Steps[list[str]]:
        """What to search (3.2.2): return qgen(ŝ_t), or mask(ŝ_t); x if that masks all of ŝ_t."""
        confidence = TokenConfidence(sentence.text, sentence.tokens)
        questions: list[str] = []
        if self.queries == "explicit":
            written = f"{so_far} {sentence.text}".strip()
            for span in confidence.uncertain_spans(self.beta)[:_MOST_QUESTIONS]:
                questions += [(yield from _question_about(span, written, question, tools))]
        masked = confidence.masked(self.beta)
        implicit = masked if content_words(masked) else question.text
        return list(dict.fromkeys(filter(None, questions))) or [implicit]

    def _retrieve(
        self, queries: list[str], why: str, question: Question, tools: StrategyTools
    ) -> Steps[tuple[Passage, ...]]:
        """Return D_q: the best that each query finds, interleaved into one ranked list."""
        k = question.k or self.k
        rankings = []
        for query in queries:
            rankings += [(yield from tools.search(query, why, k))]
        return interleave_by_rank(rankings, k)


def _question_about(
    span: str, written: str, question: Question, tools: StrategyTools
) -> Steps[str]:
    """Return the question of qgen whose answer is a span of what is written, "" for none."""
    prompt = Prompts(question.language).text(
        "flare_direct/question", question=question.text, written=written, span=span
    )
    purpose, options = Phrase("question about “{0}”", span), GenerationOptions(_QUESTION_TOKENS)
    try:
        reply = yield from tools.generate([Message("user", prompt)], purpose, options)
    except ModelUnavailable as problem:
        yield Notice(Phrase("{0} The sentence itself is searched with.", problem.sentence))
        return ""
    query = one_line(reply.text.partition("\n")[0])
    if query:
        yield Step("sub-question", query)
    return query


def _show_draft(sentence: AnswerPart, *, kept: bool) -> Steps[None]:
    """Show the tentative ŝ_t, or the s_t that is kept, as a draft."""
    if sentence.text:
        yield Draft(sentence.text, kept, sentence.tokens)
