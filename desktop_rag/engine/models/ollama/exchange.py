"""One request to a model and its reply, part by part."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Ollama
from desktop_rag.engine.models.ollama.client import keep_alive
from desktop_rag.engine.models.ollama.errors import (
    ThinkingRefused,
    broke_off,
    without_probabilities,
)
from desktop_rag.engine.models.ollama.link import Link
from desktop_rag.engine.models.ollama.thought import InlineThought
from desktop_rag.engine.models.protocols import Finished, Generation, Message, Piece

if TYPE_CHECKING:
    from ollama import AsyncClient

Reply = Iterator[Piece | Finished]


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages of a chat, or `raw`: the very text that the model continues."""

    messages: tuple[Message, ...]
    raw: str = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """What is counted against the context."""
        return (self.raw,) if self.raw else tuple(each.content for each in self.messages)


class Exchange:
    """Sends prompts to one model, always with the same context, and reads what comes."""

    def __init__(self, link: Link, model: str, options: Ollama) -> None:
        self._link = link
        self._model = model
        self._options = options
        self._takes_think = True

    def run(self, prompt: Prompt, how: Generation, token: CancelToken) -> Reply:
        """Yield pieces and `Finished`; a model that does not know `think` is asked without."""
        try:
            yield from self._once(prompt, how, token)
        except ThinkingRefused:  # comes before the first piece, or never
            self._takes_think = False
            yield from self._once(prompt, how, token)

    def _once(self, prompt: Prompt, how: Generation, token: CancelToken) -> Reply:
        async def start(client: AsyncClient) -> Any:
            return await self._send(client, prompt, how)

        reading = _Reading(how)
        with closing(self._link.stream(start, token)) as parts:
            for part in parts:
                yield from reading.pieces(part)
                if part.done:
                    yield reading.finished(part)
                    return
        raise broke_off()

    async def _send(self, client: AsyncClient, prompt: Prompt, how: Generation) -> Any:
        common: dict[str, Any] = {
            "model": self._model,
            "stream": True,
            "options": self._chosen(how),
            "keep_alive": keep_alive(self._options),
            "think": how.think if self._takes_think and not prompt.raw else None,
            "format": how.schema,
            "logprobs": True if how.logprobs else None,
        }
        if prompt.raw:
            return await client.generate(prompt=prompt.raw, raw=True, **common)
        messages = [{"role": m.role, "content": m.content} for m in prompt.messages]
        return await client.chat(messages=messages, **common)

    def _chosen(self, how: Generation) -> dict[str, Any]:
        chosen: dict[str, Any] = {
            "num_ctx": self._options.num_ctx,
            "num_predict": how.max_tokens,
            "temperature": how.temperature,
        }
        return chosen | ({"stop": list(how.stop)} if how.stop else {})


class _Reading:
    """Makes pieces of a reply's parts; what the model thinks is not part of its answer."""

    def __init__(self, how: Generation) -> None:
        self._how = how
        self._started = time.monotonic()
        self._inline = InlineThought()
        self._probable = False
        self._thought = False
        self._spoke = False

    def pieces(self, part: Any) -> Iterator[Piece]:
        """Yield what a part brings: nothing, a piece, or at the end also what was held back."""
        text, thinking = _texts(part)
        self._thought = self._thought or bool(thinking)
        found = [] if thinking and not text else [self._piece(text, part.logprobs or ())]
        passed = [self._inline.feed(piece) for piece in found if piece]
        if part.done:
            passed.append(self._inline.end())
        for piece in passed:
            if piece:
                self._spoke = self._spoke or bool(piece.text.strip())
                yield piece

    def _piece(self, text: str, logprobs: Sequence[Any]) -> Piece | None:
        if not self._how.logprobs:
            return Piece(text) if text else None
        tokens = tuple((each.token, math.exp(each.logprob)) for each in logprobs)
        self._probable = self._probable or bool(tokens)
        if text and not self._probable:
            raise without_probabilities()
        return Piece(text, tokens) if text or tokens else None

    def finished(self, part: Any) -> Finished:
        """Return the end with its counts."""
        mute = not self._spoke and (self._thought or self._inline.unfinished)
        return Finished(
            prompt_tokens=part.prompt_eval_count,
            answer_tokens=part.eval_count,
            reason="length" if part.done_reason == "length" else "stop",
            seconds=time.monotonic() - self._started,
            notices=(_ONLY_THOUGHT,) if mute else (),
        )


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
