"""What a child may be made to do: by the name of the file that it is asked to read."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import socket
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop_rag.core.errors import FileProblem
from desktop_rag.core.types import BlockKind, FileStatus, LocatorKind
from desktop_rag.parsing.parsed_document import Block, BlockLocator, DocumentHead
from desktop_rag.parsing.sandbox.document_stream import pack_blocks, pack_head
from testing.timeouts import NEVER


def answer(request: bytes) -> Iterator[bytes]:
    """Do what the file's name says; else return a document that tells the child's process id."""
    path = Path(json.loads(request))
    act = ACTS.get(path.stem.split("-")[0])
    yield from document(act() if act else f"{path.name} {os.getpid()}")


def document(text: str) -> Iterator[bytes]:
    """Yield a document of one block."""
    yield pack_blocks((Block(BlockKind.TEXT, text, BlockLocator(LocatorKind.LINE, 1)),))
    yield pack_head(DocumentHead())


def hang() -> str:
    time.sleep(NEVER)
    return "woke up"


def stall() -> str:
    """Begin a message that never comes to its end."""
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            if stat.S_ISSOCK(os.fstat(int(entry.name)).st_mode):
                os.write(int(entry.name), struct.pack("!i", 1000) + b"m")
    time.sleep(NEVER)
    return "woke up"


def litter() -> str:
    with tempfile.NamedTemporaryFile(prefix="litter-"):
        time.sleep(NEVER)
    return "tidied up"


def crash() -> str:
    os.kill(os.getpid(), 11)
    return "survived"


def leave() -> str:
    os._exit(3)


def swell() -> str:
    held = []
    for _ in range(2000):
        held.append(bytearray(8_000_000))
        time.sleep(0.002)
    return f"held {len(held)}"


def grab() -> str:
    return f"held {len(bytearray(40_000_000_000))}"


def stumble() -> str:
    raise ZeroDivisionError


def refuse() -> str:
    raise FileProblem(FileStatus.ENCRYPTED, "It is locked.", "Unlock it.")


def chatter() -> str:
    sys.stdout.write("text of the user's")
    sys.stdout.flush()
    os.write(2, b"and more of it")
    return "has chattered"


def peek() -> str:
    """Try to get at a folder that is shut, by all sorts of ways, and at others' files."""
    shut = Path(os.environ["SHUT"])
    inside, beside = shut / "catalog.sqlite", shut.parent / "beside.txt"
    ways: dict[str, Callable[[], object]] = {
        "read": inside.read_bytes,
        "read_by_link": (shut.parent / "link" / "catalog.sqlite").read_bytes,
        "read_by_dots": (shut.parent / "docs" / ".." / shut.name / "catalog.sqlite").read_bytes,
        "list": lambda: list(shut.iterdir()),
        "scan": lambda: list(os.scandir(shut)),
        "database": lambda: sqlite3.connect(inside),
        "write": lambda: (shut / "new").write_text("x"),
        "write_beside": lambda: beside.write_text("changed"),
        "append_beside": lambda: beside.open("a"),
        "remove": beside.unlink,
        "rename": lambda: beside.rename(shut.parent / "other.txt"),
        "link": lambda: (shut.parent / "new link").symlink_to(shut),
        "folder": (shut.parent / "new").mkdir,
    }
    return " ".join(name for name, way in ways.items() if not _refused(way)) or "nothing"


def _refused(way: Callable[[], object]) -> bool:
    try:
        way()
    except PermissionError:
        return True
    return False


def read_beside() -> str:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "own.txt").write_text("written, ")
        (Path(folder) / "own.txt").rename(Path(folder) / "renamed.txt")
        own = (Path(folder) / "renamed.txt").read_text()
    return own + (Path(os.environ["SHUT"]).parent / "beside.txt").read_text()


def call_home() -> str:
    refused = []
    for name, reach in REACHES.items():
        try:
            reach()
        except PermissionError:
            refused.append(name)
    return " ".join(refused)


def niceness() -> str:
    return str(os.getpriority(os.PRIO_PROCESS, 0))


def _connect() -> None:
    with socket.socket() as made:
        made.connect(("127.0.0.1", 9))


def _send() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        made.sendto(b"x", ("127.0.0.1", 9))


def _look_up() -> None:
    socket.getaddrinfo("localhost", 80)


def _start() -> None:
    subprocess.run([sys.executable, "-c", "pass"], check=True)


def native() -> str:
    """Try from C, which Python's audit events don't see; return what went through."""
    libc = ctypes.CDLL(None, use_errno=True)
    folder = Path(os.environ["SHUT"]).parent
    beside = os.fsencode(folder / "beside.txt")
    program, words = os.fsencode(sys.executable), (ctypes.c_char_p * 4)(b"python", b"-c", b"", None)
    pid = ctypes.c_int()
    ways: dict[str, Callable[[], int]] = {
        "socket": lambda: libc.socket(socket.AF_INET, socket.SOCK_STREAM, 0),
        "datagrams": lambda: libc.socket(socket.AF_INET, socket.SOCK_DGRAM, 0),
        "local socket": lambda: libc.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0),
        "write": lambda: libc.open(beside, os.O_WRONLY),
        "cut": lambda: libc.truncate(beside, ctypes.c_long(0)),
        "make": lambda: libc.open(os.fsencode(folder / "made.txt"), os.O_CREAT | os.O_RDWR, 0o600),
        "folder": lambda: libc.mkdir(os.fsencode(folder / "made"), 0o700),
        "rename": lambda: libc.rename(beside, os.fsencode(folder / "moved.txt")),
        "link": lambda: libc.symlink(beside, os.fsencode(folder / "link.txt")),
        "remove": lambda: libc.unlink(beside),
        "signal": lambda: libc.kill(os.getppid(), 0),
        "program": lambda: -libc.posix_spawn(ctypes.byref(pid), program, None, None, words, None),
    }
    return " ".join(name for name, way in ways.items() if way() >= 0)


def terminal() -> str:
    """Tell whether this process has left its session, and what it would read when asked."""
    session = int(Path("/proc/self/stat").read_text().rsplit(")")[-1].split()[3])
    return f"{session == os.getpid()} {Path('/proc/self/fd/0').readlink()}"


REACHES = {"connect": _connect, "send": _send, "look_up": _look_up, "start": _start}
ACTS = {
    "hang": hang, "crash": crash, "leave": leave, "swell": swell, "grab": grab,
    "litter": litter, "stumble": stumble, "refuse": refuse, "chatter": chatter, "call": call_home,
    "nice": niceness, "peek": peek, "beside": read_beside, "native": native,
    "terminal": terminal, "stall": stall,
}  # fmt: skip


def no_document(request: bytes) -> bytes:
    """Answer with something that is no document."""
    return b'{"blocks": "' + request[1:-1] + b'"}'
