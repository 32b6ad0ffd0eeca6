"""Tells which calls of Python's sockets would leave this computer; knows nothing of pytest.

It can be taken along into every Python process that a test starts (`sitecustomize_for`).
"""

from __future__ import annotations

import ipaddress
import socket
import sys
from pathlib import Path
from typing import Any

_REPOSITORY = Path(__file__).resolve().parent.parent


def leaving(event: str, args: tuple[Any, ...]) -> str:
    """Return where an audited socket call would go if that is not this computer, else nothing."""
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        sock, address = args[0], args[1]
        internet = sock.family in (socket.AF_INET, socket.AF_INET6)
        host = str(address[0]) if internet and address else ""
        number = _number(host)
        here = number is not None and (number.is_loopback or number.is_unspecified)
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        host = args[0].decode() if isinstance(args[0], bytes) else str(args[0] or "")
        here = _number(host) is not None  # a number is not looked up anywhere
    else:
        return ""
    return "" if here or host in ("", "localhost", socket.gethostname()) else host


def write_attempts(log: Path) -> None:
    """Write a line a process, and one for each attempt to leave this computer, from now on."""

    def watch(event: str, args: tuple[Any, ...]) -> None:
        place = leaving(event, args) if event.startswith("socket.") else ""
        if place:
            note(f"{event} {place}")

    def note(text: str) -> None:
        with log.open("a", encoding="utf-8") as lines:
            lines.write(f"{text}\n")

    note("process " + " ".join(sys.orig_argv[1:4]).split("\n")[0])
    sys.addaudithook(watch)


def sitecustomize_for(log: Path, folder: Path) -> str:
    """Return a PYTHONPATH under which every Python process writes its attempts to `log`."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "from pathlib import Path\nfrom tests.socket_audit import write_attempts\n"
    (folder / "sitecustomize.py").write_text(
        f"{text}write_attempts(Path({str(log)!r}))\n", encoding="utf-8"
    )
    return f"{folder}:{_REPOSITORY}"


def _number(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
