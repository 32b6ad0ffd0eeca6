"""The socket on which a data folder's owner serves other starts, under clients that mean harm.

Whatever came before, a client of good will is answered at once, by the same owner.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import psutil

from desktop_rag.ipc import ownership
from desktop_rag.ipc.wire import encode_call
from tests.attacks.report import Attack, Report, Task
from tests.ipc.scripted_owner import SEARCH, Work, owner, sent

_ROUNDS = {True: 40, False: 400}
_IDLE = 60  # connections that are opened and say nothing
_ANSWER_SECONDS = 5.0
_MOST_GROWTH = 150 << 20
_CHALLENGE = b"#CHALLENGE#"


def hostile_clients(report: Report, task: Task) -> None:
    """Send what no client sends: before the key is proved, and after."""
    if not hasattr(socket, "AF_UNIX"):
        report.skipped = "The socket is a named pipe here."
        return
    draw, home = Random(task.seed), task.folder / "home"
    with _owned(home) as address:
        key = ownership.shared_key(home)
        before = psutil.Process().memory_info().rss
        for number in range(_ROUNDS[task.is_quick]):
            name, raw, is_known = _said(draw)
            with report.attempt(f"{number} {name}{', with the key' if is_known else ''}"):
                _say(address, raw, key if is_known else None, draw)
                if number % 10 == 0:
                    _is_answered(report, home)
        with report.attempt(f"{_IDLE} clients that say nothing"):
            idle = [_connected(address) for _ in range(_IDLE)]
            _is_answered(report, home)
            for each in idle:
                each.close()
            _is_answered(report, home)
        grown = psutil.Process().memory_info().rss - before
        report.expect(grown < _MOST_GROWTH, f"the owner grew by {grown >> 20} MiB")


def _is_answered(report: Report, home: Path) -> None:
    began = time.monotonic()
    frames = sent(home, SEARCH)
    report.expect(frames[-1:] == [{"end": 0}], f"a good client was told {frames[-1:]}")
    seconds = time.monotonic() - began
    report.expect(seconds < _ANSWER_SECONDS, f"a good client waited {seconds:.1f} s")


@contextmanager
def _owned(home: Path) -> Iterator[str]:
    here = owner(home, Work())
    try:
        known = ownership.read_address(home)
        assert known is not None
        yield known.address
    finally:
        here.close()


def _said(draw: Random) -> tuple[str, bytes, bool]:
    """Return something to send, what it is called, and whether the key is proved before."""
    call = encode_call(SEARCH)
    ways: list[tuple[str, bytes]] = [
        ("bytes", draw.randbytes(draw.choice((1, 40, 5000)))),
        ("a size of 2 GB", struct.pack("!i", 0x7FFFFFFF) + b"x" * 1000),
        ("a size of 2^63", struct.pack("!iQ", -1, 1 << 63) + b"x"),
        ("a negative size", struct.pack("!i", -draw.randrange(2, 1 << 31)) + b"{}"),
        ("half a frame", struct.pack("!i", 100) + b'{"verb": "search"'),
        ("no JSON", _framed(b"\x80\x04\x95" + draw.randbytes(20))),
        ("deep JSON", _framed(b'{"verb":' * draw.choice((900, 100_000)))),
        ("a long number", _framed(b'{"verb":' + b"9" * 6000 + b"}")),
        ("16 MB", _framed(b'{"verb":"' + b"a" * (16 << 20) + b'"}')),
        ("no object", _framed(b"[1, 2]")),
        ("a verb of another type", _framed(json.dumps(call | {"verb": [{}]}).encode())),
        ("a changed call", _framed(_changed(call, draw))),
        ("another's question", _framed(json.dumps({"verb": "open", "paths": {"a": 1}}).encode())),
        ("two calls", _framed(json.dumps(call).encode()) * 3),
        ("a flood", _framed(b"{}") * 5000),
    ]
    name, raw = draw.choice(ways)
    return name, raw, draw.random() < 0.7


def _changed(call: dict[str, Any], draw: Random) -> bytes:
    values: list[Any] = [None, -1, 1e400, "\ud800", "x" * 100_000, [[]], {}, True]
    odd = draw.choice(values)
    way = draw.randrange(3)
    if way == 0:
        return json.dumps(
            call | {draw.choice(("verb", "args", "set", "ollama_host")): odd}
        ).encode()
    if way == 1:
        args = dict(call["args"])
        return json.dumps(call | {"args": args | {draw.choice(sorted(args)): odd}}).encode()
    raw = bytearray(json.dumps(call).encode())
    raw[draw.randrange(len(raw))] = draw.randrange(256)
    return bytes(raw)


def _framed(raw: bytes) -> bytes:
    return struct.pack("!i", len(raw)) + raw


def _say(address: str, raw: bytes, key: bytes | None, draw: Random) -> None:
    """Connect, prove the key where there is one, say it, and go: at once, or after an answer."""
    with closing(_connected(address)) as connection:
        try:
            if key is not None:
                _prove(connection, key)
            connection.sendall(raw)
            if draw.random() < 0.5:
                connection.settimeout(0.05)
                connection.recv(65536)
        except OSError:
            return  # the owner hung up, as it should


def _connected(address: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(address)  # which waits while too many stand in line, without a time-out
    connection.settimeout(_ANSWER_SECONDS)
    return connection


def _prove(connection: socket.socket, key: bytes) -> None:
    """Do what `multiprocessing.connection` does on both sides, by hand."""
    challenge = _heard(connection)
    message = challenge.removeprefix(_CHALLENGE)
    if message.startswith(b"{sha256}"):
        answer = b"{sha256}" + hmac.new(key, message, hashlib.sha256).digest()
    else:
        answer = hmac.new(key, message, hashlib.md5).digest()
    connection.sendall(_framed(answer))
    _heard(connection)  # that it is welcome
    connection.sendall(_framed(_CHALLENGE + os.urandom(20)))
    _heard(connection)
    connection.sendall(_framed(b"#WELCOME#"))
    _heard(connection)  # the owner's hello


def _heard(connection: socket.socket) -> bytes:
    (size,) = struct.unpack("!i", connection.recv(4, socket.MSG_WAITALL))
    return connection.recv(size, socket.MSG_WAITALL)


ATTACKS = (Attack("hostile clients of the socket", hostile_clients),)
