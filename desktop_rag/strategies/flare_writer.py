"""An answer that is written part by part: the next sentence or window, and when it is at its end.

It ends where the model has no more to say, says again what it said, fails after something was
kept, or has used up the tokens that the answer may take. So it always ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.events import answer_broken_off, answer_cut_at_limit
from desktop_rag.core.language import content_words
from desktop_rag.core.sentences import sentences
from desktop_rag.core.types import Passage
from desktop_rag.generation.answer_continuation import IS_WIDE, LAST_WORD
from desktop_rag.generation.prompts import Prompts
from desktop_rag.models.protocols import GenerationOptions, Message
from desktop_rag.strategies.base import Generated, Steps, StrategyResult, StrategyTools
from desktop_rag.strategies.token_confidence import tokens_of_prefix

_MOST_PARTS = 40  # of an answer
_LEAST_TOKENS = 4  # fewer that are left are not worth a call
_LEAST_WORDS = 3  # that mean something: fewer may well be said again


@dataclass(frozen=True, slots=True)
class AnswerPart:
    """The next part of an answer. `gap` is the white space before it.

    `is_last` says that nothing comes after it, `is_broken` that the model broke off in it.
    """

    text: str
    gap: str = ""
    is_last: bool = False
    is_broken: bool = False
    tokens: tuple[tuple[str, float], ...] = ()


@dataclass(slots=True)
class FlareWriter:
    """The answer so far, and how many tokens it may take in all."""

    tools: StrategyTools
    language: str
    most_tokens: int
    text: str = ""
    goes_on: bool = True
    _parts: list[str] = field(default_factory=list)
    _unfinished: bool = False

    def draft(
        self,
        passages: Sequence[Passage],
        purpose: str,
        options: GenerationOptions,
        manner: str = "answer/brief",
    ) -> Steps[Generated]:
        """Return what the model would write next; nothing, after a notice, if it breaks off."""
        options = self._within_limit(options)
        return (yield from self._kept_alive(self.tools.go_on(passages, purpose, options, manner)))

    def sentence(
        self, passages: Sequence[Passage], purpose: str, options: GenerationOptions
    ) -> Steps[AnswerPart]:
        """Return the next sentence, as the passages have it."""
        return first_sentence((yield from self.draft(passages, purpose, options)))

    def guess(self, rules: str, purpose: str, options: GenerationOptions) -> Steps[AnswerPart]:
        """Return the next sentence, as the model guesses it by `rules`."""
        options = self._within_limit(options)
        steps = self.tools.write((), purpose, rules, self.text, options)
        return first_sentence((yield from self._kept_alive(steps)))

    def _kept_alive(self, steps: Steps[Generated]) -> Steps[Generated]:
        """Run a call; where it fails behind a part that was kept, say so and end the answer."""
        try:
            return (yield from steps)
        except ModelUnavailable as problem:
            if not self.text:
                raise
            yield answer_broken_off(problem.sentence)
            return Generated("", "broken")

    def keep(self, part: AnswerPart) -> Steps[None]:
        """Append a part to the answer and show it, unless it is not new."""
        self._unfinished = part.is_broken
        self.goes_on = self._is_new(part)
        if not self.goes_on:
            return
        spaced = _space_before(self.text, part) + part.text
        self.text += spaced
        self._parts.append(part.text)
        yield from self.tools.keep(spaced)
        has_room = self._tokens_left() >= _LEAST_TOKENS and len(self._parts) < _MOST_PARTS
        self.goes_on = has_room and not part.is_last
        if not (has_room or part.is_last):
            self._unfinished = True
            yield answer_cut_at_limit(self.most_tokens)

    def answer(self) -> Steps[StrategyResult]:
        """Return the parts that were kept as the answer."""
        return self.tools.written(unfinished=self._unfinished)

    def _within_limit(self, options: GenerationOptions) -> GenerationOptions:
        return replace(options, max_tokens=max(1, min(options.max_tokens, self._tokens_left())))

    def _is_new(self, part: AnswerPart) -> bool:
        """Say whether a part is new, or has only words of one part before it.

        Behind an answer, "not found" is no part of it.
        """
        if self.text and part.text == Prompts(self.language).not_found:
            return False
        words = set(content_words(part.text))
        is_repeated = len(words) >= _LEAST_WORDS and any(
            words <= set(content_words(each)) for each in self._parts
        )
        return bool(part.text) and part.text not in self._parts and not is_repeated

    def _tokens_left(self) -> int:
        """Return about how many tokens the answer may still take."""
        room = self.tools.room
        return self.most_tokens - room(()) + room((Message("assistant", self.text),))


def first_sentence(reply: Generated) -> AnswerPart:
    """Return the first sentence of a reply; all whole words of one in which none ends."""
    spans = sentences(reply.text)
    if len(spans) <= 1:
        return whole_words(reply)
    end = spans[0].end
    return AnswerPart(
        reply.text[:end], reply.gap, tokens=tokens_of_prefix(reply.text, reply.tokens, end)
    )


def whole_words(reply: Generated) -> AnswerPart:
    """Return a reply without the word, or the citation, in which its tokens ran out."""
    is_last = reply.reason != "length"
    whole = "" if is_last else LAST_WORD.sub("", reply.text).rstrip()
    text = whole or reply.text
    tokens = tokens_of_prefix(reply.text, reply.tokens, len(text))
    return AnswerPart(text, reply.gap, is_last, reply.reason == "broken", tokens)


def _space_before(before: str, part: AnswerPart) -> str:
    """Return the white space between two parts, where the model left it out, too."""
    if not before or part.gap:
        return part.gap if before else ""
    if IS_WIDE.match(before[-1]) or IS_WIDE.match(part.text) or not part.text[0].isalnum():
        return ""
    return " "
