"""What Linux refuses another program that reads hostile files; without this it is not started.

Landlock leaves it one folder to write in, and to read no more than the system's own programs,
libraries and fonts: none of the user's files. A seccomp filter refuses it all networks and other
processes. Limits bound what it takes, and it dies with the thread that started it.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from desktop_rag.parsing.sandbox import seccomp_filter
from desktop_rag.parsing.sandbox.linux_confinement import (
    allow_path,
    call_kernel,
    landlock_version,
)

_NO_NEW_PRIVILEGES, _PARENT_DEATH = 38, 1  # of prctl
_FILTER = 1
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_LEAST_VERSION = 3  # of Landlock: before it, files could be cut short
_EXECUTE, _WRITE, _READ, _LIST, _TRUNCATE = 1, 2, 4, 8, 1 << 14
_FILES = (1 << 15) - 1  # all rights to files that the third version knows
_NEVER = _EXECUTE | 1 << 6 | 1 << 11  # of its own folder: running, devices
_TCP, _SCOPES = 0b11, 0b11
_SEEN = _READ | _LIST
_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/opt")
_DATA = (
    "/etc/fonts", "/etc/libreoffice", "/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives",
    "/var/cache/fontconfig", "/var/lib/libreoffice", "/var/spool/libreoffice", "/dev/urandom",
    "/dev/random", "/proc/cpuinfo", "/proc/meminfo",
    "/sys/devices/system/cpu",
)  # fmt: skip
_MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """What another program may use: a folder to write in, folders to read, MiB and seconds."""

    scratch: str
    readable: tuple[str, ...]
    megabytes: int
    seconds: int


def can_confine() -> bool:
    """Say whether this system can hold another program to its limits."""
    is_listed = seccomp_filter.seccomp_number(platform.machine()) >= 0 and sys.maxsize > 2**32
    return is_listed and landlock_version() >= _LEAST_VERSION


def run_confined(
    command: Sequence[str], environment: dict[str, str], limits: ProgramLimits
) -> None:
    """Become another program, confined for good; the exit code is 126 where that can't be."""
    if sys.platform == "win32":
        os._exit(126)
    try:
        os.setsid()
        os.chdir(limits.scratch)
        _close_streams()
        _bound(limits)
        call_kernel("prctl", _PARENT_DEATH, int(signal.SIGKILL), 0, 0, 0)
        is_bare = call_kernel("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0
        if is_bare and _landlock(limits) and _seccomp():
            os.execve(command[0], list(command), environment)  # noqa: S606 - no shell
    finally:
        os._exit(126)


def _close_streams() -> None:
    """Close all that is open but three streams that lead nowhere."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.closerange(3, os.sysconf("SC_OPEN_MAX") if nowhere < 3 else 65536)


def _bound(limits: ProgramLimits) -> None:
    import resource

    os.nice(10)
    memory = limits.megabytes * _MEGABYTE
    bounds = {
        "CORE": 0, "MEMLOCK": 0, "NOFILE": 1024, "FSIZE": memory // 4, "AS": memory,
        "CPU": limits.seconds,
    }  # fmt: skip
    for name, most in bounds.items():
        limit = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(limit)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (bound, bound))


def _landlock(limits: ProgramLimits) -> bool:
    version = landlock_version()
    files = _FILES | (1 << 15 if version >= 5 else 0)
    words = (files, _TCP, _SCOPES)[: 1 + (version >= 4) + (version >= 6)]
    asked = struct.pack(f"{len(words)}Q", *words)
    rules = call_kernel("syscall", _CREATE_RULESET, asked, len(asked), 0)
    if rules < 0:
        return False
    allowed = {
        **dict.fromkeys(_SYSTEM, _SEEN | _EXECUTE),
        **dict.fromkeys((*_DATA, *limits.readable), _SEEN),
        os.devnull: _READ | _WRITE | _TRUNCATE,
        limits.scratch: _FILES & ~_NEVER,
    }
    return all(_allow(rules, path, rights) for path, rights in allowed.items()) and (
        call_kernel("syscall", _RESTRICT_SELF, rules, 0) == 0
    )


def _allow(rules: int, path: str, rights: int) -> bool:
    """Allow a place rights; a file has no listing."""
    is_folder = os.path.isdir(path)  # noqa: PTH112 - a string
    return allow_path(rules, path, rights if is_folder else rights & ~_LIST)


def _seccomp() -> bool:
    machine = platform.machine()
    number = seccomp_filter.seccomp_number(machine)
    steps = seccomp_filter.program_refusing_network(machine)
    room = ctypes.create_string_buffer(steps)
    program = struct.pack("HP", len(steps) // 8, ctypes.addressof(room))
    return call_kernel("syscall", number, _FILTER, 0, program) == 0
