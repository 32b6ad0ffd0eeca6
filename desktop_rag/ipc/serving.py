"""One client's connection, as its owner sees it: prove the key to each other, then one request."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from typing import Protocol

from desktop_rag.core.errors import UsageError
from desktop_rag.core.requests import OpenRequest
from desktop_rag.ipc.running_call import WRONG_USAGE, RunningCall
from desktop_rag.ipc.wire import PROTOCOL, Frame, decode_call, pack, unpack

log = logging.getLogger(__name__)

_LARGEST = 1 << 24


class Host(Protocol):
    """What serving asks of the owner."""

    def run(self, running: RunningCall, send: Callable[[Frame], None]) -> None:
        """Run one call to its end and send its frames."""
        ...

    def open(self, wanted: OpenRequest) -> Frame:
        """Show the window, or make room for one."""
        ...


def serve_client(connection: Connection, key: bytes, host: Host) -> None:
    """Serve one connection to its end."""
    try:
        with connection:
            deliver_challenge(connection, key)
            answer_challenge(connection, key)
            connection.send_bytes(pack({"hello": PROTOCOL}))
            _answer(connection, unpack(connection.recv_bytes(_LARGEST)), host)
    except (OSError, EOFError, AuthenticationError, UsageError):
        log.info("a client went away or was refused")
    except Exception:
        log.exception("a connection failed")


def _answer(connection: Connection, asked: Frame, host: Host) -> None:
    """Answer the one request of a connection."""
    if asked.get("verb") == "open":
        paths = asked.get("paths")
        named = tuple(map(str, paths)) if isinstance(paths, list) else ()
        wanted = OpenRequest(named, str(asked.get("kb", "")))  # an earlier version names none
        connection.send_bytes(pack(host.open(wanted)))
        return
    try:
        running = RunningCall(decode_call(asked))
    except UsageError as error:
        refusal = {"end": WRONG_USAGE, "what": error.what, "remedy": error.remedy}
        connection.send_bytes(pack(refusal))
        return
    _stream(connection, running, host)


def _stream(connection: Connection, running: RunningCall, host: Host) -> None:
    """Send a call's frames; stop it when its client says so or is gone."""
    listening = threading.Thread(
        target=_listen, args=(connection, running), name="listening", daemon=True
    )
    listening.start()

    def send(frame: Frame) -> None:
        try:
            connection.send_bytes(pack(frame))
        except OSError:
            running.token.cancel()

    host.run(running, send)
    listening.join()


def _listen(connection: Connection, running: RunningCall) -> None:
    """Cancel a call at its client's first word or last breath."""
    while not running.ended.is_set():
        try:
            if connection.poll(0.1):
                connection.recv_bytes(_LARGEST)
                running.token.cancel()
                return
        except (OSError, EOFError):
            running.token.cancel()
            return
