"""As much of the X protocol as it takes to press a window's close button; no library is needed."""

from __future__ import annotations

import socket
import struct

_INTERN_ATOM, _QUERY_TREE, _SEND_EVENT, _CLIENT_MESSAGE = 16, 15, 25, 33


def close_windows(display: str) -> None:
    """Ask every top-level window on a local display (`:5`) to close."""
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(f"/tmp/.X11-unix/X{display.lstrip(':')}")
        root = _greet(server)
        protocols, delete = _atom(server, b"WM_PROTOCOLS"), _atom(server, b"WM_DELETE_WINDOW")
        tree = _ask(server, struct.pack("<BxHI", _QUERY_TREE, 2, root))
        count = struct.unpack_from("<H", tree, 16)[0]
        for window in struct.unpack_from(f"<{count}I", tree, 32):
            event = struct.pack(
                "<BBHII5I", _CLIENT_MESSAGE, 32, 0, window, protocols, delete, *[0] * 4
            )
            server.sendall(struct.pack("<BBHII", _SEND_EVENT, 0, 11, window, 0) + event)
        _atom(server, b"WM_PROTOCOLS")  # its answer says that the rest was taken in


def _greet(server: socket.socket) -> int:
    """Open the conversation; return the root window."""
    server.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
    head = _read(server, 8)
    if head[0] != 1:
        raise ConnectionError("the screen refuses")
    told = _read(server, 4 * struct.unpack_from("<H", head, 6)[0])
    vendor, formats = struct.unpack_from("<H", told, 16)[0], told[21]
    return int(struct.unpack_from("<I", told, 32 + (vendor + 3) // 4 * 4 + 8 * formats)[0])


def _atom(server: socket.socket, name: bytes) -> int:
    padded = name + b"\0" * (-len(name) % 4)
    words = 2 + len(padded) // 4
    reply = _ask(server, struct.pack("<BBHHxx", _INTERN_ATOM, 0, words, len(name)) + padded)
    return int(struct.unpack_from("<I", reply, 8)[0])


def _ask(server: socket.socket, request: bytes) -> bytes:
    """Send a request and return its reply; errors and events before it are passed over."""
    server.sendall(request)
    while True:
        reply = _read(server, 32)
        if reply[0] == 1:
            return reply + _read(server, 4 * struct.unpack_from("<I", reply, 4)[0])


def _read(server: socket.socket, size: int) -> bytes:
    got = b""
    while len(got) < size:
        more = server.recv(size - len(got))
        if not more:
            raise ConnectionError("the screen went away")
        got += more
    return got
