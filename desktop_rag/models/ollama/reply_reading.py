"""A reply's parts made into pieces, whatever sends them: bounded, without what was thought."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.unicode import valid_text
from desktop_rag.models.ollama.reply_values import count, probability
from desktop_rag.models.ollama.server_errors import endless_reply_notice, repetition_notice
from desktop_rag.models.ollama.thinking_filter import ThinkingFilter
from desktop_rag.models.protocols import GenerationOptions, ReplyEnd, ReplyPiece

ReplyStream = Generator[ReplyPiece | ReplyEnd, None, None]

MAX_REPLY_CHARACTERS = 400_000
"""Characters of a reply, with what is thought: 12 for each token of the longest answer."""

_A_TOKEN = 32  # characters that a token has at most, taken over a whole reply
_REPEATS = 30  # equal tokens behind which Ollama ends a stream, without a word
_UNRATED = 4  # parts of an answer that may come before the first probability does
_SPARE = 1000  # characters more, and parts beyond two for each token that was asked for


class ReplyFaults(Protocol):
    """What is said of replies that are none, by one kind of server."""

    def malformed(self) -> ModelUnavailable:
        """Return the error of a reply out of form."""
        ...

    def without_probabilities(self) -> ModelUnavailable:
        """Return the error of a reply that lacks the probabilities that were asked for."""
        ...


class ReplyReader:
    """Makes pieces of a reply's parts; what the model thinks is not part of its answer.

    A part has the fields of Ollama's: `message` or `response`, `thinking`, `logprobs`, `done`.
    """

    def __init__(self, how: GenerationOptions, faults: ReplyFaults) -> None:
        self._how = how
        self._faults = faults
        self._started = time.monotonic()
        self._inline = ThinkingFilter()
        self._probable = False
        self._unrated: list[str] = []
        self._last, self._same = "", 0
        self._alternatives: list[tuple[tuple[str, float], ...]] = []  # a row a token, as they came
        self._thought = False
        self._spoke = False
        self._most = min(MAX_REPLY_CHARACTERS, _A_TOKEN * how.max_tokens + _SPARE)
        self._parts = 0
        self._size = 0

    @property
    def is_full(self) -> bool:
        """Whether more has come than a model can have been asked for."""
        return self._size >= self._most or self._parts > 2 * self._how.max_tokens + _SPARE

    def pieces(self, part: Any) -> Iterator[ReplyPiece]:
        """Yield what a part brings: nothing, a piece, or at the end also what was held back."""
        text, thinking = self._bounded(*_texts(part))
        self._note(text or thinking)
        self._thought = self._thought or bool(thinking)
        found = [] if thinking and not text else [self._checked(text, part)]
        passed = [self._inline.feed(piece) for piece in found if piece]
        if part.done or self.is_full:
            passed.append(self._inline.end())
        for piece in passed:
            if piece:
                self._spoke = self._spoke or bool(piece.text.strip())
                yield self._with_alternatives(piece)

    def _bounded(self, text: str, thinking: str) -> tuple[str, str]:
        """Return what there is room for of a part's text and thought."""
        self._parts += 1
        thinking = thinking[: max(0, self._most - self._size)]
        text = text[: max(0, self._most - self._size - len(thinking))]
        self._size += len(thinking) + len(text)
        return valid_text(text), thinking

    def _checked(self, text: str, part: Any) -> ReplyPiece | None:
        try:
            return self._piece(text, part.logprobs or (), is_last=bool(part.done))
        except ValueError as error:
            raise self._faults.malformed() from error

    def _piece(self, text: str, logprobs: Sequence[Any], *, is_last: bool) -> ReplyPiece | None:
        if not self._how.logprobs:
            return ReplyPiece(text) if text else None
        tokens = tuple(map(_token, logprobs))
        if self._how.alternatives:
            self._alternatives += [_alternatives(each, self._how.alternatives) for each in logprobs]
        self._size += sum(1 + len(token) for token, _ in tokens)
        self._probable = self._probable or bool(tokens)
        if not self._probable:
            self._hold(text, is_last=is_last)
            return None
        text = "".join((*self._unrated, text))
        self._unrated = []
        return ReplyPiece(text, tokens) if text or tokens else None

    def _with_alternatives(self, piece: ReplyPiece) -> ReplyPiece:
        """Return a piece with the rows of its tokens, which are the last ones that came."""
        first = len(self._alternatives) - len(piece.tokens)
        return replace(piece, alternatives=tuple(self._alternatives[max(0, first) :]))

    def _hold(self, text: str, *, is_last: bool) -> None:
        """Hold text back until a probability comes; raise where none will."""
        if text:
            self._unrated.append(text)
        if len(self._unrated) > _UNRATED or (is_last and self._unrated):
            raise self._faults.without_probabilities()

    def _note(self, token: str) -> None:
        """Count how often one token follows itself."""
        stripped = token.strip()
        self._same = self._same + 1 if stripped == self._last else 1
        self._last = stripped

    @property
    def repeats(self) -> bool:
        """Whether the reply's end is one token over and over: a stream may end there."""
        return self._same >= _REPEATS

    def repeated(self) -> ReplyEnd:
        """Return the end of a reply that the server ended because it repeated itself."""
        notice = _ONLY_THOUGHT if self._is_mute else repetition_notice()
        return ReplyEnd(None, None, "length", time.monotonic() - self._started, (notice,))

    def finished(self, part: Any) -> ReplyEnd:
        """Return the end with its counts."""
        return ReplyEnd(
            prompt_tokens=count(part.prompt_eval_count),
            answer_tokens=count(part.eval_count),
            reason="length" if part.done_reason == "length" else "stop",
            seconds=time.monotonic() - self._started,
            notices=(_ONLY_THOUGHT,) if self._is_mute else (),
        )

    def cut(self) -> Iterator[ReplyEnd]:
        """Yield the end of a reply that did not end; what has no word in it is none."""
        if not self._spoke and not self._is_mute:
            raise self._faults.malformed()
        notice = _ONLY_THOUGHT if self._is_mute else endless_reply_notice(self._size)
        taken = time.monotonic() - self._started
        yield ReplyEnd(None, None, "length", taken, (notice,))

    @property
    def _is_mute(self) -> bool:
        return not self._spoke and (self._thought or self._inline.unfinished)


_ONLY_THOUGHT = (
    "The model only thought, and wrote no answer. "
    "Turn thinking off, or raise the longest answer in the settings."
)


def _texts(part: Any) -> tuple[str, str]:
    """Return a part's text and thought, of a chat or of a raw prompt."""
    message = getattr(part, "message", None)
    if message is not None:
        return message.content or "", message.thinking or ""
    return part.response or "", part.thinking or ""


def _token(told: Any) -> tuple[str, float]:
    """Return a token with its probability; a `ValueError` where that is none."""
    return valid_text(told.token), probability(told.logprob)


def _alternatives(told: Any, most: int) -> tuple[tuple[str, float], ...]:
    """Return what could stand in a token's place, no more of it than was asked for."""
    found = (_token(each) for each in (told.top_logprobs or ())[:most])
    return tuple((text[:_A_TOKEN], share) for text, share in found)
