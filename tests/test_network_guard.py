"""The guards of the network guard: each can catch what it is there for."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from tests.conftest import REPOSITORY
from tests.network_guard import Blocked, Listener, can_cut_off, cut_off

FAR = ("192.0.2.1", 9)  # an address that belongs to nobody

FIND_OUT = """
import socket, sys
with socket.create_server(("127.0.0.1", 0)) as here:
    with socket.create_connection(here.getsockname()):
        print("loopback works")
try:
    socket.create_connection(("192.0.2.1", 9), timeout=5)
except OSError as error:
    print(type(error).__name__, error.errno)
"""


def test_loopback_is_left_alone(only_loopback: list[str]) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as here,
        socket.create_connection(here.getsockname()) as there,
    ):
        assert there.getpeername() == here.getsockname()
    assert socket.getaddrinfo("localhost", 80)
    left, right = socket.socketpair()
    left.close()
    right.close()


def test_every_way_out_is_blocked_and_told(only_loopback: list[str]) -> None:
    with pytest.raises(Blocked):
        socket.create_connection(FAR)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagram, pytest.raises(Blocked):
        datagram.sendto(b"x", FAR)
    with pytest.raises(Blocked):
        socket.getaddrinfo("example.com", 80)
    with pytest.raises(OSError, match="not this computer"):
        urllib.request.urlopen("http://192.0.2.1:9/", timeout=1)
    with pytest.raises(OSError, match="not this computer"):
        asyncio.run(asyncio.open_connection(*FAR))
    assert len(only_loopback) == 5
    assert only_loopback[0] == "socket.connect 192.0.2.1"
    only_loopback.clear()


def test_afterwards_the_network_is_as_before() -> None:
    with socket.socket() as free:
        free.setblocking(False)
        assert free.connect_ex(FAR) >= 0  # whatever the system says, nobody raised Blocked


def test_a_listener_hears_what_is_said_to_it() -> None:
    with Listener() as listener:
        host, port = listener.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as speaker:
            speaker.sendall(b"hello")
        until = time.monotonic() + 2.0
        while not listener.heard and time.monotonic() < until:
            time.sleep(0.01)
    assert (listener.connections, listener.heard) == (1, b"hello")


@pytest.mark.skipif(not can_cut_off(), reason="no process gets a network of its own here")
def test_a_process_that_is_cut_off_has_loopback_and_nothing_else() -> None:
    command = cut_off(sys.executable, "-c", FIND_OUT)
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == "loopback works"
    assert lines[1].startswith("OSError 101"), "unreachable, not merely unanswered"
