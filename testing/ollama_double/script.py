"""What the double says: a text with its pace, its faults and its token probabilities."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from testing.ollama_double.recorded import Recorded
from testing.ollama_double.words import tokenize


@dataclass(frozen=True, slots=True)
class Script:
    """One reply.

    Times in seconds: `wait` before the first token (and the headers, unless `early_headers`),
    `pace` between tokens. `breaks_after` cuts the connection after so many tokens, `ends_early`
    leaves the last line, with `done`, out; `error` is
    sent as status `status`, or, with `error_after`, as a line after so many tokens.
    `probabilities` belong to the tokens in order, the last one also to all that follow.
    `tokens` gives the text cut otherwise than the double's tokenizer would.
    `rivals` are, by a token, others that could stand at its place, each with its probability.
    A line holds `per_line` tokens; the log-probabilities of the tokens at the places `unrated` are
    left out, as a server does that holds text back.
    `counted=False` leaves `prompt_eval_count` out; `cached` tokens are counted, but by a double
    whose `counts_cached` is False.
    """

    text: str = ""
    thinking: str = ""
    tokens: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = (0.9,)
    per_line: int = 1
    unrated: tuple[int, ...] = ()
    rivals: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    wait: float = 0.0
    pace: float = 0.0
    early_headers: bool = False
    breaks_after: int | None = None
    ends_early: bool = False
    status: int = 200
    error: str = ""
    error_after: int | None = None
    counted: bool = True
    cached: int = 0

    def pieces(self) -> list[str]:
        """Return the reply's tokens."""
        return list(self.tokens) or tokenize(self.text)

    def logprob(self, index: int) -> float:
        """Return the natural logarithm of a token's probability."""
        known = self.probabilities or (0.9,)
        return math.log(max(known[min(index, len(known) - 1)], 1e-12))


Answer = str | Script
Reply = Answer | Callable[[Recorded], Answer]


def fail(status: int, error: str) -> Script:
    """Return a reply that is an HTTP error with Ollama's JSON."""
    return Script(status=status, error=error)


def resolve(reply: Reply, request: Recorded) -> Script:
    """Return the script that a reply means for a request."""
    answer = reply(request) if callable(reply) else reply
    return Script(answer) if isinstance(answer, str) else answer


def shape(
    script: Script, options: Mapping[str, Any], form: Any, room: int | None = None
) -> tuple[Script, str]:
    """Apply `format`, `stop` and `num_predict`: the script as sent, and its `done_reason`.

    `room` is for how many tokens the context has room, None where it shifts.
    """
    if form:
        script = replace(script, text=conform(script.text, form), tokens=())
    script = _stopped(script, options.get("stop") or [])
    wanted = options.get("num_predict")
    pieces = script.pieces()
    limit = len(pieces) if wanted is None or wanted < 0 else wanted
    limit = limit if room is None else min(limit, room)
    if limit < len(pieces):
        return replace(script, tokens=tuple(pieces[:limit]), text="".join(pieces[:limit])), "length"
    return script, "stop"


def _stopped(script: Script, stops: list[str] | str) -> Script:
    text = "".join(script.pieces())
    wanted = [stops] if isinstance(stops, str) else stops
    found = [at for at in (text.find(stop) for stop in wanted if stop) if at >= 0]
    if not found:
        return script
    kept: list[str] = []
    room = min(found)
    for piece in script.pieces():
        kept.append(piece[:room])
        room -= len(kept[-1])
        if room <= 0:
            break
    return replace(script, text="".join(kept), tokens=tuple(piece for piece in kept if piece))


def conform(text: str, wanted: Any) -> str:
    """Return JSON that fits a schema: the text itself if it is JSON, else wrapped in an instance.

    A real server's grammar lets nothing else through; the text goes into the first string.
    """
    try:
        json.loads(text)
    except ValueError:
        schema = wanted if isinstance(wanted, dict) else {"type": "object"}
        return json.dumps(_instance(schema, [text]), ensure_ascii=False)
    return text


def _instance(schema: dict[str, Any], texts: list[str]) -> Any:
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    if kind == "object":
        return {k: _instance(v, texts) for k, v in schema.get("properties", {}).items()}
    if kind == "array":
        return [_instance(schema.get("items", {"type": "string"}), texts)]
    if kind == "string":
        return texts.pop() if texts else ""
    return {"boolean": True, "integer": 0, "number": 0.0}.get(kind)
