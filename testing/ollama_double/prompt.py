"""From messages to the prompt that fits, the way Ollama drops what does not."""

from __future__ import annotations

import json
from dataclasses import dataclass

from testing.ollama_double.generator import GenerationFailed, TextGenerator, Tokens
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.versions import Behaviour

Messages = list[dict[str, str]]
TOO_LONG = (
    "the prompt is longer than the context length currently available to the model; shorten the "
    "prompt, adjust the context length in settings, or use a model with a longer context length"
)
KEPT = 4  # tokens at the beginning that a cut prompt keeps, Ollama's num_keep


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """The context in force, in tokens of a generator's.

    A prompt that is still too long without its older messages is cut: since 0.30.11 to about a half
    of it, before to the whole. Where it may not be cut (`truncate`), or since 0.30.9 where the
    context does not `shift`, it is refused.
    """

    num_ctx: int
    generator: TextGenerator
    behaviour: Behaviour
    truncates: bool = True
    shifts: bool = True

    def fit(self, request: Recorded, prompt: str) -> Tokens:
        """Cut the middle out of a prompt that is too long, and record what is left."""
        tokens = self.generator.tokenize(prompt)
        if len(tokens) > self._most:
            self._refuse(len(tokens))
            tokens = self._cut(tokens)
            prompt = self.generator.detokenize(tokens)
        request.prompt = prompt
        request.prompt_tokens = len(tokens)
        return tokens

    @property
    def _most(self) -> int:
        return self.num_ctx - 1 if self.behaviour.halves_long_prompts else self.num_ctx

    def _refuse(self, tokens: int) -> None:
        if not self.truncates:
            raise GenerationFailed(400, self._overflow(tokens))
        if not self.shifts and self.behaviour.refuses_overflow:
            raise GenerationFailed(400, TOO_LONG)

    def _overflow(self, tokens: int) -> str:
        """Return the error of a prompt that may not be cut; llama.cpp's own is JSON."""
        if not self.behaviour.runs_llama_server:
            return "the input length exceeds the context length"
        message = (
            f"request ({tokens} tokens) exceeds the available context size ({self.num_ctx} "
            "tokens), try increasing it"
        )
        kind = "exceed_context_size_error"
        counts = {"n_prompt_tokens": tokens, "n_ctx": self.num_ctx}
        return json.dumps({"error": {"code": 400, "message": message, "type": kind} | counts})

    def _cut(self, tokens: Tokens) -> Tokens:
        keep = min(KEPT, self.num_ctx - 1)
        halves = self.behaviour.halves_long_prompts
        left = self.num_ctx - (max((self.num_ctx - keep) // 2, 1) if halves else 0)
        return [*tokens[:keep], *tokens[len(tokens) - (left - keep) :]]


def render(messages: Messages, *, leave_open: bool) -> str:
    """Return the prompt of a chat; `leave_open` lets a last assistant message be continued."""
    prompt = ""
    for index, message in enumerate(messages):
        last = index == len(messages) - 1
        prompt += f"<|im_start|>{message['role']}\n{message['content']}"
        if last and leave_open and message["role"] == "assistant":
            return prompt
        prompt += "<|im_end|>\n"
    return prompt + "<|im_start|>assistant\n"


def fit_chat(request: Recorded, window: ContextWindow, *, leave_open: bool) -> Tokens:
    """Drop the oldest messages until the chat fits: never a system message, never the last."""
    messages = request.messages
    for start in range(len(messages)):
        system = [m for m in messages[:start] if m["role"] == "system"]
        request.seen = system + messages[start:]
        request.dropped = len(messages) - len(request.seen)
        prompt = render(request.seen, leave_open=leave_open)
        if not window.truncates or len(window.generator.tokenize(prompt)) <= window.num_ctx:
            break
    return window.fit(request, prompt)


def fit_text(request: Recorded, window: ContextWindow) -> Tokens:
    """Return the prompt of `/api/generate`, in the template unless it is raw."""
    prompt = str(request.body.get("prompt") or "")
    if not request.body.get("raw"):
        system = request.body.get("system")
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        prompt = render(messages, leave_open=False)
    return window.fit(request, prompt)
