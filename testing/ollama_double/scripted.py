"""The generator that says what it was told to: from a queue, then from a function."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterator, Mapping
from threading import Lock
from typing import Any

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
from testing.ollama_double.quoting import quote_first
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.script import Reply, Script, resolve, shape
from testing.ollama_double.words import tokenize


class ScriptedGenerator:
    """Replies from `queue` in order, then with `otherwise`."""

    def __init__(self) -> None:
        self.queue: deque[Reply] = deque()
        self.otherwise: Reply = quote_first
        self._lock = Lock()

    def say(self, *replies: Reply) -> None:
        """Queue replies."""
        with self._lock:
            self.queue.extend(replies)

    def next_script(self, request: Recorded) -> Script:
        """Take the next reply for a request."""
        with self._lock:
            reply = self.queue.popleft() if self.queue else self.otherwise
        return resolve(reply, request)

    def tokenize(self, text: str) -> Tokens:
        """Return the words and signs of a text."""
        return tokenize(text)

    def detokenize(self, tokens: Tokens) -> str:
        """Return the text of tokens."""
        return "".join(tokens)

    def reply(self, prompt: FittedPrompt) -> Generator[Part, None, None]:
        """Yield the next script."""
        room = None if prompt.shifts else prompt.room
        said = self.next_script(prompt.record)
        script, reason = shape(said, prompt.record.options, prompt.form, room)
        if script.early_headers:
            yield HeadersFirst()
        prompt.pause(script.wait)
        if script.status != 200:
            raise GenerationFailed(script.status, script.error)
        for place, piece in enumerate(_pieces(script, prompt.record)):
            _break_off(script, place)
            if place:
                prompt.pause(script.pace)
            yield piece
        _break_off(script, None)
        if not script.ends_early:
            yield _end(script, reason, prompt)


def _pieces(script: Script, record: Recorded) -> Iterator[Piece]:
    """Yield a piece a token, or for some: first what was thought, then what is said."""
    if script.thinking and record.body.get("think", True):
        for token in tokenize(script.thinking):
            yield Piece(thinking=token)
    tokens = script.pieces()
    for start in range(0, len(tokens), script.per_line):
        places = range(start, min(start + script.per_line, len(tokens)))
        rated = (place for place in places if place not in script.unrated)
        text = "".join(tokens[place] for place in places)
        yield Piece(text, logprobs=tuple(_rated(script, record, place) for place in rated))


def _rated(script: Script, record: Recorded, place: int) -> dict[str, Any]:
    """Return what is told of a token's probability."""
    token = script.pieces()[place]
    top = int(record.body.get("top_logprobs") or 0)
    entry = _logprob(token, script.logprob(place), top)
    _add_rivals(entry, script.rivals.get(token, {}), top)
    return entry


def _break_off(script: Script, place: int | None) -> None:
    """Break off, or fail, where the script says so; None is behind the last token."""
    if script.breaks_after is not None and place in (script.breaks_after, None):
        raise ConnectionCut
    if script.error_after is not None and place in (script.error_after, None):
        raise GenerationFailed(500, script.error)


def _end(script: Script, reason: str, prompt: FittedPrompt) -> End:
    read = len(prompt.tokens) if script.counted else None
    thinks = bool(script.thinking) and prompt.record.body.get("think", True)
    thought = len(tokenize(script.thinking)) if thinks else 0
    ending = 1 if reason == "stop" else 0  # the token that ends the turn was sampled, too
    return End(reason, read, thought + len(script.pieces()) + ending, script.cached)


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
        own, *others = made["top_logprobs"]
        ranked = sorted([own, *known], key=lambda each: -float(each["logprob"]))
        made["top_logprobs"] = [*ranked, *others][:top]
