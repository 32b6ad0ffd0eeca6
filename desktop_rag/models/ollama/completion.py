"""One request to a model and its reply, part by part."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.ollama_records import CLOUD
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.core.unicode import valid_text
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.http_client import keep_alive
from desktop_rag.models.ollama.remote_replies import chat_reply, text_reply
from desktop_rag.models.ollama.reply_values import count, one_line, probability
from desktop_rag.models.ollama.server_errors import (
    ThinkingRefused,
    answered_elsewhere,
    connection_dropped,
    endless_reply_notice,
    malformed_reply,
    repetition_notice,
    stream_interrupted,
    without_probabilities,
)
from desktop_rag.models.ollama.thinking_filter import ThinkingFilter
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd, ReplyPiece

if TYPE_CHECKING:
    from ollama import AsyncClient

ReplyStream = Generator[ReplyPiece | ReplyEnd, None, None]

MAX_REPLY_CHARACTERS = 400_000
"""Characters of a reply, with what is thought: 12 for each token of the longest answer."""

_A_TOKEN = 32  # characters that a token has at most, taken over a whole reply
_REPEAT_PENALTY = 1.1  # none in Ollama 0.17.5 to 0.17.7 and since 0.32.10: small models loop
_REPEATS = 30  # equal tokens behind which Ollama ends a stream, without a word
_UNRATED = 4  # parts of an answer that may come before the first probability does
_SPARE = 1000  # characters more, and parts beyond two for each token that was asked for


@dataclass(frozen=True, slots=True)
class CompletionPrompt:
    """The messages of a chat, or `raw`: the very text that the model continues."""

    messages: tuple[Message, ...]
    raw: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is counted against the context."""
        return (self.raw,) if self.raw else tuple(each.content for each in self.messages)


class CompletionClient:
    """Sends prompts to one model, always with the same context, and reads what comes.

    A reply that says that it comes from elsewhere ends the call, unless the user has agreed to it.
    """

    def __init__(
        self,
        link: CancellableConnection,
        model: str,
        options: Ollama,
        consent: Consent = NOWHERE,
    ) -> None:
        self.model = model  # as it is asked for, `NAME:local` where the server knows that
        self._name = model
        self._link = link
        self._options = options
        self._consent = consent
        self._takes_think = True

    def run(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        """Yield pieces and `ReplyEnd`; a model that does not know `think` is asked without."""
        if how.raw and not prompt.raw:
            prompt = replace(prompt, raw=prompt.messages[-1].content)
        try:
            yield from self._once(prompt, how, token)
        except ThinkingRefused:  # comes before the first piece, or never
            self._takes_think = False
            yield from self._once(prompt, how, token)

    def _once(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        async def start(client: AsyncClient) -> Any:
            return await self._send(client, prompt, how)

        reading = _Reading(how, self._link)
        began = False
        with closing(self._link.stream(start, token)) as parts:
            for part in parts:
                began = True
                self._require_consent(part)
                yield from reading.pieces(part)
                if part.done:
                    yield reading.finished(part)
                    return
                if reading.is_full:
                    yield from reading.cut()
                    return
        if reading.repeats:
            yield reading.repeated()
            return
        raise stream_interrupted() if began else connection_dropped(self._link.url)

    async def _send(
        self, client: AsyncClient, prompt: CompletionPrompt, how: GenerationOptions
    ) -> Any:
        asked: dict[str, Any] = {
            "model": self.model,
            "stream": True,
            "options": self._chosen(how),
            "keep_alive": keep_alive(self._options),
            "think": how.think if self._takes_think and not prompt.raw else None,
            "format": how.schema,
            "logprobs": True if how.logprobs else None,
            "top_logprobs": how.alternatives or None,
        }
        if prompt.raw:
            asked |= {"prompt": prompt.raw, "raw": True}
        else:
            asked["messages"] = [{"role": m.role, "content": m.content} for m in prompt.messages]
        body = {key: value for key, value in asked.items() if value is not None}
        path = "/api/generate" if prompt.raw else "/api/chat"
        kind: Any = text_reply() if prompt.raw else chat_reply()
        private: Any = client  # its own calls leave out of a reply where that comes from
        return await private._request(kind, "POST", path, json=body, stream=True)  # noqa: SLF001

    def _require_consent(self, part: Any) -> None:
        """Raise `NotAllowed` where a part of a reply says that it was made elsewhere."""
        place = one_line(part.remote_host or "") or (CLOUD if part.remote_model else "")
        if place and not self._consent.covers(place):
            raise answered_elsewhere(place, self._name)

    def _chosen(self, how: GenerationOptions) -> dict[str, Any]:
        chosen: dict[str, Any] = {
            "num_ctx": self._options.num_ctx,
            "num_predict": how.max_tokens,
            "temperature": how.temperature,
            "repeat_penalty": _REPEAT_PENALTY,
        }
        return chosen | ({"stop": list(how.stop)} if how.stop else {})


class _Reading:
    """Makes pieces of a reply's parts; what the model thinks is not part of its answer."""

    def __init__(self, how: GenerationOptions, link: CancellableConnection) -> None:
        self._how = how
        self._link = link
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
            raise malformed_reply(self._link.url) from error

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
            raise without_probabilities()

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
            raise malformed_reply(self._link.url)
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
