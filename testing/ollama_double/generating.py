"""`/api/chat` and `/api/generate`: who is admitted, what is cut, and replies line by line.

What is replied comes from the double's generator: a script or a language model.
"""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from desktop_rag.core.sentences import is_ended
from testing.ollama_double import routes
from testing.ollama_double.admission import admitted, checked_form
from testing.ollama_double.generator import (
    ConnectionCut,
    End,
    FittedPrompt,
    GenerationFailed,
    HeadersFirst,
    Part,
    Piece,
    Reply,
    Tokens,
)
from testing.ollama_double.loading import seconds
from testing.ollama_double.models import DoubleModel
from testing.ollama_double.prompt import ContextWindow, fit_chat, fit_text
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.versions import Behaviour

if TYPE_CHECKING:
    from testing.ollama_double.routes import Conversation
    from testing.ollama_double.server import OllamaDouble

MOST_EQUAL = 30
"""Tokens that follow each other and are the same; behind them Ollama ends a stream, and says so
with no word."""

_VOCABULARY = 128_000
_UNSHIFTABLE = "deepseek2"  # the family whose context Ollama does not shift


def chat(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/chat`."""
    with _loaded(connection, record) as model:
        if not record.messages:
            _answer_load(connection, record, model, _chat_part)
            return
        window = _window(connection.double, record, model)
        tokens = fit_chat(record, window, leave_open=connection.double.continues)
        _speak(connection, _prompt(connection, record, tokens, model), _chat_part)


def generate(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/generate`, raw or in the template."""
    with _loaded(connection, record) as model:
        if not record.body.get("prompt"):
            _answer_load(connection, record, model, _text_part)
            return
        tokens = fit_text(record, _window(connection.double, record, model))
        prompt = _prompt(connection, record, tokens, model)
        _speak(connection, prompt, _text_part, gives_context=not record.body.get("raw"))


@contextmanager
def _loaded(connection: Conversation, record: Recorded) -> Iterator[DoubleModel]:
    """Give the model that is asked, in memory and at this request's turn."""
    double = connection.double
    keep = seconds(record.body.get("keep_alive"))
    model = admitted(double, record)
    with double.queue.turn(connection.pause):
        double.loaded.load(model.name, _context(double, record, model), math.inf)
        try:
            yield model
        finally:
            double.loaded.renew(model.name, keep)


def _context(double: OllamaDouble, record: Recorded, model: DoubleModel) -> int:
    """Return the context in force: what was asked for, but never more than the model has."""
    wanted = int(record.options.get("num_ctx") or double.num_ctx)
    return min(wanted, model.context_length)


def _shifts(record: Recorded, model: DoubleModel) -> bool:
    asked = record.body.get("shift")
    return model.family != _UNSHIFTABLE if asked is None else bool(asked)


def _window(double: OllamaDouble, record: Recorded, model: DoubleModel) -> ContextWindow:
    return ContextWindow(
        _context(double, record, model),
        double.generator,
        Behaviour(double.version),
        truncates=record.body.get("truncate") is not False,
        shifts=_shifts(record, model),
    )


def _prompt(
    connection: Conversation, record: Recorded, tokens: Tokens, model: DoubleModel
) -> FittedPrompt:
    double = connection.double
    form = checked_form(record.body.get("format"))
    unheld = model.has_parser and record.body.get("think") is False
    if unheld and not Behaviour(double.version).keeps_form_without_thinking:
        form = None
    room = max(0, _context(double, record, model) - len(tokens))
    shifts = _shifts(record, model)
    penalty = Behaviour(double.version).repeat_penalty
    return FittedPrompt(record, tokens, room, connection.pause, form, shifts, penalty)


def _answer_load(connection: Conversation, record: Recorded, model: DoubleModel, part: Any) -> None:
    """Answer a request without a prompt, which loads the model or lets it go."""
    unload = seconds(record.body.get("keep_alive")) == 0
    if unload:
        connection.double.loaded.unload(model.name)
    reason = "unload" if unload else "load"
    connection.reply(_stamp(record) | part("") | {"done": True, "done_reason": reason})


def _speak(
    connection: Conversation, prompt: FittedPrompt, part: Any, *, gives_context: bool = False
) -> None:
    """Send what the generator replies, as a stream or in one piece.

    With `gives_context` its last line has the numbers of all tokens, to be sent along next time.
    """
    record = prompt.record
    made = _ended(connection.double, prompt) or connection.double.generator.reply(prompt)
    stream = _Stream(connection) if record.body.get("stream", True) is not False else None
    with closing(made) as parts:
        said = _unrepeated(parts) if connection.double.ends_repetition else parts
        lines = _lines(connection, record, said, part)
        if gives_context:
            lines = _with_context(connection.double, prompt, lines)
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
                raise
            connection.line({"error": failed.error})
            connection.end()


def _ended(double: OllamaDouble, prompt: FittedPrompt) -> Reply | None:
    """Return the reply of a model that takes its begun turn for ended, None where it goes on."""
    last = prompt.record.messages[-1:]
    if not double.ends_whole_sentences or not last or last[0]["role"] != "assistant":
        return None
    end = End("stop", len(prompt.tokens), 1)
    return (each for each in (end,)) if is_ended(last[0]["content"]) else None


def _unrepeated(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield parts up to where one token follows itself too often."""
    last, same = "", 0
    for part in parts:
        if isinstance(part, Piece):
            token = (part.text or part.thinking).strip()
            same = same + 1 if token == last else 0
            last = token
            if same > MOST_EQUAL:
                return
        yield part


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
            counts = _counts(each, started, counts_cached=connection.double.counts_cached)
            ended = {"done": True, "done_reason": each.reason} | counts
            yield _stamp(record) | part("") | ended


def _with_context(
    double: OllamaDouble, prompt: FittedPrompt, lines: Iterator[dict[str, Any] | None]
) -> Iterator[dict[str, Any] | None]:
    """Add the conversation's tokens, with the reply's, to the last line."""
    for line in lines:
        if line is not None and line["done"]:
            said = double.generator.tokenize(prompt.record.sent)
            line["context"] = [_number(each) for each in (*prompt.tokens, *said)]
        yield line


def _number(token: Any) -> int:
    """Return a token's number; one made up for a token that is a text."""
    return token if isinstance(token, int) else zlib.crc32(str(token).encode()) % _VOCABULARY


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


def _counts(end: End, started: float, *, counts_cached: bool) -> dict[str, Any]:
    spent = max(1, int((time.monotonic() - started) * 1e9))
    made: dict[str, Any] = {
        "total_duration": spent,
        "load_duration": 1,
        "eval_count": end.reply_tokens,
        "eval_duration": spent,
    }
    read = (end.prompt_tokens or 0) - (0 if counts_cached else end.cached)
    if read > 0:
        made |= {"prompt_eval_count": read, "prompt_eval_duration": 1}
    return made
