"""That the guard of Ollama's usual port sees what reaches it, here and in started programs."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time

import pytest

from desktop_rag.core.settings import Settings
from desktop_rag.models.ollama.address import resolve_host
from tests import ollama_port_guard

_REACH = (
    f"import socket; socket.create_connection(('127.0.0.1', {ollama_port_guard.PORT}), 5).recv(1)"
)


def test_this_process_cannot_reach_it() -> None:
    for host in ("127.0.0.1", "localhost"):
        with pytest.raises(ollama_port_guard.Reached):
            socket.create_connection((host, ollama_port_guard.PORT), 1)
    assert len(ollama_port_guard.REACHED) >= 2
    ollama_port_guard.REACHED.clear()


def test_a_program_that_reaches_it_is_heard() -> None:
    if len(ollama_port_guard._HELD) == 1:
        pytest.skip("another program listens on Ollama's usual port")
    subprocess.run([sys.executable, "-c", _REACH], check=True)
    while not ollama_port_guard.REACHED:  # the suite's own limit ends it
        time.sleep(0.01)
    ollama_port_guard.REACHED.clear()


def test_nobody_answers_where_ollama_is_unless_a_test_says_where() -> None:
    place = resolve_host(Settings(), os.environ)
    port = int(place.rsplit(":", 1)[1])
    assert port != ollama_port_guard.PORT
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 5)
    code = "import os; print(os.environ['OLLAMA_HOST'])"
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert told.stdout.strip() == place
