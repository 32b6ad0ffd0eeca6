"""No test reaches the usual ports of Ollama, LM Studio, llama.cpp or vLLM.

On a user's computer they answer, and a test is another one.

`close_it` lets this process, and every program that it starts, find nobody where Ollama is unless a
test says where. What goes to the usual port nevertheless is refused in this process, and heard from
the others, as long as no real Ollama has the port.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from contextlib import suppress
from typing import Any

import psutil

from desktop_rag.core import usual_servers

PORT = 11434
PORTS = (PORT, 1234, 8080, 8000)
REACHED: list[str] = []
"""What has tried to, since the test that runs began."""

_HELD: list[socket.socket] = []


class Reached(ConnectionRefusedError):
    """A test connects to Ollama's usual port: refused, and held against the test."""


def close_it() -> None:
    """Keep the tests of this process, and what they start, from Ollama's usual port."""
    if _HELD:
        return
    nobody = socket.socket()  # bound and not listening: refused, and nobody else can have it
    nobody.bind(("127.0.0.1", 0))
    _HELD.append(nobody)
    os.environ["OLLAMA_HOST"] = f"http://127.0.0.1:{nobody.getsockname()[1]}"
    with suppress(OSError):  # a real Ollama has it, or the tests of another process
        _HELD.append(socket.create_server(("127.0.0.1", PORT)))
        threading.Thread(target=_listen, args=(_HELD[-1],), name="port", daemon=True).start()
    usual_servers.ADDRESSES = ()  # nor is anybody looked for, but where a test says so
    sys.addaudithook(_watch)


def _listen(server: socket.socket) -> None:
    while True:
        try:
            connection, (_, port) = server.accept()
        except OSError:
            return
        if _is_ours(port):  # what else runs on this computer may look for Ollama
            REACHED.append(f"a program, from its port {port}")
        connection.close()


def _is_ours(port: int) -> bool:
    """Say whether the other end of a connection is a process below this one."""
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if any(each.laddr.port == port for each in process.net_connections("tcp")):
                return True
    return False


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if event != "socket.connect" or not isinstance(args[1], tuple):
        return
    host, port = args[1][:2]
    if port in PORTS and (str(host).startswith("127.") or host in ("localhost", "::1", "0.0.0.0")):
        REACHED.append(f"this process, at {host}")
        raise Reached(REACHED[-1])
