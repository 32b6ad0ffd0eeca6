"""What tests use to prove that nothing leaves this computer.

Three tools: `only_loopback` (a fixture: this process), `Listener` (a proxy that must hear nothing)
and `cut_off` (a child process in a network of its own, native code and grandchildren included).
"""

from __future__ import annotations

import ctypes
import functools
import os
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from tests.socket_audit import leaving

_ACTIVE: list[list[str]] = []  # an audit hook cannot be taken out again, so it looks here
_REPOSITORY = Path(__file__).resolve().parent.parent
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 0x1


class Blocked(OSError):
    """A connection or a look-up that would have left this computer."""


@pytest.fixture
def only_loopback() -> Iterator[list[str]]:
    """Let every connection and name look-up that would leave this computer fail.

    Yields the list of attempts, each as `event address`; a test that left any behind fails. Covers
    what Python's sockets do in this process; for native code and children see `cut_off`.
    """
    with nothing_leaves() as attempts:
        yield attempts
    assert attempts == [], "something tried to leave this computer"


@contextmanager
def nothing_leaves() -> Iterator[list[str]]:
    """Refuse this process's ways off this computer, and keep what it tried."""
    _install()
    attempts: list[str] = []
    _ACTIVE.append(attempts)
    try:
        yield attempts
    finally:
        _ACTIVE.remove(attempts)


@functools.cache
def _install() -> None:
    sys.addaudithook(_watch)


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not _ACTIVE or not event.startswith("socket."):
        return
    place = leaving(event, args)
    if place:
        for attempts in _ACTIVE:
            attempts.append(f"{event} {place}")
        raise Blocked(f"{place} is not this computer")


class Listener:
    """Listens on loopback and keeps what it is sent: put it where a proxy would be."""

    def __init__(self) -> None:
        self.heard = b""
        self.connections = 0
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(0.05)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._listen, name="listener")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stop.set()
        self._thread.join()
        self._socket.close()

    @property
    def url(self) -> str:
        """Its address, to be set as a proxy."""
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def _listen(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._socket.accept()
            except TimeoutError:
                continue
            self.connections += 1
            with connection:
                connection.settimeout(0.5)
                try:
                    self.heard += connection.recv(65536)
                except TimeoutError:
                    continue


def cut_off(*command: str) -> list[str]:
    """Return a command that runs another in a network with nothing but loopback in it."""
    return [sys.executable, "-m", "tests.network_guard", *command]


@functools.cache
def can_cut_off() -> bool:
    """Whether this system gives a process a network of its own: Linux, where it is allowed."""
    trial = subprocess.run(
        cut_off(sys.executable, "-c", ""), cwd=_REPOSITORY, capture_output=True, check=False
    )
    return trial.returncode == 0


def _enter_own_network() -> None:
    """Move this process into a new network, and bring its loopback up."""
    import fcntl  # not on Windows

    libc = ctypes.CDLL(None, use_errno=True)
    user = os.getuid()
    if libc.unshare(_CLONE_NEWNET) != 0:
        if libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), "no network of its own")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1\n", encoding="ascii")
    with socket.socket() as control:
        asked = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, _SIOCGIFFLAGS, asked))[1]
        fcntl.ioctl(control, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | _IFF_UP))


if __name__ == "__main__":
    _enter_own_network()
    os.execvp(sys.argv[1], sys.argv[1:])
