"""A client of the owner of a data folder: sends one call and yields the frames that come back."""

from __future__ import annotations

from collections.abc import Generator
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from pathlib import Path

from desktop_rag.core.cancel import current_token
from desktop_rag.core.errors import OwnedElsewhere, UsageError, UserError
from desktop_rag.core.requests import OpenRequest
from desktop_rag.ipc import ownership
from desktop_rag.ipc.wire import PROTOCOL, Call, Frame, encode_call, pack, unpack

_ANSWER_SECONDS = 10.0
_STOP_SECONDS = 3.0


class OwnerGone(Exception):
    """There is no owner at the address, or it ended in the middle of a call."""


def ask_to_open(data_dir: Path, wanted: OpenRequest) -> Frame:
    """Ask the owner to show its window with what is wanted there, or to make room for one.

    The answer holds `leaving` when a command is making room. Raises `OwnerGone`.
    """
    with connect(data_dir) as connection:
        try:
            asked = {"verb": "open", "paths": list(wanted.paths), "kb": wanted.kb}
            asked["purpose"] = wanted.purpose
            connection.send_bytes(pack(asked))
            return _receive(connection)
        except (OSError, EOFError) as error:
            raise OwnerGone from error


def call_frames(connection: Connection, call: Call) -> Generator[Frame, None, None]:
    """Yield a call's frames from the owner, its end last; closing this stops the call there.

    Raises `OwnerGone` when the owner ends before the call does, and `Cancelled` when the
    `current_token` is cancelled.
    """
    try:
        connection.send_bytes(pack(encode_call(call)))
        while "line" in (frame := _receive(connection)):
            yield frame
        yield frame
    except (OSError, EOFError) as error:
        raise OwnerGone from error
    except BaseException:  # Ctrl-C, or the reader of our lines went away: stop it over there
        _stop(connection)
        raise
    finally:
        connection.close()


def connect(data_dir: Path) -> Connection:
    """Connect to the owner and prove the key to each other; `OwnerGone` where nobody listens."""
    known = ownership.read_address(data_dir)
    if known is None or not ownership.is_trusted(known.address):
        raise OwnerGone
    try:
        connection = Client(known.address)
    except OSError as error:
        raise OwnerGone from error
    try:
        _greet(connection, ownership.shared_key(data_dir), data_dir)
    except BaseException:
        connection.close()
        raise
    return connection


def _greet(connection: Connection, key: bytes, data_dir: Path) -> None:
    """Exchange the proofs of the key, and check that both speak the same protocol."""
    try:
        if not connection.poll(_ANSWER_SECONDS):
            raise ownership.owner_silent(data_dir)
        answer_challenge(connection, key)
        deliver_challenge(connection, key)
        hello = unpack(connection.recv_bytes())
    except (OSError, EOFError) as error:
        raise OwnerGone from error
    except (AuthenticationError, UsageError) as error:
        raise ownership.owner_silent(data_dir) from error
    if hello.get("hello") != PROTOCOL:
        raise OwnedElsewhere(
            "Another version of Desktop RAG has this data folder open.",
            "Close it, then run this again.",
        )


def _receive(connection: Connection) -> Frame:
    """Return the next frame; wakes now and then, because Windows feels Ctrl-C only then.

    Raises `Cancelled` where the work that waits for it is stopped.
    """
    token = current_token()
    while not connection.poll(0.25):
        token.check()
    return unpack(connection.recv_bytes())


def _stop(connection: Connection) -> None:
    """Ask the owner to stop the call, and wait a moment until it has."""
    try:
        connection.send_bytes(pack({"stop": True}))
        while connection.poll(_STOP_SECONDS):
            if "line" not in unpack(connection.recv_bytes()):
                return
    except (OSError, EOFError, UserError):
        return
