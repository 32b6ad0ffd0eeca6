"""The double itself: started and stopped in milliseconds, with its queue of replies."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Sequence
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from testing.ollama_double.generator import TextGenerator
from testing.ollama_double.loading import LoadedModels, RequestQueue
from testing.ollama_double.models import CHAT, DoubleModel, full_name
from testing.ollama_double.recorded import Recorded
from testing.ollama_double.routes import Conversation
from testing.ollama_double.script import Reply, Script
from testing.ollama_double.scripted import ScriptedGenerator


class OllamaDouble:
    """An Ollama on loopback.

    Replies to `/api/chat` and `/api/generate` come from `say`'s queue in order, then from
    `otherwise` (a function of the request; at first it quotes the first passage).
    `generator` may be another one: a language model.
    `version` says how long prompts are cut, what is listed, and more: see `versions.Behaviour`;
    0.12, 0.30 and 0.33 differ most. Switches, to be set at any time:

    `continues=False` makes chats start a half-written answer over, as models do whose template
    closes it; `ends_whole_sentences` lets a model end its turn at once where that begins with a
    whole sentence, as chat models often do; `refuses_prefill` refuses any beginning to a model that
    thinks, as llama.cpp does. `ends_repetition` ends a stream behind 30 equal tokens, and without
    its last line, as every Ollama does. `logprobs=False` is a server from before them,
    `counts_cached=False` one that leaves cached tokens out of `prompt_eval_count`. `queue.slots=1`
    lets requests wait for each other, as Ollama does. `num_ctx` is the context of a request that
    names none; `pull_error` ends downloads half way, an empty one without a word; `partial` tells
    how many steps have come of models that are not whole; `passed_on` holds the requests that a
    cloud would have got, which `cloud_is_off` refuses; `trouble` maps a path to a `Script` whose
    error every request to it gets, `verbatim` one to a text that is no protocol of Ollama's.
    """

    conversation: type[Conversation] = Conversation

    def __init__(self, *models: DoubleModel, port: int = 0, host: str = "127.0.0.1") -> None:
        self.models: dict[str, DoubleModel] = {m.name: m for m in models or (CHAT,)}
        self.pullable: dict[str, DoubleModel] = {}
        self.pull_pace = 0.0
        self.pull_error: str | None = None
        self.partial: dict[str, int] = {}
        self.version = "0.12.11"
        self.cloud_is_off = False
        self.passed_on: list[Recorded] = []
        self.continues = True
        self.ends_whole_sentences = False
        self.refuses_prefill = False
        self.ends_repetition = False
        self.counts_cached = True
        self.logprobs = True
        self.num_ctx = 4096
        self.trouble: dict[str, Script] = {}
        self.verbatim: dict[str, str] = {}
        self.scripted = ScriptedGenerator()
        self.generator: TextGenerator = self.scripted
        self.requests: list[Recorded] = []
        self.loaded = LoadedModels()
        self.queue = RequestQueue()
        self.closing = threading.Event()
        self._host, self._port = host, port
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def start(self) -> Self:
        """Listen; a second start takes the same port again."""
        self.closing.clear()
        self._server = _Server((self._host, self._port), self)
        self._port = int(self._server.server_address[1])
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.01,), name="ollama-double"
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Cut every connection and end every thread; raise what went wrong inside the double."""
        if self._server is None or self._thread is None:
            return
        self.closing.set()
        self._server.shutdown()
        self._server.cut()
        self._server.server_close()
        self._thread.join()
        faults, self._server = self._server.faults, None
        if faults:
            raise faults[0]

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.stop()

    @property
    def url(self) -> str:
        """Where it listens, `http://127.0.0.1:PORT`."""
        host = f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{host}:{self._port}"

    def say(self, *replies: Reply) -> None:
        """Queue replies: texts, scripts, or functions of the request that return one of these."""
        self.scripted.say(*replies)

    @property
    def otherwise(self) -> Reply:
        """What is replied where nothing is queued."""
        return self.scripted.otherwise

    @otherwise.setter
    def otherwise(self, reply: Reply) -> None:
        self.scripted.otherwise = reply

    @property
    def unsaid(self) -> int:
        """How many queued replies nobody has asked for."""
        return len(self.scripted.queue)

    @property
    def chats(self) -> list[Recorded]:
        """The requests to `/api/chat`, in order."""
        return self.to("/api/chat")

    def to(self, path: str) -> list[Recorded]:
        """Return the requests to a path, in order."""
        return [request for request in self.requests if request.path == path]

    def find(self, name: str) -> DoubleModel | None:
        """Return an installed model."""
        return self.models.get(full_name(name)) or self.models.get(name)


class _Server(ThreadingHTTPServer):
    """Keeps its connections, so that stopping can cut them, and joins its threads."""

    daemon_threads = False
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], double: OllamaDouble) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        self.double = double
        self.faults: list[BaseException] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(address, double.conversation)

    def server_bind(self) -> None:
        """Bind without asking the resolver for this machine's name, which can take seconds."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = "double", int(self.server_address[1])

    def get_request(self) -> tuple[Any, Any]:
        connection, address = super().get_request()
        with self._lock:
            self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def cut(self) -> None:
        """End every connection, so that its thread ends."""
        with self._lock:
            connections: Sequence[socket.socket] = tuple(self._open)
            for connection in connections:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue  # the other side was quicker

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Keep what is a bug of the double; a client that went away is none."""
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, (ConnectionError, TimeoutError)):
            self.faults.append(error)


def refused_url() -> str:
    """Return an address on loopback where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}"
