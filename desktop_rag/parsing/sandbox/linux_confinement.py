"""What Linux itself refuses a process that reads hostile files, its C code too.

Landlock lets it make, write and remove files only in its scratch folder; a seccomp filter leaves it
the system calls that reading needs (`seccomp_filter`): no socket, no other program or process, no
other process's memory, no lock, and no say in whose a file is. Where nothing holds it to the
scratch folder, the filter refuses every writing, and there is no such folder. Neither needs a
right, nor can be taken off again. Landlock came with 5.13; it refuses to cut files short since 6.2,
devices since 6.10. What `confinement` refuses through Python is refused everywhere.

After the kernel's pages userspace-api/landlock and userspace-api/seccomp_filter.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import struct
import sys

from desktop_rag.parsing.sandbox import seccomp_filter

_DUMPABLE, _NO_NEW_PRIVILEGES = 4, 38  # of prctl
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


def restrict(scratch: str, *, may_landlock: bool = True) -> tuple[str, ...]:
    """Restrict this thread, and all that it starts, for good; return what the kernel knew of.

    `scratch` is the one folder in which files may be made, changed and removed; it may be removed
    itself, and is here if nothing can be held to it. Nothing is raised: the answer holds "landlock"
    and "seccomp", as far as they hold. Without `may_landlock` this kernel counts as one that has no
    Landlock.
    """
    if not sys.platform.startswith("linux"):
        return ()
    try:
        if _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0) != 0:
            return ()
        _call("prctl", _DUMPABLE, 0, 0, 0, 0)  # no other process of the user's looks into it
        may_write = may_landlock and _landlock(scratch)
        ways = {"landlock": may_write, "seccomp": _seccomp(scratch, may_write=may_write)}
    except (OSError, AttributeError):  # a Python without the C library's functions
        return ()
    return tuple(name for name, holds in ways.items() if holds)


def landlock_version() -> int:
    """Return the version of Landlock that this kernel has; not above 0 where it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    return _call("syscall", _CREATE_RULESET, 0, 0, _VERSION)


def _call(function: str, *arguments: int | bytes) -> int:
    """Call a function of the C library that takes long numbers and addresses; -1 is a failure."""
    given = (each if isinstance(each, bytes) else ctypes.c_long(each) for each in arguments)
    return int(getattr(ctypes.CDLL(None), function)(*given))


def _landlock(scratch: str) -> bool:
    version = landlock_version()
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


def _seccomp(scratch: str, *, may_write: bool) -> bool:
    number = seccomp_filter.seccomp_number(platform.machine())
    if number < 0 or sys.maxsize < 2**32:
        return False
    if not may_write:
        with contextlib.suppress(OSError):
            os.rmdir(scratch)  # noqa: PTH106 - a string; later it could not be removed any more
    steps = seccomp_filter.program(platform.machine(), os.getpid(), may_write=may_write)
    room = ctypes.create_string_buffer(steps)
    program = struct.pack("HP", len(steps) // 8, ctypes.addressof(room))
    return _call("syscall", number, _FILTER, _ALL_THREADS, program) == 0
