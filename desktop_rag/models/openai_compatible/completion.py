"""One request to a model over OpenAI's protocol and its reply, part by part."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.completion_prompt import CompletionPrompt
from desktop_rag.models.ollama.reply_reading import ReplyReader, ReplyStream
from desktop_rag.models.ollama.reply_values import mapping
from desktop_rag.models.openai_compatible.http_client import make_client, stream_events
from desktop_rag.models.openai_compatible.model_info import ServerProduct
from desktop_rag.models.openai_compatible.server_errors import (
    FieldRefused,
    connection_dropped,
    malformed_reply,
    server_error,
    stream_interrupted,
    without_probabilities,
)
from desktop_rag.models.protocols import GenerationOptions

if TYPE_CHECKING:
    import httpx

_REPEAT_PENALTY = 1.1  # as it is sent to Ollama: small models loop without
_MOST_ALTERNATIVES = 20
_COUNTS_SECONDS = 3.0  # how long counts are waited for behind a reply's end
# Parts of a request that some servers refuse, and what their refusals speak of.
_OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "response_format": ("response_format", "json_schema", "grammar", "schema", "guided"),
    "stream_options": ("stream_options", "include_usage"),
    "chat_template_kwargs": ("chat_template_kwargs", "enable_thinking"),
    "repeat_penalty": ("repeat_penalty",),
    "return_progress": ("return_progress",),
}
# How refusals say that a part of a request is not known there, or not in this form.
_UNKNOWN = re.compile(
    r"unknown|unrecogni[sz]ed|unsupported|unexpected|invalid|extra[ _](inputs|fields|forbidden)|"
    r"not (supported|permitted|allowed|implemented|available|enabled|valid|recogni[sz]ed)|"
    r"(does not|doesn't|cannot|can't|failed to) (support|accept|use|parse)|must be|no such"
)
_OF_BEGINNINGS = re.compile(r"prefill|(final|last)[_ ]message", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Faults:
    """What is said of replies of such servers."""

    url: str

    def malformed(self) -> ModelUnavailable:
        return malformed_reply(self.url)

    def without_probabilities(self) -> ModelUnavailable:
        return without_probabilities()


class OpenAICompletionClient:
    """Sends prompts to one model, and reads what comes.

    `product` is which program the server is, as far as that is known. A part of the request that
    the server refuses, and that it can do without, is left out from then on.
    """

    def __init__(self, url: str, model: str) -> None:
        self.product = ServerProduct.OTHER
        self._url, self._model = url, model
        self._link = CancellableConnection(url, model, client=make_client, fault=server_error)
        self._refused: set[str] = set()

    def run(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        """Yield pieces and `ReplyEnd`; what a server refuses is left out, and it is asked again."""
        if how.raw and not prompt.raw:
            prompt = replace(prompt, raw=prompt.messages[-1].content)
        for _ in range(len(_OPTIONAL)):
            try:
                yield from self._once(prompt, how, token)
            except FieldRefused as error:  # comes before the first piece, or never
                body = self._body(prompt, how)
                field = "" if refuses_beginning(prompt, error) else self._named(body, error.text)
                if not field:
                    raise
                self._refused.add(field)
            else:
                return
        yield from self._once(prompt, how, token)

    def _once(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        body = self._body(prompt, how)
        path = "/v1/completions" if prompt.raw else "/v1/chat/completions"

        async def start(client: httpx.AsyncClient) -> AsyncIterator[SimpleNamespace]:
            return _parts(stream_events(client, self._url, path, body))

        reading = ReplyReader(how, _Faults(self._url))
        began = False
        try:
            with closing(self._link.stream(start, token)) as parts:
                for part in parts:
                    began = True
                    yield from reading.pieces(part)
                    if part.done:
                        yield reading.finished(part)
                        return
                    if reading.is_full:
                        yield from reading.cut()
                        return
        except FieldRefused as error:
            if began:  # too late to ask again
                raise ModelUnavailable(error.what, error.remedy, retryable=True) from error
            raise
        raise stream_interrupted() if began else connection_dropped(self._url)

    def _named(self, body: Mapping[str, Any], text: str) -> str:
        """Return the part of a request that a refusal says is not known, empty for none."""
        words = text.lower()
        if not _UNKNOWN.search(words):
            return ""
        fitting = (
            field
            for field, signs in _OPTIONAL.items()
            if field in body and any(sign in words for sign in signs)
        )
        return next(fitting, "")

    def _body(self, prompt: CompletionPrompt, how: GenerationOptions) -> dict[str, Any]:
        asked: dict[str, Any] = {
            "model": self._model,
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": how.max_tokens,
            "temperature": how.temperature,
        }
        if prompt.raw:
            asked["prompt"] = prompt.raw
        else:
            asked["messages"] = [{"role": m.role, "content": m.content} for m in prompt.messages]
        if how.stop:
            asked["stop"] = list(how.stop)
        if how.schema:
            named = {"name": "reply", "schema": how.schema, "strict": True}
            asked["response_format"] = {"type": "json_schema", "json_schema": named}
        asked |= _probabilities(prompt, how) | self._own(prompt, how)
        return {name: value for name, value in asked.items() if name not in self._refused}

    def _own(self, prompt: CompletionPrompt, how: GenerationOptions) -> dict[str, Any]:
        """Return what the product is asked for beside the protocol."""
        thinking = {} if prompt.raw else {"chat_template_kwargs": {"enable_thinking": how.think}}
        if self.product is ServerProduct.LLAMA_CPP:  # its progress shows it who has left
            return thinking | {"repeat_penalty": _REPEAT_PENALTY, "return_progress": True}
        if self.product is ServerProduct.LM_STUDIO:
            return {"repeat_penalty": _REPEAT_PENALTY}
        if self.product is not ServerProduct.VLLM:
            return {}
        last = prompt.messages[-1].role if prompt.messages else ""
        is_begun = last == "assistant" and not prompt.raw
        goes_on = {"continue_final_message": True, "add_generation_prompt": False}
        return thinking | (goes_on if is_begun else {})  # its penalty counts the prompt's words


def refuses_beginning(prompt: CompletionPrompt, error: FieldRefused) -> bool:
    """Say whether a refusal is of the begun turn that a prompt ends in."""
    is_begun = bool(prompt.messages) and prompt.messages[-1].role == "assistant"
    return is_begun and bool(_OF_BEGINNINGS.search(error.text))


def _probabilities(prompt: CompletionPrompt, how: GenerationOptions) -> dict[str, Any]:
    if not how.logprobs:
        return {}
    most = min(_MOST_ALTERNATIVES, how.alternatives)
    if prompt.raw:
        return {"logprobs": max(1, most)}
    return {"logprobs": True} | ({"top_logprobs": most} if most else {})


async def _parts(events: AsyncIterator[dict[str, Any]]) -> AsyncIterator[SimpleNamespace]:
    """Yield a reply's events as parts, in Ollama's form; the last one when all counts are there."""
    reason = ""
    usage: Mapping[str, Any] = {}
    async for event in _until_counted(events):
        usage = mapping(event.get("usage")) or usage
        choice = _choice(event)
        reason = str(choice.get("finish_reason") or reason)
        part = _part(choice)
        if part.response or part.thinking or part.logprobs:
            yield part
    if reason:
        yield _last(reason, usage)


async def _until_counted(events: AsyncIterator[dict[str, Any]]) -> AsyncIterator[dict[str, Any]]:
    """Yield events; behind the one that ends the text only for a while, and whatever happens then.

    The text is whole by then, and only counts may come: some servers leave the connection open.
    """
    import httpx

    loop = asyncio.get_running_loop()
    is_whole, until = False, None
    while True:
        if is_whole and until is None:
            until = loop.time() + _COUNTS_SECONDS
        try:
            async with asyncio.timeout_at(until):
                event = await anext(events)
        except StopAsyncIteration:
            return
        except (TimeoutError, httpx.TransportError):
            if not is_whole:
                raise
            return
        is_whole = is_whole or bool(_choice(event).get("finish_reason"))
        yield event


def _choice(event: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = event.get("choices") or [{}]
    if not isinstance(choices, list):
        message = "choices is no list"
        raise TypeError(message)
    return mapping(choices[0])


def _part(choice: Mapping[str, Any]) -> SimpleNamespace:
    delta = mapping(choice.get("delta"))
    thought = delta.get("reasoning_content") or delta.get("reasoning") or ""
    text = delta.get("content") or choice.get("text") or ""
    return SimpleNamespace(
        response=_text(text),
        thinking=_text(thought),
        logprobs=_rated(mapping(choice.get("logprobs"))),
        done=False,
    )


def _last(reason: str, usage: Mapping[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(
        response="",
        thinking="",
        logprobs=(),
        done=True,
        done_reason=reason,
        prompt_eval_count=usage.get("prompt_tokens"),
        eval_count=usage.get("completion_tokens"),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = "a text is none"
        raise TypeError(message)
    return value


def _rated(told: Mapping[str, Any]) -> tuple[SimpleNamespace, ...]:
    """Return the tokens with their log-probabilities, of a chat's form or of a text's."""
    rows = told.get("content")
    if isinstance(rows, list):
        return tuple(map(_entry, rows))
    tokens, values = told.get("tokens") or (), told.get("token_logprobs") or ()
    others = told.get("top_logprobs") or [{}] * len(tokens)
    return tuple(
        _entry({"token": token, "logprob": value, "top_logprobs": _listed(mapping(top))})
        for token, value, top in zip(tokens, values, others, strict=False)
    )


def _listed(top: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"token": token, "logprob": value} for token, value in top.items()]


def _entry(row: Mapping[str, Any]) -> SimpleNamespace:
    """Return a token with the others that could stand at its place."""
    others = row.get("top_logprobs") or ()
    return SimpleNamespace(
        token=_text(row["token"]),
        logprob=float(row["logprob"]),
        top_logprobs=[
            SimpleNamespace(token=_text(each["token"]), logprob=float(each["logprob"]))
            for each in others
        ],
    )
