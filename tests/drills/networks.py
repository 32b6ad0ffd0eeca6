"""Computers of their own: network namespaces on one bridge, their cables, and roads between them.

A road is a program that passes on what comes at a port: slowly, or only what reads.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

_PREFIX = "10.213.77."
_CLONE_NETWORK = 0x40000000  # of setns(2)
_PIECE = 65_536
_PROXY_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Computer:
    """One namespace; `inside` stands before a command that runs there."""

    name: str
    address: str

    @property
    def inside(self) -> tuple[str, ...]:
        """What stands before a command."""
        return ("ip", "netns", "exec", self.name)

    def plug(self, *, is_in: bool) -> None:
        """Plug the cable in, or pull it out: nothing comes or goes, and nobody is told."""
        _ip("-n", self.name, "link", "set", "cable", "up" if is_in else "down")


@contextmanager
def computers(*names: str) -> Iterator[dict[str, Computer]]:
    """Give computers that reach each other and nothing else; raises OSError where one may not."""
    own = {name: Computer(f"drill{os.getpid()}-{name}", "") for name in names}
    hub = f"drill{os.getpid()}-hub"
    made: dict[str, Computer] = {}
    try:
        _ip("netns", "add", hub)
        _ip("-n", hub, "link", "add", "bridge", "type", "bridge")
        _ip("-n", hub, "link", "set", "bridge", "up")
        for number, (name, computer) in enumerate(own.items(), 1):
            made[name] = Computer(computer.name, f"{_PREFIX}{number}")
            _connect(hub, made[name], f"port{number}")
        yield made
    finally:
        for each in (*(computer.name for computer in own.values()), hub):
            with suppress(OSError):
                _ip("netns", "del", each)


def _connect(hub: str, computer: Computer, port: str) -> None:
    _ip("netns", "add", computer.name)
    _ip("link", "add", "cable", "netns", computer.name, "type", "veth", "peer", port, "netns", hub)
    _ip("-n", hub, "link", "set", port, "master", "bridge", "up")
    _ip("-n", computer.name, "addr", "add", f"{computer.address}/24", "dev", "cable")
    for link in ("cable", "lo"):
        _ip("-n", computer.name, "link", "set", link, "up")


def _ip(*words: str) -> None:
    try:
        subprocess.run(["ip", *words], check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        raise PermissionError(error.stderr.decode(errors="replace").strip()) from error


@contextmanager
def road(computer: Computer, passing: Callable[..., None], *arguments: object) -> Iterator[None]:
    """Run `passing(*arguments)`, which never returns, on a computer until the block ends."""
    process = multiprocessing.get_context("spawn").Process(
        target=_run_inside, args=(computer.name, passing, arguments), daemon=True
    )
    process.start()
    try:
        yield
    finally:
        process.kill()
        process.join()


def _run_inside(namespace: str, passing: Callable[..., None], arguments: Sequence[object]) -> None:
    with Path(f"/run/netns/{namespace}").open("rb") as network:
        if ctypes.CDLL(None, use_errno=True).setns(network.fileno(), _CLONE_NETWORK):
            raise PermissionError(ctypes.get_errno(), "setns")
    passing(*arguments)


def reading_road(port: int, target: tuple[str, int], refused: Path) -> None:
    """Pass on requests that read, as a proxy for people without the right to write.

    These are `GET`, and `POST` to a path that ends in `/get`; all others are answered with 403, and
    noted in `refused`, a line each. Who is behind a server that is away is told 502. Never returns.
    """

    with _ReadingProxy(("0.0.0.0", port), _ReadingRequest) as proxy:
        proxy.target, proxy.refused = target, refused
        proxy.serve_forever()


class _ReadingProxy(ThreadingHTTPServer):
    target: tuple[str, int]
    refused: Path


class _ReadingRequest(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _ReadingProxy

    def log_message(self, *_: object) -> None:
        """Say nothing of any request."""

    def do_GET(self) -> None:
        self._pass()

    def do_POST(self) -> None:
        if self.path.endswith("/get"):
            self._pass()
        else:
            self._refuse()

    def do_DELETE(self) -> None:
        self._refuse()

    def _pass(self) -> None:
        headers = {"Content-Type": self.headers.get("Content-Type", "")}
        connection = HTTPConnection(*self.server.target, timeout=_PROXY_SECONDS)
        try:
            connection.request(self.command, self.path, self._body(), headers)
            reply = connection.getresponse()
            self._answer(reply.status, reply.read())
        except (OSError, HTTPException):
            self._answer(502)
        finally:
            connection.close()

    def _refuse(self) -> None:
        self._body()
        with self.server.refused.open("a", encoding="utf-8") as noted:
            noted.write(f"{self.command} {self.path}\n")
        self._answer(403)

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _answer(self, status: int, body: bytes = b"") -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def slow_road(port: int, target: tuple[str, int], seconds: float) -> None:
    """Pass on what comes at a port, so many seconds later in either direction; never returns."""
    with socket.create_server(("0.0.0.0", port)) as listener:
        while True:
            near, _ = listener.accept()
            far = socket.create_connection(target)
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=_pass_on, args=(source, sink, seconds), daemon=True).start()


def _pass_on(source: socket.socket, sink: socket.socket, seconds: float) -> None:
    """Send each piece on when its time has come, whatever came since."""
    waiting: list[tuple[float, bytes]] = []
    came = threading.Condition()

    def send() -> None:
        while True:
            with came:
                came.wait_for(lambda: waiting)
                due, piece = waiting.pop(0)
            time.sleep(max(0.0, due - time.monotonic()))
            try:
                if not piece:
                    sink.shutdown(socket.SHUT_WR)
                    return
                sink.sendall(piece)
            except OSError:
                return

    threading.Thread(target=send, daemon=True).start()
    while True:
        try:
            piece = source.recv(_PIECE)
        except OSError:
            piece = b""
        with came:
            waiting.append((time.monotonic() + seconds, piece))
            came.notify()
        if not piece:
            return
