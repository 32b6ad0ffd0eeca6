"""A server on loopback that speaks for Ollama, and in one of its replies goes wild: raw sockets."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

MODEL = "hostile:1b"
Write = Callable[[bytes], None]
Behaviour = Callable[[Write], None]
"""What is sent on a connection after its request: head, body and all."""

_LISTED = {"name": MODEL, "model": MODEL, "size": 1, "digest": "0" * 64, "details": {}}
_SHOWN = {
    "capabilities": ["completion"],
    "template": "{{ .Prompt }}",
    "details": {},
    "model_info": {"llama.context_length": 8192},
}
_PIECE = {"message": {"role": "assistant", "content": "word "}, "response": "word ", "done": False}
_LAST = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "stop"}
SECONDS = 60.0  # after which a behaviour without end ends anyway


def head(status: int = 200, *more: str) -> bytes:
    """Return the head of a reply; the body ends with the connection."""
    lines = [f"HTTP/1.1 {status} X", "Connection: close", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def body(value: object, status: int = 200) -> Behaviour:
    """Answer with a value as JSON, or with bytes as they are."""
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()

    def behave(write: Write) -> None:
        write(head(status) + raw)

    return behave


NOT_THERE = body(b"404 page not found", 404)


def lines(*values: object) -> Behaviour:
    """Answer with values as lines of a stream."""
    return body(b"\n".join(v if isinstance(v, bytes) else json.dumps(v).encode() for v in values))


def talk(**more: Any) -> Behaviour:
    """Answer a chat with a word, then with a part that has these members, and end."""
    return lines(_PIECE, _PIECE | more, _LAST)


def without_end(start: bytes, again: bytes, pause: float = 0.0) -> Behaviour:
    """Send a beginning, then the same bytes again and again."""

    def behave(write: Write) -> None:
        write(start)
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            write(again)
            time.sleep(pause)

    return behave


def silent(write: Write) -> None:
    """Take the request, and never answer."""
    without_end(b"", b"", 0.05)(write)


def packed(kind: str) -> Behaviour:
    """Answer with a gigabyte of blanks, packed to one megabyte."""

    def behave(write: Write) -> None:
        packer = zlib.compressobj(9, zlib.DEFLATED, 31 if kind == "gzip" else 15)
        write(head(200, f"Content-Encoding: {kind}"))
        blank = b" " * (1 << 20)
        for _ in range(1024):
            write(packer.compress(blank))
        write(packer.flush())

    return behave


def piece(text: str) -> bytes:
    """Return a line of a chat with a text."""
    return json.dumps({"message": {"role": "assistant", "content": text}}).encode() + b"\n"


class HostileOllama:
    """Serves on loopback; `replies` maps a path to a behaviour, every other path is answered well.

    `asked` is set when a path of `replies` was asked for.
    """

    def __init__(self, **replies: Behaviour) -> None:
        self.replies = {f"/api/{name}": each for name, each in replies.items()}
        self.asked = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=16)
        self._open: set[socket.socket] = set()
        self._thread = threading.Thread(target=self._accept, daemon=True)

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._socket.close()
        for each in list(self._open):
            with suppress(OSError):
                each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                each.shutdown(socket.SHUT_RDWR)
                each.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self._open.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError, ValueError), connection:
            path, sent = _request(connection)
            behaviour = self.replies.get(path)
            if behaviour is not None:
                self.asked.set()
            (behaviour or _well(path, sent))(connection.sendall)
            connection.shutdown(socket.SHUT_WR)
            connection.settimeout(5)
            while connection.recv(65536):
                continue
        self._open.discard(connection)


def _request(connection: socket.socket) -> tuple[str, dict[str, Any]]:
    raw = b""
    while b"\r\n\r\n" not in raw:
        raw += _more(connection)
    start, _, rest = raw.partition(b"\r\n\r\n")
    fields = dict(_fields(start))
    while len(rest) < int(fields.get("content-length", "0")):
        rest += _more(connection)
    return start.split()[1].decode(), json.loads(rest or b"{}")


def _more(connection: socket.socket) -> bytes:
    if got := connection.recv(65536):
        return got
    raise OSError


def _fields(start: bytes) -> Iterator[tuple[str, str]]:
    for line in start.decode("latin-1").split("\r\n")[1:]:
        name, _, value = line.partition(":")
        yield name.lower(), value.strip()


def _well(path: str, sent: dict[str, Any]) -> Behaviour:
    """Return what a sound Ollama answers."""
    inputs = sent.get("input") or []
    return {
        "/api/version": body({"version": "0.12.11"}),
        "/api/tags": body({"models": [_LISTED]}),
        "/api/ps": body({"models": []}),
        "/api/show": body(_SHOWN),
        "/api/embed": body({"embeddings": [[0.6, 0.8]] * len(inputs)}),
        "/api/chat": lines(_PIECE, _LAST),
        "/api/generate": lines(_PIECE, _LAST),
        "/api/pull": lines({"status": "success"}),
    }.get(path, NOT_THERE)
