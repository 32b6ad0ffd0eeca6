"""Computers of their own: network namespaces on one bridge, their cables, and a slow road."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

_PREFIX = "10.213.77."
_PIECE = 65_536


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
