"""Self-RAG (Asai et al. 2024): write an answer in segments, criticise each, keep the best beams.

The paper's model emits reflection tokens (table 1): Retrieve, whether passages are wanted; ISREL,
whether a passage d is relevant to the question x; ISSUP, how far d supports what was written from
it; ISUSE, how useful that is. Inference (algorithm 1, section 3.3) repeats, for each segment y_t:

1. It searches if p(Retrieve) is above a threshold.
2. Each passage d gives a segment y_t of its own, written from x, d and the answer so far.
3. Each is scored f(y_t, d) = p(y_t | x, d, y_<t) + the sum of w_G s_G over ISREL, ISSUP and ISUSE.
4. The best beams are carried on: answers so far, by the mean score of their segments.

A critic says what the tokens say: each s_G is the mean of what a type's tokens weigh, by their
probabilities (equation 4), not the weight of the likeliest alone. The paper's model emits them
(`reflection_tokens`, where the weights are, and the prompt that it was trained on); any other model
is asked for a structured output, and weighed by what it could have chosen there instead. That takes
no call more than the choice alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from desktop_rag.core.events import Draft, Notice, Step
from desktop_rag.core.phrases import Phrase
from desktop_rag.core.types import Passage
from desktop_rag.generation import citation_markers
from desktop_rag.generation.prompts import Prompts
from desktop_rag.generation.refusal import says_not_found
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Question, Steps, StrategyResult, StrategyTools, option
from desktop_rag.strategies.reflection_tokens import (
    CONTINUE,
    NEUTRAL,
    NO_RETRIEVAL,
    Critique,
    Segment,
    response_form,
    segment_of,
)

_ALTERNATIVES = 20  # as many as a server tells: all of a type's tokens are likely among them
_SEGMENT = GenerationOptions(128, logprobs=True, sentences=1)
_SEGMENT_WITH_TOKENS = GenerationOptions(128, logprobs=True, alternatives=_ALTERNATIVES)
_OPENING = replace(_SEGMENT_WITH_TOKENS, max_tokens=12)  # enough for a Retrieve token
_MODELS_WITH_TOKENS = ("selfrag", "self-rag", "self_rag")
_UNSPACED = ("zh", "ja")  # languages without a space between sentences


@dataclass(frozen=True, slots=True)
class SelfRag:
    """Writes in segments, one for each passage, and keeps those that it finds well supported.

    A beam costs, a segment, 1 + k calls of a model with reflection tokens and at most 2 + 3k of
    another (usually 1 + 2k); there are 1 + (segments - 1) * beam of these. By default that is 55 as
    a rule and 85 at most, but 11 for an answer of one sentence.
    """

    name: ClassVar[str] = "self_rag"
    title: ClassVar[str] = "Self-reflection (Self-RAG)"
    paper: ClassVar[str] = "Asai et al. 2024, Self-RAG, arXiv 2310.11511"
    needs: ClassVar[tuple[str, ...]] = ("llm", "logprobs")

    k: int = option(5, "Passages", "How many passages give a segment each.", low=1, high=20)
    beam: int = option(2, "Beams", "How many answers are carried on.", low=1, high=5)
    segments: int = option(
        3, "Segments", "How many sentences it writes at most; paper: 7.", low=1, high=20
    )
    threshold: float = option(
        0.2, "Retrieve above", "It searches if this likely to want to.", low=0.0, high=1.0
    )
    relevance: float = option(1.0, "Relevance", "Weight of relevance.", low=0.0, high=10.0)
    support: float = option(1.0, "Support", "Weight of support.", low=0.0, high=10.0)
    utility: float = option(0.5, "Utility", "Weight of usefulness.", low=0.0, high=10.0)
    constraints: str = option(
        "soft",
        "Constraints",
        "With hard, a segment that its passage does not support is left out.",
        choices=("soft", "hard"),
    )
    tokens: str = option(
        "auto",
        "Reflection tokens",
        "Whether the model emits them, and reads its own form of prompt; auto: by its name.",
        choices=("auto", "yes", "no"),
    )

    def run(self, question: Question, tools: StrategyTools) -> Steps[StrategyResult]:
        """Extend each beam by a segment and keep the best, until all are done (algorithm 1)."""
        critic = self._critic(question, tools)
        beams: Sequence[Beam] = (Beam(),)
        for _ in range(self.segments):
            grown: list[Beam] = []
            for beam in beams:
                grown += yield from self._extended(beam, question, critic, tools)
            beams = best_of(grown, self.beam)
        best = beams[0]
        if not best.is_done:
            yield Notice(Phrase("The answer was ended after {0} segments.", self.segments))
        for part in best.parts:
            yield from tools.keep(part)
        return (yield from tools.written(unfinished=best.unfinished))

    def _critic(self, question: Question, tools: StrategyTools) -> Critic:
        name = tools.model_name.casefold()
        by_name = self.tokens == "auto" and any(each in name for each in _MODELS_WITH_TOKENS)
        has_tokens = by_name or self.tokens == "yes"
        return TokenCritic(question) if has_tokens else PromptedCritic(question)

    def _extended(
        self, beam: Beam, question: Question, critic: Critic, tools: StrategyTools
    ) -> Steps[list[Beam]]:
        """Return a beam with each segment y_t that may follow it; one that is done as it is."""
        if beam.is_done:
            return [beam]
        grown = []
        for passages in (yield from self._passages_to_write_from(beam, question, critic, tools)):
            segment = yield from critic.segment(beam, passages, tools)
            yield Draft(segment.text, kept=False, tokens=segment.tokens)
            if _adds_nothing(segment, beam):
                grown.append(replace(beam, is_done=True))
                continue
            critique = yield from critic.critique(segment, passages, tools)
            if critique.is_unsupported and self.constraints == "hard":
                yield Step("decision", "left out: its passage does not support it")
                continue
            score = self._score(segment, critique)
            yield Step("decision", _score_text(critique, score))
            gap = " " if beam.parts and question.language not in _UNSPACED else ""
            spaced = replace(segment, text=f"{gap}{segment.text}")
            grown.append(beam.with_segment(spaced, score, passages))
        return grown or [replace(beam, is_done=True)]

    def _passages_to_write_from(
        self, beam: Beam, question: Question, critic: Critic, tools: StrategyTools
    ) -> Steps[list[tuple[Passage, ...]]]:
        """Return the passages d to write from: each one found, or what the beam rests on already.

        Where only documents count, an answer begins with a search, whatever the critic wants: it is
        asked before it all the same where its decision is a token of what it was trained to write.
        """
        may_do_without = bool(beam.passages) or not tools.only_documents
        if may_do_without or critic.by_token:
            retrieve = yield from critic.retrieve_probability(beam, tools)
            yield Step("decision", Phrase("retrieve: {0}", f"{retrieve:.2f}"))
            if may_do_without and retrieve <= self.threshold:
                return [beam.passages]
        last = citation_markers.normalised("".join(beam.parts[-1:]), 0)
        query = " ".join(f"{question.text} {last}".split()) if last else question.text
        why = "the question and the segment before" if last else "the question"
        found = yield from tools.search(query, why, question.k or self.k)
        if not found and not tools.only_documents:
            return [()]
        return [(each,) for each in found]

    def _score(self, segment: Segment, critique: Critique) -> float:
        """Return f(y_t, d): how probable the segment is, and what the critic says, weighted."""
        return (
            segment.likelihood
            + self.relevance * critique.relevant
            + self.support * critique.support
            + self.utility * critique.useful
        )


@dataclass(frozen=True, slots=True)
class Beam:
    """An answer so far: its parts with their scores, and what the last one rests on.

    `emitted` is what the model wrote from those passages, `before` what it wrote earlier, both with
    reflection tokens.
    """

    parts: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()
    passages: tuple[Passage, ...] = ()
    before: str = ""
    emitted: str = ""
    is_done: bool = False
    unfinished: bool = False

    @property
    def text(self) -> str:
        """The answer so far."""
        return "".join(self.parts)

    @property
    def score(self) -> float:
        """The mean over its segments, so that a longer answer is not better for its length."""
        return sum(self.scores) / len(self.scores) if self.scores else float("-inf")

    def with_segment(self, segment: Segment, score: float, passages: Sequence[Passage]) -> Beam:
        """Return the beam with one more segment."""
        goes_on = tuple(passages) == self.passages
        return Beam(
            (*self.parts, segment.text),
            (*self.scores, score),
            tuple(passages),
            self.before if goes_on else f"{self.before}{self.emitted}",
            f"{self.emitted}{segment.emitted}" if goes_on else segment.emitted,
            segment.is_last,
            segment.unfinished,
        )


def best_of(beams: Iterable[Beam], count: int) -> list[Beam]:
    """Return the best beams, best first, each text once."""
    best: dict[str, Beam] = {}
    for beam in sorted(beams, key=lambda beam: -beam.score):
        best.setdefault(beam.text, beam)
    return list(best.values())[:count]


def _adds_nothing(segment: Segment, beam: Beam) -> bool:
    """Tell whether an answer ends here: with no words, the same ones again, or that none is there.

    Of an answer that has not begun, that the passages hold none is no segment either.
    """
    return not segment.text or segment.text in beam.text or says_not_found(segment.text)


def _score_text(critique: Critique, score: float) -> str:
    return Phrase(
        "relevant {0}, supported {1}, useful {2}: {3}",
        f"{critique.relevant:.2f}",
        f"{critique.support:.2f}",
        f"{critique.useful:+.2f}",
        f"{score:.2f}",
    )


_SUPPORT = {"fully": 1.0, "partly": 0.5, "not": 0.0}
_RETRIEVE_SCHEMA = {
    "type": "object",
    "properties": {"retrieve": {"type": "boolean"}},
    "required": ["retrieve"],
}
_CRITIQUE_SCHEMA = {
    "type": "object",
    "properties": {
        "relevant": {"type": "boolean"},
        "support": {"enum": list(_SUPPORT)},
        "useful": {"type": "integer", "minimum": 1, "maximum": 5},
    },
    "required": ["relevant", "support", "useful"],
}


class Critic(Protocol):
    """Says what the reflection tokens say; `by_token`: as tokens in what the model writes."""

    by_token: ClassVar[bool]

    def retrieve_probability(self, beam: Beam, tools: StrategyTools) -> Steps[float]:
        """Return p(Retrieve): that passages are wanted before the answer goes on."""
        ...

    def segment(
        self, beam: Beam, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Segment]:
        """Return what the model writes next from passages, as it reads them best."""
        ...

    def critique(
        self, segment: Segment, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Critique]:
        """Return ISREL, ISSUP and ISUSE of a segment that was written from passages."""
        ...


@dataclass(frozen=True, slots=True)
class TokenCritic:
    """Reads the reflection tokens: one short call whether to retrieve, none for a critique.

    The prompt is the form that such a model was trained on, in place of an answer's rules.
    """

    question: Question
    by_token: ClassVar[bool] = True

    def retrieve_probability(self, beam: Beam, tools: StrategyTools) -> Steps[float]:
        """Let the model go on after what it wrote; one that says nothing of it wants passages."""
        form = response_form(self.question.text, beam.before, beam.emitted)
        reply = yield from tools.go_on_raw(form, beam.passages, "retrieve?", _OPENING)
        return segment_of(reply, by_token=True).retrieve

    def segment(
        self, beam: Beam, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Segment]:
        """Let the model write after new passages, or after the token that no search is wanted."""
        before, after = f"{beam.before}{beam.emitted}", ""
        if not passages:
            after = NO_RETRIEVAL
        elif tuple(passages) == beam.passages:
            before, after = beam.before, f"{beam.emitted}{CONTINUE}"
        form = response_form(self.question.text, before, after)
        reply = yield from tools.go_on_raw(form, passages, "segment", _SEGMENT_WITH_TOKENS)
        return segment_of(reply, by_token=True)

    def critique(
        self,
        segment: Segment,
        passages: Sequence[Passage],  # noqa: ARG002
        tools: StrategyTools,  # noqa: ARG002
    ) -> Steps[Critique]:
        """Return what the tokens beside the segment say."""
        yield from ()
        return segment.critique


@dataclass(frozen=True, slots=True)
class PromptedCritic:
    """Asks the model: one decision whether to retrieve, one for each segment."""

    question: Question
    by_token: ClassVar[bool] = False

    def retrieve_probability(self, beam: Beam, tools: StrategyTools) -> Steps[float]:
        """Ask whether the next sentence needs passages; without a decision it does."""
        messages = self._messages("self_rag/retrieve", "", beam.text)
        found = yield from tools.weigh(messages, "retrieve?", _RETRIEVE_SCHEMA)
        return 1.0 if found is None else found["retrieve"].get(True, 0.0)

    def segment(
        self, beam: Beam, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Segment]:
        """Have the answer's next sentence written by the answer's rules."""
        reply = yield from tools.go_on(passages, "segment", _SEGMENT, draft=beam.text)
        return segment_of(reply, by_token=False)

    def critique(
        self, segment: Segment, passages: Sequence[Passage], tools: StrategyTools
    ) -> Steps[Critique]:
        """Ask for ISREL, ISSUP and ISUSE in one decision; neutral without one."""
        if not passages:
            return NEUTRAL
        messages = self._messages("self_rag/critique", tools.fenced(passages), segment.text)
        found = yield from tools.weigh(messages, "critique", _CRITIQUE_SCHEMA)
        if found is None:
            return NEUTRAL
        relevant = found["relevant"].get(True, 0.0)
        support = sum(_SUPPORT[each] * p for each, p in found["support"].items())
        useful = sum((n - 3) / 2 * p for n, p in found["useful"].items())
        is_unsupported = max(found["support"], key=found["support"].__getitem__) == "not"
        return Critique(relevant, support, useful, is_unsupported)

    def _messages(self, rules: str, passages: str, text: str) -> list[Message]:
        """Return a prompt; the text goes without its numbers, which mean other passages here."""
        prompts = Prompts(self.question.language)
        plain = citation_markers.normalised(text, 0)
        asked = prompts.text(
            "self_rag/segment", passages=passages, question=self.question.text, text=plain
        ).strip()
        return [Message("system", prompts.text(rules)), Message("user", asked)]
