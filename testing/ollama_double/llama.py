"""The generator that is a real language model: llama.cpp in another process, asked over HTTP.

As Ollama's `llm/llama_server.go` asks it. A reply ends at the context's end instead of forgetting
the beginning; whoever asked for more than there was room for is in the request's record.
"""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Generator, Iterator
from contextlib import closing
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from testing.ollama_double.generator import (
    End,
    FittedPrompt,
    GenerationFailed,
    Part,
    Piece,
    Tokens,
)

STOPPED = (
    "model runner has unexpectedly stopped, this may be due to resource limitations or an internal "
    "error, check ollama server logs for details"
)
BROKE_OFF = "an error was encountered while running the model: unexpected EOF"
_STOPS = ("<|im_start|>", "<|im_end|>")
_LOOK = 0.004  # seconds between looks for the next token, and at the client
_SECONDS = 60.0
# Ollama's options whose names llama.cpp has, too, with Ollama's defaults.
_OPTIONS = {
    "temperature": 0.8, "top_k": 40, "top_p": 0.9, "min_p": 0.0, "typical_p": 1.0, "seed": -1,
    "repeat_last_n": 64, "frequency_penalty": 0.0, "presence_penalty": 0.0,
}  # fmt: skip


class LlamaGenerator:
    """Replies of the model that serves at an address.

    `is_endless` lets it go on behind the end of its turn, for as long as it was asked to.
    """

    def __init__(self, url: str, *, is_endless: bool = False) -> None:
        self._address = urlsplit(url).netloc
        self._is_endless = is_endless

    def tokenize(self, text: str) -> Tokens:
        """Return the numbers of a text's tokens, the template's marks among them."""
        asked = {"content": text, "add_special": False, "parse_special": True}
        found: list[int] = self._ask("/tokenize", asked)["tokens"]
        return found

    def detokenize(self, tokens: Tokens) -> str:
        """Return the text of tokens."""
        return str(self._ask("/detokenize", {"tokens": list(tokens)})["content"])

    def reply(self, prompt: FittedPrompt) -> Generator[Part, None, None]:
        """Yield what the model writes."""
        wanted, began = int(prompt.record.options.get("num_predict", -1)), False
        prompt.record.lacks_room = not 0 <= wanted <= prompt.room
        try:
            asked = _request(prompt) | {"ignore_eos": self._is_endless}
            with closing(_Events(self._address, asked)) as events:
                for event in events.until_ended(prompt):
                    if event["stop"]:
                        yield _end(event)
                    elif event["content"]:
                        began = True
                        yield Piece(event["content"], logprobs=_logprobs(event, prompt))
        except (http.client.HTTPException, OSError, ValueError) as error:
            prompt.pause(_LOOK)  # is it the client that left?
            raise GenerationFailed(500, BROKE_OFF if began else STOPPED) from error

    def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        with closing(http.client.HTTPConnection(self._address, timeout=_SECONDS)) as connection:
            try:
                connection.request("POST", path, json.dumps(body))
                found: dict[str, Any] = json.load(connection.getresponse())
            except (http.client.HTTPException, OSError, ValueError) as error:
                raise GenerationFailed(500, STOPPED) from error
        return found


class _Events:
    """A stream of llama.cpp's, read by a thread: meanwhile somebody looks whether to go on."""

    def __init__(self, address: str, body: dict[str, Any]) -> None:
        self._arrived: SimpleQueue[dict[str, Any] | Exception | None] = SimpleQueue()
        self._socket = socket.create_connection(_host_and_port(address))
        self._connection = http.client.HTTPConnection(address)
        self._connection.sock = self._socket
        self._thread = threading.Thread(target=self._read, args=(body,), name="llama")
        self._thread.start()

    def until_ended(self, prompt: FittedPrompt) -> Iterator[dict[str, Any]]:
        """Yield events up to the last one; what goes wrong is raised, that the client left, too."""
        while True:
            try:
                event = self._arrived.get_nowait()
            except Empty:
                prompt.pause(_LOOK)
                continue
            if event is None:
                raise http.client.IncompleteRead(b"")
            if isinstance(event, Exception):
                raise event
            yield event
            if event["stop"]:
                return

    def close(self) -> None:
        """Hang up, at which llama.cpp stops."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it was quicker
        self._thread.join()
        self._connection.close()
        self._socket.close()

    def _read(self, body: dict[str, Any]) -> None:
        try:
            self._connection.request("POST", "/completion", json.dumps(body))
            for line in _answered(self._connection.getresponse()):
                if line.startswith(b"data: ") and "prompt_progress" not in (event := _event(line)):
                    self._arrived.put(event)
            self._arrived.put(None)
        except Exception as error:  # noqa: BLE001 - whoever waits for events raises it
            self._arrived.put(error)


def _answered(reply: http.client.HTTPResponse) -> http.client.HTTPResponse:
    if reply.status >= 400:
        raise GenerationFailed(reply.status, reply.read().decode())
    return reply


def _event(line: bytes) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(line.removeprefix(b"data: "))
    if "error" in event:
        raise GenerationFailed(500, json.dumps(event["error"]))
    return event


def _host_and_port(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    return host, int(port)


def _request(prompt: FittedPrompt) -> dict[str, Any]:
    """Return what llama.cpp is asked for."""
    body, options = prompt.record.body, prompt.record.options
    wanted = int(options.get("num_predict", -1))
    most = prompt.room if wanted < 0 else min(wanted, prompt.room)
    stops = options.get("stop") or []
    asked: dict[str, Any] = {
        "prompt": list(prompt.tokens),
        "stream": True,
        "return_progress": True,  # else llama.cpp does not notice, while it reads, who has left
        "cache_prompt": True,
        "n_predict": max(1, most),
        "stop": [*([stops] if isinstance(stops, str) else stops), *_STOPS],
    }
    own = _OPTIONS | {"repeat_penalty": prompt.repeat_penalty}
    asked |= {name: options.get(name, default) for name, default in own.items()}
    if body.get("logprobs"):
        asked["n_probs"] = max(1, int(body.get("top_logprobs") or 0))
    if prompt.form:
        asked["json_schema"] = prompt.form if isinstance(prompt.form, dict) else {"type": "object"}
    return asked


def _logprobs(event: dict[str, Any], prompt: FittedPrompt) -> tuple[dict[str, Any], ...]:
    """Return an event's log-probabilities, with the others at their places where asked for."""
    top = int(prompt.record.body.get("top_logprobs") or 0)
    found = []
    for each in event.get("completion_probabilities", ()):
        entry = _entry(each)
        if top:
            entry["top_logprobs"] = [_entry(other) for other in each["top_logprobs"]]
        found.append(entry)
    return tuple(found)


def _entry(told: dict[str, Any]) -> dict[str, Any]:
    token = told["token"]
    return {"token": token, "logprob": told["logprob"], "bytes": list(token.encode())}


def _end(event: dict[str, Any]) -> End:
    times = event["timings"]
    reason = "length" if event["stop_type"] == "limit" else "stop"
    read = times["cache_n"] + times["prompt_n"]
    return End(reason, read, times["predicted_n"], times["cache_n"])
