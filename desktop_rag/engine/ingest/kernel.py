"""What Linux itself refuses a process that reads hostile files, its C code too.

Landlock lets it make, write and remove files only in its scratch folder; a seccomp filter gives it
no socket, no other program, no other process's memory, and no say in whose a file is. Neither needs
a right, nor can be taken off again. An older kernel refuses less: Landlock came with 5.13, cutting
files short is refused since 6.2, devices since 6.10, signals to others since 6.12. What `confine`
refuses through Python is refused everywhere.

After the kernel's pages userspace-api/landlock and userspace-api/seccomp_filter.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator

_NO_NEW_PRIVILEGES = 38  # of prctl
_FILTER, _ALL_THREADS = 1, 1  # of seccomp
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every processor
_VERSION, _BENEATH = 1, 1

# Landlock's rights to files, by the version that knows them first; reading is nobody's to refuse.
_EXECUTE, _WRITE, _TRUNCATE = 1 << 0, 1 << 1, 1 << 14
_REMOVE_FOLDER = 1 << 4
_CHANGES = {1: _EXECUTE | _WRITE | 0b1_1111_1111 << 4, 2: 1 << 13, 3: _TRUNCATE, 5: 1 << 15}
_NEVER = _EXECUTE | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 15  # devices, links; in the scratch folder
_TCP = 0b11  # bind, connect; from version 4
_SCOPES = 0b11  # abstract sockets, signals; from version 6

# Per processor: what the kernel calls it, its number of seccomp, and those of what is refused:
# socket, socketpair, connect; execve, execveat; io_uring_setup, ptrace, process_vm_readv and
# process_vm_writev, pidfd_getfd, shmget, add_key; all that changes a file's rights, owner, times
# or attributes.
_PROCESSORS = {
    "x86_64": (
        0xC000003E, 317,
        (41, 53, 42, 59, 322, 425, 101, 310, 311, 438, 29, 248, *range(90, 95), 132,
         *range(188, 191), *range(197, 200), 235, 260, 261, 268, 280, 452),
    ),
    "aarch64": (
        0xC00000B7, 277,
        (198, 199, 203, 221, 281, 425, 117, 270, 271, 438, 194, 217, *range(5, 8), *range(14, 17),
         *range(52, 56), 88, 452),
    ),
}  # fmt: skip
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
    try:
        if _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            return ()
        ways = {"landlock": _landlock(scratch), "seccomp": _seccomp()}
    except (OSError, AttributeError):  # a Python without the C library's functions
        return ()
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
            scratch: changes & ~_NEVER,
            os.path.dirname(os.path.realpath(scratch)): _REMOVE_FOLDER,  # noqa: PTH120 - a string
            os.devnull: changes & (_WRITE | _TRUNCATE),
        }
        return all(_allow(rules, *each) for each in allowed.items()) and (
            _call("syscall", _RESTRICT_SELF, rules, 0) == 0
        )
    finally:
        os.close(rules)


def _allow(rules: int, path: str, rights: int) -> bool:
    """Allow a place some rights; one that is not there has none."""
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return True
    try:
        rule = struct.pack("=Qi", rights, place)
        return _call("syscall", _ADD_RULE, rules, _BENEATH, rule, 0) == 0
    finally:
        os.close(place)


def _seccomp() -> bool:
    if platform.machine() not in _PROCESSORS or sys.maxsize < 2**32:
        return False
    processor, seccomp, refused = _PROCESSORS[platform.machine()]
    steps = b"".join(_filter(processor, refused))
    room = ctypes.create_string_buffer(steps)
    program = struct.pack("HP", len(steps) // 8, ctypes.addressof(room))
    return _call("syscall", seccomp, _FILTER, _ALL_THREADS, program) == 0


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
