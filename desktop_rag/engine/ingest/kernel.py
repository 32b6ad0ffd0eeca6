"""What Linux itself refuses a process that reads hostile files, its C code too.

Landlock lets it change files only in its scratch folder, and signal and reach only itself; a
seccomp filter gives it no socket, no other program and no other process's memory. Neither needs a
right, nor can be taken off again; threads that are started later have both. A kernel that knows
one of them not (Landlock: before 5.13) goes without it: `confine` refuses the same through Python.

After the kernel's pages userspace-api/landlock and userspace-api/seccomp_filter.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2  # of prctl
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every processor
_VERSION, _BENEATH = 1, 1

# Landlock's rights to files, by the version that knows them first; reading is nobody's to refuse.
_EXECUTE, _WRITE, _TRUNCATE = 1 << 0, 1 << 1, 1 << 14
_REMOVE_FOLDER = 1 << 4
_CHANGES = {1: _EXECUTE | _WRITE | 0b1_1111_1111 << 4, 2: 1 << 13, 3: _TRUNCATE}
_TCP = 0b11  # bind, connect; from version 4
_SCOPES = 0b11  # abstract sockets, signals; from version 6

# Per processor: what the kernel calls it, and its numbers of socket, connect, execve, execveat,
# io_uring_setup, ptrace, process_vm_readv and process_vm_writev.
_PROCESSORS = {
    "x86_64": (0xC000003E, (41, 42, 59, 322, 425, 101, 310, 311)),
    "aarch64": (0xC00000B7, (198, 203, 221, 281, 425, 117, 270, 271)),
}
_FOREIGN = 0x40000000  # from here on: x86_64's system calls under their other numbers
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # with EPERM


def restrict(scratch: str) -> tuple[str, ...]:
    """Restrict this thread, and all that it starts, for good; return what the kernel knew of.

    `scratch` is the one folder in which files may be made, changed and removed; it may be removed
    itself. Nothing is raised: the answer holds "landlock" and "seccomp", as far as they hold.
    """
    if not sys.platform.startswith("linux"):
        return ()
    if _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
        return ()
    ways = {"landlock": _landlock(scratch), "seccomp": _seccomp()}
    return tuple(name for name, holds in ways.items() if holds)


def _call(function: str, *arguments: int | bytes) -> int:
    """Call a function of the C library that takes long numbers and addresses; -1 is a failure."""
    given = (each if isinstance(each, bytes) else ctypes.c_long(each) for each in arguments)
    return int(getattr(ctypes.CDLL(None), function)(*given))


def _landlock(scratch: str) -> bool:
    version = _call("syscall", _CREATE_RULESET, 0, 0, _VERSION)
    if version < 1:
        return False
    changes = sum(bits for since, bits in _CHANGES.items() if since <= version)
    words = (changes, _TCP, _SCOPES)[: 1 + (version >= 4) + (version >= 6)]
    asked = struct.pack(f"{len(words)}Q", *words)
    rules = _call("syscall", _CREATE_RULESET, asked, len(asked), 0)
    if rules < 0:
        return False
    try:
        allowed = {
            scratch: changes & ~_EXECUTE,
            os.path.dirname(os.path.realpath(scratch)): _REMOVE_FOLDER,  # noqa: PTH120 - a string
            os.devnull: changes & (_WRITE | _TRUNCATE),
        }
        return all(_allow(rules, *each) for each in allowed.items()) and (
            _call("syscall", _RESTRICT_SELF, rules, 0) == 0
        )
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> bool:
    with _place(path) as place:
        rule = struct.pack("=Qi", rights, place)
        return _call("syscall", _ADD_RULE, rules, _BENEATH, rule, 0) == 0


@contextmanager
def _place(path: str) -> Iterator[int]:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        yield place
    finally:
        os.close(place)


def _seccomp() -> bool:
    if platform.machine() not in _PROCESSORS or sys.maxsize < 2**32:
        return False
    steps = b"".join(_filter(*_PROCESSORS[platform.machine()]))
    room = ctypes.create_string_buffer(steps)
    program = struct.pack("HP", len(steps) // 8, ctypes.addressof(room))
    return _call("prctl", _SECCOMP, _FILTER, program, 0, 0) == 0


def _filter(processor: int, refused: tuple[int, ...]) -> Iterator[bytes]:
    """Yield the filter's steps: 16 bits of code, two jumps by 8 bits, a number of 32 bits."""
    step = struct.Struct("HBBI").pack
    last = len(refused) + 1  # steps from the first comparison of a number to the refusal
    yield step(_LOAD, 0, 0, 4)
    yield step(_IF_EQUAL, 0, last + 2, processor)
    yield step(_LOAD, 0, 0, 0)
    yield step(_IF_AT_LEAST, last, 0, _FOREIGN)
    for passed, number in enumerate(refused):
        yield step(_IF_EQUAL, last - 1 - passed, 0, number)
    yield step(_RETURN, 0, 0, _ALLOW)
    yield step(_RETURN, 0, 0, _REFUSE)
