"""`/api/chat` and `/api/generate`: who is admitted, what is cut, and replies line by line.

What is replied comes from the double's generator: a script or a language model.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from testing.ollama_double import cloud, routes
from testing.ollama_double.generator import (
    ConnectionCut,
    End,
    FittedPrompt,
    GenerationFailed,
    HeadersFirst,
    Part,
    Piece,
    Tokens,
)
from testing.ollama_double.models import DoubleModel
from testing.ollama_double.prompt import ContextWindow, fit_chat, fit_text
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.versions import numbers

if TYPE_CHECKING:
    from testing.ollama_double.routes import Conversation

_HALVES = (0, 30, 11)  # the version since which a prompt that is too long is cut to about half


def chat(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/chat`."""
    model = _admitted(connection, record)
    if model is None:
        return
    if not record.messages:
        _load(connection, record, model)
        return
    window = _window(connection, record, model)
    tokens = fit_chat(record, window, leave_open=connection.double.continues)
    _speak(connection, _prompt(connection, record, tokens, window), _chat_part)


def generate(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/generate`, raw or in the template."""
    model = _admitted(connection, record)
    if model is None:
        return
    if not record.body.get("prompt"):
        _load(connection, record, model)
        return
    window = _window(connection, record, model)
    tokens = fit_text(record, window)
    _speak(connection, _prompt(connection, record, tokens, window), _text_part)


def _admitted(connection: Conversation, record: Recorded) -> DoubleModel | None:
    """Return the model, or answer why it can't be used."""
    model = cloud.find(connection.double, record)
    if model is None:
        connection.fail(404, f"model '{record.model}' not found")
        return None
    if record.remote and connection.double.cloud_is_off:
        connection.fail(403, cloud.DISABLED)
        return None
    think = record.body.get("think")
    can = "thinking" in model.capabilities
    if not can and (think or (think is False and model.refuses_think)):
        connection.fail(400, f'"{record.model}" does not support thinking')
        return None
    if "completion" not in model.capabilities:
        connection.fail(400, f'"{record.model}" does not support chat')
        return None
    return model


def _context(connection: Conversation, record: Recorded, model: DoubleModel) -> int:
    """Return the context in force: what was asked for, but never more than the model has."""
    wanted = int(record.options.get("num_ctx") or connection.double.num_ctx)
    context = min(wanted, model.context_length)
    connection.double.running[model.name] = context
    return context


def _window(connection: Conversation, record: Recorded, model: DoubleModel) -> ContextWindow:
    double = connection.double
    halves = numbers(double.version) >= _HALVES
    return ContextWindow(_context(connection, record, model), double.generator, halves)


def _prompt(
    connection: Conversation, record: Recorded, tokens: Tokens, window: ContextWindow
) -> FittedPrompt:
    room = max(0, window.num_ctx - len(tokens))
    return FittedPrompt(record, tokens, room, connection.pause)


def _load(connection: Conversation, record: Recorded, model: DoubleModel) -> None:
    """Answer a request without a prompt, which loads the model or lets it go."""
    _context(connection, record, model)
    unload = record.body.get("keep_alive") in (0, "0", "0s")
    if unload:
        del connection.double.running[model.name]
    part = _chat_part("") if record.path == "/api/chat" else _text_part("")
    reason = "unload" if unload else "load"
    connection.reply(_stamp(record) | part | {"done": True, "done_reason": reason})


def _speak(connection: Conversation, prompt: FittedPrompt, part: Any) -> None:
    """Send what the generator replies, as a stream or in one piece."""
    record = prompt.record
    parts = connection.double.generator.reply(prompt)
    stream = _Stream(connection) if record.body.get("stream", True) is not False else None
    lines = _lines(connection, record, parts, part)
    try:
        if stream is None:
            _whole(connection, lines)
            return
        for line in lines:
            stream.send(line)
        stream.end()
    except ConnectionCut:
        connection.cut()
    except GenerationFailed as failed:
        if stream is None or not stream.has_begun:
            connection.fail(failed.status, failed.error)
            return
        connection.line({"error": failed.error})
        connection.end()
    finally:
        parts.close()


class _Stream:
    """A stream's headers, which go out with its first line or when the generator says so."""

    def __init__(self, connection: Conversation) -> None:
        self._connection = connection
        self.has_begun = False

    def send(self, line: dict[str, Any] | None) -> None:
        """Send a line; None sends the headers alone."""
        if not self.has_begun:
            self._connection.begin()
            self.has_begun = True
        if line is not None:
            self._connection.line(line)

    def end(self) -> None:
        """End it properly, however few lines it had."""
        self.send(None)
        self._connection.end()


def _lines(
    connection: Conversation, record: Recorded, parts: Iterable[Part], part: Any
) -> Iterator[dict[str, Any] | None]:
    """Yield a line a piece, last the counts, and None where only headers are to be sent."""
    started = time.monotonic()
    rates = bool(record.body.get("logprobs")) and connection.double.logprobs
    for each in parts:
        if isinstance(each, HeadersFirst):
            yield None
        elif isinstance(each, Piece):
            line = _stamp(record) | part(each.text, each.thinking) | {"done": False}
            yield line | ({"logprobs": list(each.logprobs)} if rates and each.logprobs else {})
            record.sent += each.text
        else:
            ended = {"done": True, "done_reason": each.reason} | _counts(each, started)
            yield _stamp(record) | part("") | ended


def _whole(connection: Conversation, lines: Iterator[dict[str, Any] | None]) -> None:
    """Send the reply that was asked for without a stream."""
    whole: dict[str, Any] = {}
    logprobs: list[Any] = []
    for line in lines:
        if line is not None:
            logprobs += line.pop("logprobs", [])
            whole = _joined(whole, line)
    connection.reply(whole | ({"logprobs": logprobs} if logprobs else {}))


def _joined(whole: dict[str, Any], line: dict[str, Any]) -> dict[str, Any]:
    if not whole:
        return line
    if "message" in line:
        texts = {
            key: whole["message"].get(key, "") + line["message"].get(key, "")
            for key in ("content", "thinking")
        }
        return line | {"message": {"role": "assistant"} | {k: v for k, v in texts.items() if v}}
    return line | {"response": whole["response"] + line["response"]}


def _chat_part(text: str, thinking: str = "") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {"message": message | ({"thinking": thinking} if thinking else {})}


def _text_part(text: str, thinking: str = "") -> dict[str, Any]:
    return {"response": text} | ({"thinking": thinking} if thinking else {})


def _stamp(record: Recorded) -> dict[str, Any]:
    return {"model": record.model, "created_at": routes.now()} | record.remote


def _counts(end: End, started: float) -> dict[str, Any]:
    spent = max(1, int((time.monotonic() - started) * 1e9))
    made: dict[str, Any] = {
        "total_duration": spent,
        "load_duration": 1,
        "eval_count": end.reply_tokens,
        "eval_duration": spent,
    }
    if end.prompt_tokens is not None:
        made |= {"prompt_eval_count": end.prompt_tokens, "prompt_eval_duration": 1}
    return made
