"""A language model of a server that speaks OpenAI's protocol."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from desktop_rag.core.cancel import CancelToken, current_token
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.core.sentences import is_ended
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.address import normalise_url, require_consent
from desktop_rag.models.ollama.completion_prompt import CompletionPrompt
from desktop_rag.models.ollama.prompt_truncation import RELOAD_MODEL, TruncationDetector
from desktop_rag.models.ollama.reply_reading import ReplyStream
from desktop_rag.models.ollama.special_tokens import without_special_tokens
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.ollama.turn_continuation import TurnContinuation, in_users_turn
from desktop_rag.models.openai_compatible.completion import (
    OpenAICompletionClient,
    refuses_beginning,
)
from desktop_rag.models.openai_compatible.model_info import ServedModel, ServerProduct
from desktop_rag.models.openai_compatible.server import OpenAIServer
from desktop_rag.models.openai_compatible.server_errors import FieldRefused
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd

UNLOADED_CONTEXT = 4096
"""Tokens that are counted on while a model is not loaded: what LM Studio loads one with."""

_LEAST_ROOM = 16  # tokens of a reply that are asked for, however long the prompt is
_CONTINUES = (ServerProduct.LLAMA_CPP, ServerProduct.VLLM)


class OpenAIChat:
    """One model of one server.

    The server decides on the context; the setting only says how much of it is used at most.
    `continuation` is as `OllamaChat`'s, but for `raw`, for which a template would have to be known.
    """

    def __init__(
        self,
        host: str,
        model: str,
        options: Ollama,
        consent: Consent = NOWHERE,
        estimate: TokenEstimate | None = None,
    ) -> None:
        self.name = model
        self.url = normalise_url(host)
        self._consent = consent
        self._most = options.num_ctx
        self._continuation = TurnContinuation(model)
        self._exchange = OpenAICompletionClient(self.url, model)
        self._estimate = estimate or TokenEstimate()
        self._served: ServedModel | None = None

    @property
    def continuation(self) -> str:
        """How the last half-written answer was continued."""
        return self._continuation.way

    def ask_anew(self) -> None:
        """Ask the server about the model again before the next call: it may be another by then."""
        self._served = None

    def heed(self, server: OpenAIServer) -> None:
        """Take what a server has just told of the model: it is not asked again then."""
        self._served = server.known(self.name)
        self._exchange.product = server.product

    @property
    def context_tokens(self) -> int:
        """The context in tokens: what the server gives, but no more than the setting."""
        try:
            return self._window(self._facts(current_token()))
        except ModelUnavailable:
            return self._most  # the call itself will tell what is wrong

    @property
    def parameters(self) -> int | None:
        """How many parameters the model has, as llama.cpp says; None from others."""
        try:
            return self._facts(current_token()).facts.parameter_count
        except ModelUnavailable:
            return None  # the call itself will tell what is wrong

    def digest(self, token: CancelToken) -> str:
        """Return what tells a model from others; such servers tell no hash of its content."""
        facts = self._facts(token).facts
        return f"{self.url} {facts.size} {facts.parameters} {facts.quantization}"

    def estimate_tokens(self, text: str) -> int:
        """Return about how many tokens a text takes; of a new script the most it may take."""
        return self._estimate.at_most(text)

    def chat(
        self, messages: Sequence[Message], how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        """Yield pieces as they come, and `ReplyEnd` last; see `ChatModel.chat`."""
        token.check()
        require_consent(self.url, self._consent)
        self._facts(token)
        self._continuation.way = ""
        if not how.raw:
            messages = without_special_tokens(messages)
        if messages and messages[-1].role == "assistant" and messages[-1].content.strip():
            ways = self._ways(tuple(messages))
            run = partial(self._continued, how=how, token=token)
            yield from self._continuation.replies(messages[-1].content, ways, run)
        else:
            yield from self._run(CompletionPrompt(tuple(messages)), how, token)

    def _ways(self, messages: tuple[Message, ...]) -> Iterator[tuple[str, CompletionPrompt]]:
        if is_ended(messages[-1].content):
            yield "turn", in_users_turn(messages)
            return
        is_able = self._exchange.product in _CONTINUES
        if is_able and not self._continuation.starts_over:
            yield "prefill", CompletionPrompt(messages)
        yield ("asked" if is_able else "turn"), in_users_turn(messages)

    def _continued(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        """Yield a continuation; a server that refuses a begun turn is asked in the user's.

        It is from then on if its words are of the beginning: others may be of this one request.
        """
        try:
            yield from self._run(prompt, how, token)
        except FieldRefused as error:  # llama.cpp, of a model that thinks
            if prompt.messages[-1].role != "assistant":
                raise
            self._continuation.way = "turn"
            self._continuation.starts_over |= refuses_beginning(prompt, error)
            yield from self._run(in_users_turn(prompt.messages), how, token)

    def _run(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        for each in self._exchange.run(prompt, self._bounded(prompt, how), token):
            yield self._examined(prompt, each) if isinstance(each, ReplyEnd) else each

    def _bounded(self, prompt: CompletionPrompt, how: GenerationOptions) -> GenerationOptions:
        """Return options with which prompt and reply fit the context: vLLM refuses more."""
        served = self._served
        if self._exchange.product is not ServerProduct.VLLM or served is None:
            return how
        room = self._window(served) - self._estimate.of_prompt(prompt.texts)
        return replace(how, max_tokens=min(how.max_tokens, max(_LEAST_ROOM, room)))

    def _examined(self, prompt: CompletionPrompt, finished: ReplyEnd) -> ReplyEnd:
        """Learn from what was counted, and add the alarm if the server cut the prompt."""
        served = self._served
        window = (served.context if served else None) or self._most
        product = self._exchange.product.value
        detector = TruncationDetector(window, self._estimate, product, RELOAD_MODEL)
        counts = finished.prompt_tokens, finished.answer_tokens
        found = detector.notice(prompt.texts, *counts, lambda: window)
        return replace(finished, notices=(*finished.notices, found)) if found else finished

    def _window(self, served: ServedModel) -> int:
        told = served.context
        if told is None and served.is_loaded is not None:
            told = min(UNLOADED_CONTEXT, served.facts.context_length or UNLOADED_CONTEXT)
        return min(self._most, told or served.facts.context_length or self._most)

    def _facts(self, token: CancelToken) -> ServedModel:
        """Return what the server tells about the model, asked for once."""
        if self._served is None:
            server = OpenAIServer(self.url, self._consent)
            self._served = server.show_served(self.name, token)
            self._exchange.product = server.product
        return self._served
