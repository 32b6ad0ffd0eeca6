"""The double itself: which program it is, what it lists, and how it answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, cast

from testing.ollama_double.generator import (
    ConnectionCut,
    End,
    FittedPrompt,
    GenerationFailed,
    HeadersFirst,
    Piece,
)
from testing.ollama_double.models import CHAT, DoubleModel
from testing.ollama_double.prompt import ContextWindow, fit_chat, fit_text
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.routes import Conversation
from testing.ollama_double.server import OllamaDouble
from testing.ollama_double.versions import Behaviour
from testing.openai_double.recorded import RecordedCompletion, in_ollamas_words

if TYPE_CHECKING:
    from testing.ollama_double.generator import TextGenerator

LLAMA_CPP, LM_STUDIO, VLLM, OTHER = "llama.cpp", "LM Studio", "vLLM", "other"

_OWNERS = {LLAMA_CPP: "llamacpp", LM_STUDIO: "organization_owner", VLLM: "vllm", OTHER: "me"}
_CHAT, _TEXT = "/v1/chat/completions", "/v1/completions"
_LIKE_LLAMA_CPP = Behaviour("0.30")


class OpenAIConversation(Conversation):
    """Speaks HTTP/1.1 with server-sent events."""

    @property
    def server_double(self) -> OpenAIDouble:
        """The double that this connection belongs to."""
        return cast("OpenAIDouble", self.double)

    def do_GET(self) -> None:  # noqa: N802 - the base class calls it so
        """Answer the listings of the program that this is."""
        double = self.server_double
        record = self._record({})
        if self._in_trouble(record) or self._lacks_key():
            return
        listing = double.listings().get(self.path)
        if listing is None:
            self._answer_unknown()
        else:
            self.reply(listing)
        record.finished = True

    def _post(self, record: Recorded) -> None:
        if self._in_trouble(record) or self._lacks_key():
            return
        if self.path not in (_CHAT, _TEXT):
            self._answer_unknown()
            return
        try:
            self._complete(record)
        except GenerationFailed as failed:
            self.fail(failed.status, failed.error)

    def _record(self, body: dict[str, Any]) -> Recorded:
        headers = {name.lower(): value for name, value in self.headers.items()}
        words = in_ollamas_words(body)
        record = RecordedCompletion(self.command, self.path, words, headers, asked=body)
        self.double.requests.append(record)
        return record

    def _lacks_key(self) -> bool:
        key = self.server_double.key
        if not key or self.headers.get("Authorization") == f"Bearer {key}":
            return False
        self.fail(401, "Invalid API Key")
        return True

    def _answer_unknown(self) -> None:
        if self.server_double.product == LM_STUDIO:
            told = f"Unexpected endpoint or method. ({self.command} {self.path})"
            self.reply({"error": told})
        else:
            self.fail(404, "File Not Found")

    def _complete(self, record: Recorded) -> None:
        double = self.server_double
        assert isinstance(record, RecordedCompletion)
        for field, words in double.refused.items():
            if field in record.asked and double.refuses_within:
                self._refuse_within(words)
                return
            if field in record.asked:
                raise GenerationFailed(400, words)
        if not double.models:
            raise GenerationFailed(404, "No models loaded. Please load a model first.")
        if double.product != LLAMA_CPP and record.model not in double.models:
            raise GenerationFailed(404, f"The model `{record.model}` does not exist.")
        tokens = self._fitted(record)
        with double.queue.turn(self.pause):
            room = max(0, double.context - len(tokens))
            form = record.body["format"]
            prompt = FittedPrompt(record, tokens, room, self.pause, form, shifts=False)
            self._speak(prompt)

    def _refuse_within(self, words: str) -> None:
        self.begin()
        self._event({"role": "assistant", "content": None})
        self._send_event(json.dumps({"error": {"message": words, "code": 400}}))
        self.end()

    def _fitted(self, record: RecordedCompletion) -> Any:
        double = self.server_double
        generator: TextGenerator = double.generator
        window = ContextWindow(double.context, generator, _LIKE_LLAMA_CPP, truncates=False)
        if self.path == _TEXT:
            return fit_text(record, window)
        goes_on = double.product == LLAMA_CPP or bool(record.asked.get("continue_final_message"))
        return fit_chat(record, window, leave_open=goes_on and double.continues)

    def _speak(self, prompt: FittedPrompt) -> None:
        """Send a reply as events: a first one with the role, its pieces, its end, its counts."""
        has_begun = False
        with closing(self.double.generator.reply(prompt)) as parts:
            try:
                for part in parts:
                    if not has_begun:
                        self.begin()
                        self._event({"role": "assistant", "content": None})
                        has_begun = True
                    if not isinstance(part, HeadersFirst):
                        self._send_part(prompt.record, part)
                self._send_event("[DONE]")
                self.end()
            except ConnectionCut:
                self.cut()
            except GenerationFailed as failed:
                if not has_begun:
                    raise
                self._send_event(json.dumps({"error": {"message": failed.error}}))
                self.end()

    def _send_part(self, record: Recorded, part: Piece | End) -> None:
        if isinstance(part, End):
            self._event({}, finish_reason=part.reason)
            usage = {"prompt_tokens": part.prompt_tokens, "completion_tokens": part.reply_tokens}
            self._send_event(json.dumps({"choices": [], "usage": usage}))
            return
        delta = {"reasoning_content": part.thinking} if part.thinking else {"content": part.text}
        rates = record.body["logprobs"] and self.double.logprobs and part.logprobs
        self._event(delta, logprobs=self._rated(part) if rates else None)
        record.sent += part.text

    def _rated(self, part: Piece) -> dict[str, Any]:
        """Return the probabilities in the form that the path and the program have."""
        if self.path == _CHAT or self.server_double.product == LLAMA_CPP:
            return {"content": list(part.logprobs)}
        return {
            "tokens": [each["token"] for each in part.logprobs],
            "token_logprobs": [each["logprob"] for each in part.logprobs],
            "top_logprobs": [
                {other["token"]: other["logprob"] for other in each.get("top_logprobs", ())}
                for each in part.logprobs
            ],
        }

    def _event(self, delta: dict[str, Any], **more: Any) -> None:
        choice: dict[str, Any] = {"index": 0, "finish_reason": None} | more
        if self.path == _CHAT:
            choice["delta"] = delta
        else:
            choice["text"] = delta.get("content") or ""
        self._send_event(json.dumps({"choices": [choice]}, ensure_ascii=False))

    def _send_event(self, data: str) -> None:
        raw = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))

    def begin(self) -> None:
        """Send the headers of a stream."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def fail(self, status: int, error: str) -> None:
        """Send an error as these programs do; one that is JSON already goes as it is."""
        told = json.loads(error) if error.startswith("{") else {"error": {"message": error}}
        self.reply(told, status)


class OpenAIDouble(OllamaDouble):
    """One of the programs that speak OpenAI's protocol, `product`.

    `context` is the context in force in tokens, `is_loaded` whether the models are in memory (which
    LM Studio tells). `refused` maps fields of a request to the words in which they are refused,
    with a status of its own or, `refuses_within`, within a stream that has begun;
    `key` is what callers have to send. All else is as the double of Ollama has it.
    """

    conversation = OpenAIConversation

    def __init__(
        self, *models: DoubleModel, product: str = LLAMA_CPP, context: int = 8192, port: int = 0
    ) -> None:
        super().__init__(*(models or (CHAT,)), port=port)
        self.product = product
        self.context = context
        self.is_loaded = True
        self.refused: dict[str, str] = {}
        self.refuses_within = False
        self.key = ""

    @property
    def chats(self) -> list[Recorded]:
        """The requests to `/v1/chat/completions`, in order."""
        return self.to(_CHAT)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The bodies of all requests for text, as they came."""
        found = [each for each in self.requests if each.path in (_CHAT, _TEXT)]
        return [each.asked for each in found if isinstance(each, RecordedCompletion)]

    def listings(self) -> dict[str, dict[str, Any]]:
        """Return what is answered to a GET, by path."""
        found = {"/v1/models": {"object": "list", "data": list(self._rows())}}
        if self.product == LLAMA_CPP:
            slot = {"n_ctx": self.context}
            models = [{"name": name, "model": name} for name in self.models]
            found["/api/tags"] = {"models": models} | found["/v1/models"]
            return found | {"/props": {"default_generation_settings": slot, "total_slots": 1}}
        if self.product == LM_STUDIO:
            return found | {"/api/v0/models": {"data": list(self._studio_rows())}}
        return found

    def _rows(self) -> Iterator[dict[str, Any]]:
        for model in self.models.values():
            row = {"id": model.name, "object": "model", "owned_by": _OWNERS[self.product]}
            meta = {"n_ctx_train": model.context_length, "n_params": 3_212_749_888, "size": 2 << 30}
            more: dict[str, dict[str, Any]] = {
                LLAMA_CPP: {"meta": meta | {"ftype": "Q4_K_M"}},
                VLLM: {"max_model_len": self.context},
            }
            yield row | more.get(self.product, {})

    def _studio_rows(self) -> Iterator[dict[str, Any]]:
        for model in self.models.values():
            row = {
                "id": model.name,
                "object": "model",
                "type": "embeddings" if "embedding" in model.capabilities else "llm",
                "arch": model.family,
                "quantization": "Q4_K_M",
                "state": "loaded" if self.is_loaded else "not-loaded",
                "max_context_length": model.context_length,
            }
            yield row | ({"loaded_context_length": self.context} if self.is_loaded else {})
