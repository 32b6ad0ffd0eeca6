"""Direct FLARE (Jiang et al. 2023, section 3.2): look one sentence ahead, search where unsure.

The first D is what the question x finds, and the first sentence is looked ahead with it. From then
on the model guesses a tentative next sentence ŝ_t = LM([x, y_<t]) from x and the answer so far
y_<t, without passages: what it knows itself, and how sure it is of it. Then:

    when to search (3.2.1)   s_t = ŝ_t                  if all of its words have p >= theta
                             s_t = LM([D_q, x, y_<t])   else, where D_q is what q_t finds
    what to search (3.2.2)   q_t = mask(ŝ_t)            implicit: ŝ_t without words of p < beta
                             q_t = qgen(ŝ_t)            explicit: a question a span of p < beta

A refusal is doubt: then a guess, or x with the sentence before, is searched with. Passages are
replaced, never collected. Where only documents count, a guess that the model is sure of is no
answer yet: it is written from D, the passages of the last search, without another one; where they
do not say it, ŝ_t is searched with after all.
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
        writer = FlareWriter(tools, question.language, self.most_tokens)
        run = _Run(question, tools, writer, passages, [question.text])
        while writer.goes_on:
            yield from self._write_next(run)
        rate = round(100 * run.retrieved / max(1, run.sentences))
        yield Step(
            "decision",
            Phrase("retrieved for {0} of {1} sentences ({2}%)", run.retrieved, run.sentences, rate),
        )
        return (yield from writer.answer())

    def _write_next(self, run: _Run) -> Steps[None]:
        """Look one sentence ahead; keep ŝ_t as s_t, or write s_t from passages."""
        is_first = not run.writer.text
        ahead = yield from (
            self._from_passages(run, "look ahead") if is_first else self._guess(run)
        )
        if not is_first and not ahead.text:  # it has no more to say, or failed
            yield from run.writer.keep(ahead)
            return
        run.sentences += 1
        why = self._why_unsure(ahead)
        is_kept = not why and (is_first or not run.tools.only_documents)
        yield from _show_draft(ahead, kept=is_kept)
        sentence = ahead
        if not is_kept and not why:
            sentence = yield from self._from_passages(run, "from the passages")
            why = _NOT_THERE if says_not_found(sentence.text) else ""
        if why:
            sentence = yield from self._write_anew(run, ahead, why)
        if not is_kept:
            yield from _show_draft(sentence, kept=True)
        yield from run.writer.keep(sentence)

    def _write_anew(self, run: _Run, ahead: AnswerPart, why: str) -> Steps[AnswerPart]:
        """Return s_t, written from what ŝ_t finds; ŝ_t itself where it was, and finds the same."""
        is_first = not run.writer.text
        guess = ahead
        if is_first and _is_none(ahead):
            guess = yield from self._guess(run)
        queries = yield from self._queries(run, guess)
        if queries == run.queries and is_first:
            return ahead
        yield from self._retrieve(run, queries, why)
        return (yield from self._from_passages(run, "write anew"))

    def _guess(self, run: _Run) -> Steps[AnswerPart]:
        """Return LM([x, y_<t])."""
        rules = Prompts(run.question.language).text("flare_direct/look_ahead")
        return run.writer.guess(rules, "look ahead", self._options)

    def _from_passages(self, run: _Run, purpose: str) -> Steps[AnswerPart]:
        """Return LM([D, x, y_<t])."""
        return run.writer.sentence(run.passages, purpose, self._options)

    @property
    def _options(self) -> GenerationOptions:
        return GenerationOptions(self.look_ahead, logprobs=True, sentences=1)

    def _why_unsure(self, sentence: AnswerPart) -> str:
        """When to search (3.2.1): name the word of ŝ_t below theta; "" if there is none."""
        least = TokenConfidence(sentence.text, sentence.tokens).least_confident()
        if _is_none(sentence):
            why = "the model does not know"
        elif least is None:
            why = "" if sentence.tokens else "unsure of all of it"
        elif least.probability >= self.theta:
            why = ""
        else:
            word = sentence.text[least.start : least.end]
            why = Phrase("unsure of “{0}” ({1})", word, f"{least.probability:.0%}")
        return why

    def _queries(self, run: _Run, guess: AnswerPart) -> Steps[list[str]]:
        """What to search (3.2.2): return qgen(ŝ_t), or mask(ŝ_t); x if that masks all of ŝ_t.

        Where ŝ_t is none, what was written last stands behind x.
        """
        so_far, text = run.writer.text, run.question.text
        if _is_none(guess):
            last = sentences(so_far)[-1].of(so_far) if so_far else ""
            return [f"{text} {one_line(last)}".strip()]
        confidence = TokenConfidence(guess.text, guess.tokens)
        questions: list[str] = []
        if self.queries == "explicit":
            written = f"{so_far} {guess.text}".strip()
            for span in confidence.uncertain_spans(self.beta)[:_MOST_QUESTIONS]:
                questions += [(yield from _question_about(span, written, run.question, run.tools))]
        masked = confidence.masked(self.beta)
        implicit = masked if content_words(masked) else text
        return list(dict.fromkeys(filter(None, questions))) or [implicit]

    def _retrieve(self, run: _Run, queries: list[str], why: str) -> Steps[None]:
        """Put D_q in D's place: the best that each query finds, interleaved into one ranked list.

        Asked the same again, or where nothing is found, D stays.
        """
        if queries == run.queries:
            return
        run.queries = queries
        run.retrieved += 1
        k = run.question.k or self.k
        rankings = []
        for query in queries:
            rankings += [(yield from run.tools.search(query, why, k))]
        run.passages = interleave_by_rank(rankings, k) or run.passages


@dataclass(slots=True)
class _Run:
    """D and what found it; y_<t is the writer's text; for how many sentences was retrieved."""

    question: Question
    tools: StrategyTools
    writer: FlareWriter
    passages: tuple[Passage, ...]
    queries: list[str]
    sentences: int = 0
    retrieved: int = 0


def _is_none(sentence: AnswerPart) -> bool:
    """Whether a sentence says nothing that could be searched with."""
    return not sentence.text or says_not_found(sentence.text)


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
