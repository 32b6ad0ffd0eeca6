"""From messages to the prompt that fits, the way Ollama drops what does not."""

from __future__ import annotations

from dataclasses import dataclass

from testing.ollama_double.generator import TextGenerator, Tokens
from testing.ollama_double.recorded import Recorded

Messages = list[dict[str, str]]
KEPT = 4  # tokens at the beginning that a cut prompt keeps, Ollama's num_keep


@dataclass(frozen=True, slots=True)
class ContextWindow:
    """The context in force, in tokens of a generator's.

    A prompt that is still too long without its older messages is cut: `halves` to about a half, as
    since 0.30.11, else to the whole of it.
    """

    num_ctx: int
    generator: TextGenerator
    halves: bool = False

    def fit(self, request: Recorded, prompt: str) -> Tokens:
        """Cut the middle out of a prompt that is too long, and record what is left."""
        tokens = self.generator.tokenize(prompt)
        if len(tokens) > self._most:
            tokens = self._cut(tokens)
            prompt = self.generator.detokenize(tokens)
        request.prompt = prompt
        request.prompt_tokens = len(tokens)
        return tokens

    @property
    def _most(self) -> int:
        return self.num_ctx - 1 if self.halves else self.num_ctx

    def _cut(self, tokens: Tokens) -> Tokens:
        keep = min(KEPT, self.num_ctx - 1)
        left = self.num_ctx - (max((self.num_ctx - keep) // 2, 1) if self.halves else 0)
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
        if len(window.generator.tokenize(prompt)) <= window.num_ctx:
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
