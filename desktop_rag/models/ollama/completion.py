"""One request to a model and its reply, part by part."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.ollama_records import CLOUD
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.completion_prompt import CompletionPrompt
from desktop_rag.models.ollama.http_client import keep_alive
from desktop_rag.models.ollama.remote_replies import chat_reply, text_reply
from desktop_rag.models.ollama.reply_reading import ReplyReader, ReplyStream
from desktop_rag.models.ollama.reply_values import one_line
from desktop_rag.models.ollama.server_errors import (
    ThinkingRefused,
    answered_elsewhere,
    connection_dropped,
    malformed_reply,
    stream_interrupted,
    without_probabilities,
)
from desktop_rag.models.protocols import GenerationOptions

if TYPE_CHECKING:
    from ollama import AsyncClient

_REPEAT_PENALTY = 1.1  # none in Ollama 0.17.5 to 0.17.7 and since 0.32.10: small models loop


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

        reading = ReplyReader(how, _Faults(self._link.url))
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


@dataclass(frozen=True, slots=True)
class _Faults:
    """What is said of replies of Ollama's."""

    url: str

    def malformed(self) -> ModelUnavailable:
        return malformed_reply(self.url)

    def without_probabilities(self) -> ModelUnavailable:
        return without_probabilities()
