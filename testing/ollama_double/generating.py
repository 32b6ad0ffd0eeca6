"""`/api/chat` and `/api/generate`: truncation, streaming, thinking, probabilities, faults."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from testing.ollama_double import cloud, routes
from testing.ollama_double.models import DoubleModel
from testing.ollama_double.prompt import fit_chat, fit_text
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Script, shape
from testing.ollama_double.words import tokenize

if TYPE_CHECKING:
    from testing.ollama_double.routes import Conversation


def chat(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/chat`."""
    model = _admitted(connection, record)
    if model is None:
        return
    if not record.messages:
        _load(connection, record, model)
        return
    fit_chat(record, _context(connection, record, model), leave_open=connection.double.continues)
    _speak(connection, record, _chat_part)


def generate(connection: Conversation, record: Recorded) -> None:
    """Answer `/api/generate`, raw or in the template."""
    model = _admitted(connection, record)
    if model is None:
        return
    if not record.body.get("prompt"):
        _load(connection, record, model)
        return
    fit_text(record, _context(connection, record, model))
    _speak(connection, record, _text_part)


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


def _load(connection: Conversation, record: Recorded, model: DoubleModel) -> None:
    """Answer a request without a prompt, which loads the model or lets it go."""
    _context(connection, record, model)
    unload = record.body.get("keep_alive") in (0, "0", "0s")
    if unload:
        del connection.double.running[model.name]
    part = _chat_part("") if record.path == "/api/chat" else _text_part("")
    reason = "unload" if unload else "load"
    connection.reply(_stamp(record) | part | {"done": True, "done_reason": reason})


def _speak(connection: Conversation, record: Recorded, part: Any) -> None:
    """Say the next script, as a stream or in one piece."""
    script, reason = shape(connection.double.next_script(record), record)
    streams = record.body.get("stream", True) is not False
    begun = script.early_headers and streams
    if begun:
        connection.begin()
    connection.pause(script.wait)
    if script.status != 200:
        connection.fail(script.status, script.error)
        return
    lines = _lines(connection, record, script, part)
    if not streams:
        _whole(connection, lines, reason)
        return
    if not begun:
        connection.begin()
    _stream(connection, script, lines, reason)


def _lines(
    connection: Conversation, record: Recorded, script: Script, part: Any
) -> Iterator[dict[str, Any]]:
    """Yield a line a token: first what was thought, then what is said, last the counts."""
    started = time.monotonic()
    if script.thinking and record.body.get("think", True):
        for token in tokenize(script.thinking):
            yield _stamp(record) | part("", token) | {"done": False}
    wants_probabilities = bool(record.body.get("logprobs")) and connection.double.logprobs
    for index, token in enumerate(script.pieces()):
        line = _stamp(record) | part(token) | {"done": False}
        if wants_probabilities:
            top = int(record.body.get("top_logprobs") or 0)
            line["logprobs"] = [_logprob(token, script.logprob(index), top)]
            _add_rivals(line["logprobs"][0], script.rivals.get(token, {}), top)
        yield line
        record.sent += token
    yield _stamp(record) | part("") | {"done": True} | _counts(record, script, started)


def _stream(
    connection: Conversation, script: Script, lines: Iterator[dict[str, Any]], reason: str
) -> None:
    for index, line in enumerate(lines):
        if _faulty(connection, script, None if line["done"] else index):
            return
        if line["done"] and script.ends_early:
            break
        if index and not line["done"]:
            connection.pause(script.pace)
        connection.line(line | ({"done_reason": reason} if line["done"] else {}))
    connection.end()


def _faulty(connection: Conversation, script: Script, index: int | None) -> bool:
    """Break off, or send an error line, where the script says so; None is after the last token."""
    if script.breaks_after is not None and index in (script.breaks_after, None):
        connection.cut()
        return True
    if script.error_after is not None and index in (script.error_after, None):
        connection.line({"error": script.error})
        connection.end()
        return True
    return False


def _whole(connection: Conversation, lines: Iterator[dict[str, Any]], reason: str) -> None:
    """Send the reply that was asked for without a stream."""
    whole: dict[str, Any] = {}
    logprobs: list[Any] = []
    for line in lines:
        logprobs += line.pop("logprobs", [])
        whole = _joined(whole, line)
    if logprobs:
        whole["logprobs"] = logprobs
    connection.reply(whole | {"done_reason": reason})


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


def _logprob(token: str, value: float, top: int) -> dict[str, Any]:
    """Return one token's logprob; the others at its place share what is left, in halves."""
    made: dict[str, Any] = {"token": token, "logprob": value, "bytes": list(token.encode())}
    if top:
        rest = max(1.0 - math.exp(value), 1e-6)
        others = [{"token": f"other{n}", "logprob": math.log(rest / 2**n)} for n in range(1, top)]
        made["top_logprobs"] = [{"token": token, "logprob": value}, *others]
    return made


def _add_rivals(made: dict[str, Any], rivals: Mapping[str, float], top: int) -> None:
    """Put the tokens of a script that could stand there among the others, the likeliest first."""
    known = [{"token": each, "logprob": math.log(p)} for each, p in rivals.items()]
    if top and known:
        own, *others = made["top_logprobs"] or [
            {"token": made["token"], "logprob": made["logprob"]}
        ]
        ranked = sorted([own, *known], key=lambda each: -float(each["logprob"]))
        made["top_logprobs"] = [*ranked, *others][:top]


def _counts(record: Recorded, script: Script, started: float) -> dict[str, Any]:
    spent = max(1, int((time.monotonic() - started) * 1e9))
    made: dict[str, Any] = {
        "total_duration": spent,
        "load_duration": 1,
        "eval_count": len(script.pieces()),
        "eval_duration": spent,
    }
    evaluated = record.prompt_tokens - script.cached
    if script.counted and evaluated > 0:
        made |= {"prompt_eval_count": evaluated, "prompt_eval_duration": 1}
    return made
