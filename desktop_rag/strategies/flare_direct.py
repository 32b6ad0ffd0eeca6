"""Direct FLARE (Jiang et al. 2023, section 3.2): look one sentence ahead, search where unsure.

In step t the model guesses a tentative next sentence ŝ_t = LM([x, y_<t]) from the question x and
the answer so far y_<t, without passages: what it knows itself, and how sure it is of it. Then:

    when to search (3.2.1)   s_t = ŝ_t                  if all of its words have p >= theta
                             s_t = LM([D_q, x, y_<t])   else, where D_q is what q_t finds
    what to search (3.2.2)   q_t = mask(ŝ_t)            implicit: ŝ_t without words of p < beta
                             q_t = qgen(ŝ_t)            explicit: a question a span of p < beta

A refusal to guess is doubt: then x, and the sentence before, are searched with. The first D is what
x finds. Passages are replaced, never collected. Where only documents count, a sentence that the
model is sure of is no answer yet: it is written from D, the passages of the last search, without
another one; where they do not say it, ŝ_t is searched with after all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import Draft, Notice, Step
from desktop_rag.core.language import content_words
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import says_not_found
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.flare_writer import AnswerPart, FlareWriter
from desktop_rag.strategies.passage_merge import interleave_by_rank
from desktop_rag.strategies.query_builder import one_line
from desktop_rag.strategies.token_confidence import TokenConfidence

_NOT_THERE = "the passages do not say it"
_QUESTION_TOKENS = 48
_MOST_QUESTIONS = 4  # for one sentence, where the paper sets no limit


@dataclass(slots=True)
class _Memory:
    """D and what found it; how many sentences there are, and for how many was retrieved."""

    passages: tuple[Passage, ...]
    queries: list[str]
    sentences: int = 0
    retrieved: int = 0


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
        "A word less probable than this makes it search; higher values search more.",
        low=0.0,
        high=1.0,
    )
    beta: float = option(
        0.4,
        "Leave out below",
        "Words less probable than this are left out of the query, or asked about.",
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
        memory = _Memory(passages, [question.text])
        while writer.goes_on:
            yield from self._write_next(writer, memory, question, tools)
        rate = round(100 * memory.retrieved / max(1, memory.sentences))
        yield Step(
            "decision",
            Phrase(
                "retrieved for {0} of {1} sentences ({2}%)",
                memory.retrieved,
                memory.sentences,
                rate,
            ),
        )
        return (yield from writer.answer())

    def _write_next(
        self, writer: FlareWriter, memory: _Memory, question: Question, tools: StrategyTools
    ) -> Steps[None]:
        """Look one sentence ahead; keep ŝ_t as s_t, or write s_t from passages."""
        options = GenerationOptions(self.look_ahead, logprobs=True, sentences=1)
        rules = Prompts(question.language).text("flare_direct/look_ahead")
        guess = yield from writer.guess(rules, "look ahead", options)
        if writer.text and not guess.text:  # it has no more to say, or failed
            yield from writer.keep(guess)
            return
        memory.sentences += 1
        why = self._why_unsure(guess)
        is_kept = not why and not tools.only_documents
        yield from _show_draft(guess, kept=is_kept)
        sentence = guess
        if not why and not is_kept:
            sentence = yield from writer.sentence(memory.passages, "from the passages", options)
            why = _NOT_THERE if says_not_found(sentence.text) else ""
        if why:
            memory.retrieved += 1
            queries = yield from self._queries(question, tools, writer.text, guess)
            yield from self._retrieve(queries, why, memory, question, tools)
            sentence = yield from writer.sentence(memory.passages, "write anew", options)
        if not is_kept:
            yield from _show_draft(sentence, kept=True)
        yield from writer.keep(sentence)

    def _why_unsure(self, sentence: AnswerPart) -> str:
        """When to search (3.2.1): name the word of ŝ_t below theta; "" if there is none."""
        least = TokenConfidence(sentence.text, sentence.tokens).least_confident()
        if not sentence.text or says_not_found(sentence.text):
            why = "the model does not know"
        elif least is None:
            why = "" if sentence.tokens else "unsure of all of it"
        elif least.probability >= self.theta:
            why = ""
        else:
            word = sentence.text[least.start : least.end]
            why = Phrase("unsure of “{0}” ({1})", word, f"{least.probability:.0%}")
        return why

    def _queries(
        self, question: Question, tools: StrategyTools, so_far: str, sentence: AnswerPart
    ) -> Steps[list[str]]:
        """What to search (3.2.2): return qgen(ŝ_t), or mask(ŝ_t); x if that masks all of ŝ_t.

        Where ŝ_t is none, what was written last stands behind x.
        """
        if not sentence.text or says_not_found(sentence.text):
            last = sentences(so_far)[-1].of(so_far) if so_far else ""
            return [f"{question.text} {one_line(last)}".strip()]
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
        self,
        queries: list[str],
        why: str,
        memory: _Memory,
        question: Question,
        tools: StrategyTools,
    ) -> Steps[None]:
        """Put D_q in D's place: the best that each query finds, interleaved into one ranked list.

        Asked the same again, or where nothing is found, D stays.
        """
        if queries == memory.queries:
            return
        memory.queries = queries
        k = question.k or self.k
        rankings = []
        for query in queries:
            rankings += [(yield from tools.search(query, why, k))]
        memory.passages = interleave_by_rank(rankings, k) or memory.passages


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
