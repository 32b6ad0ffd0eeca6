"""One connection to the double: reads a request, records it, and answers as Ollama would."""

from __future__ import annotations

import json
import select
import socket
import time
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from testing.ollama_double import cloud, embedding, generating, pulling
from testing.ollama_double.generator import GenerationFailed
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.versions import Behaviour

if TYPE_CHECKING:
    from testing.ollama_double.server import OllamaDouble

_LOOK = 0.01  # seconds between looks whether the client is still there


class ClientGone(ConnectionError):
    """The client closed its connection before the reply was whole."""


class Conversation(BaseHTTPRequestHandler):
    """Speaks HTTP/1.1 with chunked NDJSON, headers only with the first line, like Ollama."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    request: socket.socket

    @property
    def double(self) -> OllamaDouble:
        """The double that this connection belongs to."""
        return self.server.double  # type: ignore[attr-defined]

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: the requests are recorded."""

    def do_GET(self) -> None:
        """Answer the listings."""
        record = self._record({})
        double = self.double
        if self._in_trouble(record):
            return
        if self.path == "/api/version":
            self.reply({"version": double.version})
        elif self.path == "/api/tags":
            behaviour = Behaviour(double.version)
            newest_first = sorted(double.models.values(), key=lambda m: m.modified, reverse=True)
            self.reply({"models": [each.listed(behaviour) for each in newest_first]})
        elif self.path == "/api/ps":
            loaded = [(double.find(name), *facts) for name, facts in double.loaded.now().items()]
            rows = [model.running(context, stays) for model, context, stays in loaded if model]
            self.reply({"models": rows})
        elif self.path == "/api/status" and cloud.tells_status(double):
            off = {"disabled": double.cloud_is_off, "source": "config"}
            self.reply({"cloud": off if double.cloud_is_off else off | {"source": "none"}})
        elif self.path == "/v1/models":
            self.reply({"object": "list", "data": [_openai_row(name) for name in double.models]})
        elif self.path == "/":
            self.send_plain("Ollama is running")
        else:
            self.send_plain("404 page not found", 404)
        record.finished = True

    def do_HEAD(self) -> None:
        """Answer the sign of life that clients ask for."""
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        """Answer what carries a body."""
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if not raw:
            self.fail(400, "missing request body")
            return
        try:
            body = json.loads(raw)
        except ValueError:
            self.fail(400, "invalid character in request body")
            return
        record = self._record(body)
        try:
            self._post(record)
            record.finished = True
        except OSError:
            record.abandoned = True
            raise

    def _post(self, record: Recorded) -> None:
        routes = {
            "/api/chat": generating.chat,
            "/api/generate": generating.generate,
            "/api/embed": embedding.embed,
            "/api/pull": pulling.pull,
            "/api/show": show,
        }
        if self._in_trouble(record):
            return
        if self.path in routes:
            try:
                routes[self.path](self, record)
            except GenerationFailed as failed:
                self.fail(failed.status, failed.error)
        else:
            self.send_plain("404 page not found", 404)

    def _record(self, body: dict[str, Any]) -> Recorded:
        headers = {name.lower(): value for name, value in self.headers.items()}
        record = Recorded(self.command, self.path, body, headers)
        self.double.requests.append(record)
        return record

    def _in_trouble(self, record: Recorded) -> bool:
        if self.path in self.double.verbatim:
            self.send_plain(self.double.verbatim[self.path])
            record.finished = True
            return True
        trouble = self.double.trouble.get(self.path)
        if trouble is not None:
            self.pause(trouble.wait)
            self.fail(trouble.status, trouble.error)
            record.finished = True
        return trouble is not None

    # ---- what the routes write with

    def reply(self, value: dict[str, Any], status: int = 200) -> None:
        """Send one JSON object."""
        self._send(json.dumps(value, ensure_ascii=False), "application/json", status)

    def fail(self, status: int, error: str) -> None:
        """Send an error in Ollama's form."""
        self.reply({"error": error}, status)

    def send_plain(self, text: str, status: int = 200) -> None:
        """Send a text, as the server does for what is no part of its protocol."""
        self._send(text, "text/plain", status)

    def _send(self, text: str, kind: str, status: int) -> None:
        raw = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def begin(self) -> None:
        """Send the headers of a stream."""
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def line(self, value: dict[str, Any]) -> None:
        """Send one line of a stream."""
        raw = json.dumps(value, ensure_ascii=False).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(raw), raw))

    def end(self) -> None:
        """End a stream properly."""
        self.wfile.write(b"0\r\n\r\n")

    def cut(self) -> None:
        """Break the connection off."""
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def pause(self, seconds: float) -> None:
        """Wait; raise `ClientGone` when the client leaves, or the double is stopped, meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select([self.connection], [], [], min(left, _LOOK))
            if self.double.closing.is_set() or (ready and self._is_gone()):
                raise ClientGone

    def _is_gone(self) -> bool:
        return self.connection.recv(1, socket.MSG_PEEK) == b""


def show(connection: Conversation, record: Recorded) -> None:
    """Describe one model."""
    model = connection.double.find(str(record.body.get("model") or record.body.get("name") or ""))
    if model is None:
        connection.fail(404, f"model '{record.model}' not found")
    else:
        connection.reply(model.shown())


def _openai_row(name: str) -> dict[str, Any]:
    """Return a row of OpenAI's list: the owner is the namespace of the model's name."""
    owner = name.split("/")[-2] if "/" in name else "library"
    return {"id": name, "object": "model", "created": 1_700_000_000, "owned_by": owner}


def now() -> str:
    """Return the time as Ollama writes it."""
    return datetime.now(UTC).isoformat().replace("+00:00", "Z")
