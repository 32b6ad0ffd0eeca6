"""A language model of Ollama's: it streams, keeps to budgets, and continues beginnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from desktop_rag.core.cancel import CancelToken, current_token
from desktop_rag.core.errors import ModelUnavailable
from desktop_rag.core.ollama_records import InstalledModel
from desktop_rag.core.remote_consent import NOWHERE, Consent
from desktop_rag.core.sentences import is_ended
from desktop_rag.core.settings import Ollama
from desktop_rag.models.ollama.address import normalise_url, require_consent
from desktop_rag.models.ollama.cancellable_call import CancellableConnection
from desktop_rag.models.ollama.chat_templates import continues_last_message, template_family
from desktop_rag.models.ollama.completion import CompletionClient
from desktop_rag.models.ollama.completion_prompt import CompletionPrompt
from desktop_rag.models.ollama.model_info import full_name, local_name, require_model_consent
from desktop_rag.models.ollama.prompt_truncation import TruncationDetector
from desktop_rag.models.ollama.reply_reading import ReplyStream
from desktop_rag.models.ollama.server import OllamaServer
from desktop_rag.models.ollama.special_tokens import without_special_tokens
from desktop_rag.models.ollama.token_estimate import TokenEstimate
from desktop_rag.models.ollama.turn_continuation import TurnContinuation, in_users_turn
from desktop_rag.models.protocols import GenerationOptions, Message, ReplyEnd

_INSTRUCTION = "### Instruction"


class OllamaChat:
    """One model of one server, with the settings of Ollama's page.

    Every call sends the same `num_ctx`: another value would make the server load the model again.
    `continuation` tells how the last half-written answer was continued: `prefill` (the chat's own
    way), `repeated` (written again, and taken off), `raw`, `turn` (asked for in the user's turn,
    as behind a whole sentence, where models tend to end theirs), `asked` (the same, because no
    other way is left), or empty when none was.
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
        self._continuation = TurnContinuation(model)
        self._consent = consent
        self._num_ctx = options.num_ctx
        link = CancellableConnection(self.url, model)
        self._exchange = CompletionClient(link, model, options, consent)
        self._estimate = estimate or TokenEstimate()
        self._truncation = TruncationDetector(options.num_ctx, self._estimate)
        self._shown: InstalledModel | None = None

    def chat(
        self, messages: Sequence[Message], how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        """Yield pieces as they come, and `ReplyEnd` last; see `ChatModel.chat`."""
        token.check()
        require_consent(self.url, self._consent)
        require_model_consent(self._facts(token), self._consent)
        self._continuation.way = ""
        if not how.raw:
            messages = without_special_tokens(messages)
        if messages and messages[-1].role == "assistant" and messages[-1].content.strip():
            yield from self._continue(tuple(messages), how, token)
        else:
            yield from self._run(CompletionPrompt(tuple(messages)), how, token)

    @property
    def continuation(self) -> str:
        """How the last half-written answer was continued."""
        return self._continuation.way

    def ask_anew(self) -> None:
        """Ask the server about the model again before the next call: it may be another by then."""
        self._shown = None

    @property
    def context_tokens(self) -> int:
        """The context in tokens: the setting, but no more than the model was made for."""
        try:
            made_for = self._facts(current_token()).context_length
        except ModelUnavailable:
            return self._num_ctx  # the call itself will tell what is wrong
        return min(self._num_ctx, made_for or self._num_ctx)

    @property
    def parameters(self) -> int | None:
        """How many parameters the model has, as the server says; None where it does not."""
        try:
            return self._facts(current_token()).parameter_count
        except ModelUnavailable:
            return None  # the call itself will tell what is wrong

    def digest(self, token: CancelToken) -> str:
        """Return what stands for the model's content; "" where the server does not say."""
        return self._facts(token).digest

    def estimate_tokens(self, text: str) -> int:
        """Return about how many tokens a text takes, calibrated by what the server reported.

        Of a script that was not counted yet, the most that it may take.
        """
        return self._estimate.at_most(text)

    def _run(
        self, prompt: CompletionPrompt, how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        for each in self._exchange.run(prompt, how, token):
            yield self._examined(prompt, each) if isinstance(each, ReplyEnd) else each

    def _examined(self, prompt: CompletionPrompt, finished: ReplyEnd) -> ReplyEnd:
        """Add the alarm if the server cut the prompt."""
        found = self._truncation.notice(
            prompt.texts, finished.prompt_tokens, finished.answer_tokens, self._context_in_force
        )
        return replace(finished, notices=(*finished.notices, found)) if found else finished

    def _context_in_force(self) -> int | None:
        try:
            running = self._server().running()
        except ModelUnavailable:
            return None  # an old server: the counts alone must tell
        ours = [each.context_length for each in running if each.name == full_name(self.name)]
        return ours[0] if ours else None

    def _continue(
        self, messages: tuple[Message, ...], how: GenerationOptions, token: CancelToken
    ) -> ReplyStream:
        """Continue a half-written answer in the first way that does."""
        ways = self._ways(messages, token)
        run = partial(self._run, how=how, token=token)
        yield from self._continuation.replies(messages[-1].content, ways, run)

    def _ways(
        self, messages: tuple[Message, ...], token: CancelToken
    ) -> Iterator[tuple[str, CompletionPrompt]]:
        facts = self._facts(token)
        template = facts.template
        is_own_form = _INSTRUCTION in template  # of a model that is no chat model
        if not is_own_form and (is_ended(messages[-1].content) or facts.thinks):
            yield "turn", in_users_turn(messages)
            return
        if continues_last_message(template) and not self._continuation.starts_over:
            yield "prefill", CompletionPrompt(messages)
        form = template_family(template)
        if form is not None:
            yield "raw", CompletionPrompt(messages, form.render(messages))
        yield "asked", in_users_turn(messages)

    def _facts(self, token: CancelToken) -> InstalledModel:
        """Return what the server tells about the model, asked for once."""
        if self._shown is None:
            server = self._server()
            self._shown = server.show(self.name, token)
            self._exchange.model = local_name(self._shown, server.version(token))
        return self._shown

    def _server(self) -> OllamaServer:
        return OllamaServer(self.url, self._consent)
