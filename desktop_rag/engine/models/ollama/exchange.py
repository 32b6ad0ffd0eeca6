"""One request to a model and its reply, part by part."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.settings import Ollama
from desktop_rag.engine.models.ollama.errors import (
    ThinkingRefused,
    broke_off,
    without_probabilities,
)
from desktop_rag.engine.models.ollama.link import Link
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
                piece = reading.piece(part)
                if piece is not None:
                    yield piece
                if part.done:
                    yield reading.finished(part)
                    return
        raise broke_off()

    async def _send(self, client: AsyncClient, prompt: Prompt, how: Generation) -> Any:
        common: dict[str, Any] = {
            "model": self._model,
            "stream": True,
            "options": self._chosen(how),
            "keep_alive": _keep_alive(self._options.keep_alive),
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
        self._probable = False
        self._thought = False
        self._spoke = False

    def piece(self, part: Any) -> Piece | None:
        """Return a part's text, None where it brings none."""
        text, thinking = _texts(part)
        if thinking and not text:
            self._thought = True
            return None
        tokens = tuple((each.token, math.exp(each.logprob)) for each in part.logprobs or ())
        self._probable = self._probable or bool(tokens)
        if self._how.logprobs and text and not self._probable:
            raise without_probabilities()
        self._spoke = self._spoke or bool(text)
        return Piece(text, tokens if self._how.logprobs else ()) if text or tokens else None

    def finished(self, part: Any) -> Finished:
        """Return the end with its counts."""
        reason = "length" if part.done_reason == "length" else "stop"
        mute = self._thought and not self._spoke and reason == "length"
        return Finished(
            prompt_tokens=part.prompt_eval_count,
            answer_tokens=part.eval_count,
            reason=reason,
            seconds=time.monotonic() - self._started,
            notices=(_ONLY_THOUGHT,) if mute else (),
        )


_ONLY_THOUGHT = (
    "The model spent all its tokens on thinking and wrote no answer. "
    "Turn thinking off, or raise the longest answer in the settings."
)


def _texts(part: Any) -> tuple[str, str]:
    """Return a part's text and thought, of a chat or of a raw prompt."""
    message = getattr(part, "message", None)
    if message is not None:
        return message.content or "", message.thinking or ""
    return part.response or "", part.thinking or ""


def _keep_alive(value: str) -> str | float:
    """Return a duration as Ollama takes it: a bare number is seconds and must be a number."""
    try:
        return float(value)
    except ValueError:
        return value
