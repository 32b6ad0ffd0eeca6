"""From messages to the prompt that fits, the way Ollama drops what does not."""

from __future__ import annotations

from testing.ollama_double.recorded import Recorded
from testing.ollama_double.words import tokenize

Messages = list[dict[str, str]]
KEPT = 4  # tokens at the beginning that a cut prompt keeps, Ollama's num_keep


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


def fit_chat(request: Recorded, num_ctx: int, *, leave_open: bool) -> None:
    """Drop the oldest messages until the chat fits: never a system message, never the last."""
    messages = request.messages
    for start in range(len(messages)):
        system = [m for m in messages[:start] if m["role"] == "system"]
        request.seen = system + messages[start:]
        request.dropped = len(messages) - len(request.seen)
        prompt = render(request.seen, leave_open=leave_open)
        if len(tokenize(prompt)) <= num_ctx:
            break
    _fit(request, prompt, num_ctx)


def fit_text(request: Recorded, num_ctx: int) -> None:
    """Set the prompt of `/api/generate`, in the template unless it is raw."""
    prompt = str(request.body.get("prompt") or "")
    if not request.body.get("raw"):
        system = request.body.get("system")
        messages = [{"role": "system", "content": system}] if system else []
        messages.append({"role": "user", "content": prompt})
        prompt = render(messages, leave_open=False)
    _fit(request, prompt, num_ctx)


def _fit(request: Recorded, prompt: str, num_ctx: int) -> None:
    """Cut out the middle of what is still too long, as the runner does."""
    tokens = tokenize(prompt)
    if len(tokens) > num_ctx:
        keep = min(KEPT, num_ctx - 1)
        tokens = tokens[:keep] + tokens[len(tokens) - (num_ctx - keep) :]
    request.prompt = "".join(tokens)
    request.prompt_tokens = len(tokens)
