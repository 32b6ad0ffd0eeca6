"""Every connection that this process makes, seen where Python's sockets make it.

An audit hook sees what libraries do as well; native code that makes sockets of its own it does not
see (none of what ships does; a test without a network proves it).
"""

from __future__ import annotations

import functools
import ipaddress
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit


class Purpose(StrEnum):
    """What a connection is for, as those say who make it; `UNKNOWN` is a library's own."""

    ANSWER = "answer"
    MODELS = "models"
    PULL = "pull"
    FETCH = "fetch"
    EMBED = "embed"
    VECTORS = "vectors"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True)
class Contact:
    """One connection, or the look-up of a name (port 0): when, where to, what for, and if let."""

    when: float
    host: str
    port: int
    purpose: Purpose
    allowed: bool


class Blocked(PermissionError):
    """A connection to another computer while those are blocked."""


Note = Callable[[Contact], None]
_purpose: ContextVar[Purpose] = ContextVar("purpose", default=Purpose.UNKNOWN)
_expected: dict[str, Purpose] = {}  # by host: a name is looked up in a thread without our context
_watches: list[ConnectionMonitor] = []  # an audit hook can't be taken out again, so it looks here


class ConnectionMonitor:
    """Tells `note` of every connection, from now until `close`; refuses others when `blocked`.

    `note` is called in the connecting thread, before the connection is made.
    """

    def __init__(self, note: Note, *, blocked: bool = False) -> None:
        self.blocked = blocked
        self._note = note
        _install()
        _watches.append(self)

    def close(self) -> None:
        """Look no more."""
        if self in _watches:
            _watches.remove(self)

    def see(self, host: str, port: int, purpose: Purpose) -> None:
        """Note a connection; raise `Blocked` for one that may not be."""
        allowed = not self.blocked or is_this_computer(host)
        self._note(Contact(time.time(), host, port, purpose, allowed))
        if not allowed:
            raise Blocked(f"{host} is another computer, and those are blocked")


def require_allowed(host: str, port: int) -> None:
    """Raise `Blocked` for a request on a connection that was made before others were blocked."""
    for watch in tuple(_watches):
        if watch.blocked:
            watch.see(host, port, _purpose.get())


@contextmanager
def about(purpose: Purpose) -> Iterator[None]:
    """Say what the connections made in the body are for."""
    before = _purpose.set(purpose)
    try:
        yield
    finally:
        _purpose.reset(before)


def expect(url: str, purpose: Purpose) -> None:
    """Say what a host is for, where its name is looked up in a thread of the library's."""
    _expected[urlsplit(url).hostname or ""] = purpose


def is_this_computer(host: str) -> bool:
    """Say whether a host is this computer, by its number; every name but `localhost` is not."""
    number = _number(host)
    if number is None:
        return host == "localhost"
    return number.is_loopback or number.is_unspecified


@functools.cache
def _install() -> None:
    sys.addaudithook(_audit)


def _audit(event: str, args: tuple[Any, ...]) -> None:
    if not _watches or not event.startswith("socket."):
        return
    where = _reached(event, args)
    if where is None:
        return
    host, port = where
    purpose = _purpose.get() or (Purpose.UNKNOWN if port else _expected.get(host, Purpose.UNKNOWN))
    if sys.platform == "win32" and purpose is Purpose.UNKNOWN and is_this_computer(host):
        return  # an event loop's own pair of sockets
    for watch in tuple(_watches):
        watch.see(host, port, purpose)


def _reached(event: str, args: tuple[Any, ...]) -> tuple[str, int] | None:
    """Return host and port that an audited call would reach; None where it reaches nobody."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        sock, address = args[0], args[1]
        if sock.family not in (socket.AF_INET, socket.AF_INET6) or not address:
            return None
        return str(address[0]), int(address[1])
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = args[0].decode() if isinstance(args[0], bytes) else str(args[0] or "")
        own = host in ("", "localhost", socket.gethostname()) or _number(host) is not None
        return None if own else (host, 0)  # a number is not looked up anywhere
    return None


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
