"""The system calls that reading a file needs, and the seccomp filter that allows these alone.

A list of what is allowed, not of what is refused: what a later Linux adds is refused unseen. A call
that Linux 4.18 knew already gets EPERM; a later one gets ENOSYS, as if the kernel were that old, so
that the C library falls back to what it did before (`clone3` to `clone`, `openat2` to `openat`).
The kernel's own tables: arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# Each call's numbers on x86_64 and on aarch64; None where a processor never had it.
CallNumbers = tuple[int | None, int | None]

ALLOWED: Mapping[str, CallNumbers] = {
    # open files, and what is known of files by their names
    "read": (0, 63), "readv": (19, 65), "pread64": (17, 67), "preadv": (295, 69),
    "write": (1, 64), "writev": (20, 66), "lseek": (8, 62), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "fadvise64": (221, 223), "poll": (7, None), "ppoll": (271, 73), "select": (23, None),
    "pselect6": (270, 72), "stat": (4, None), "fstat": (5, 80), "lstat": (6, None),
    "newfstatat": (262, 79), "statx": (332, 291), "statfs": (137, 43), "fstatfs": (138, 44),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78), "getdents64": (217, 61), "getcwd": (79, 17),
    # memory
    "mmap": (9, 222), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226),
    "madvise": (28, 233), "brk": (12, 214),
    # its own threads and signals, and its end
    "futex": (202, 98), "set_robust_list": (273, 99), "rseq": (334, 293), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "getcpu": (309, 168), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "sigaltstack": (131, 132), "restart_syscall": (219, 128), "exit": (60, 93),
    "exit_group": (231, 94),
    # clocks, chance, and who it is
    "time": (201, None), "gettimeofday": (96, 169), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "nanosleep": (35, 101), "clock_nanosleep": (230, 115),
    "times": (100, 153), "getrandom": (318, 278), "getpid": (39, 172), "gettid": (186, 178),
    "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176),
    "getegid": (108, 177), "umask": (95, 166), "uname": (63, 160), "sysinfo": (99, 179),
    "getrlimit": (97, 163), "getrusage": (98, 165), "getpriority": (140, 141),
}  # fmt: skip

# Allowed where Landlock judges the places, refused where nothing does.
CHANGING: Mapping[str, CallNumbers] = {
    "pwrite64": (18, 68), "pwritev": (296, 70), "ftruncate": (77, 46), "mkdir": (83, None),
    "mkdirat": (258, 34), "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276),
}  # fmt: skip

# Allowed for some arguments only (`_rules`).
CHECKED: Mapping[str, CallNumbers] = {
    "open": (2, None), "openat": (257, 56), "clone": (56, 220), "kill": (62, 129),
    "tgkill": (234, 131), "prlimit64": (302, 261), "ioctl": (16, 29), "fcntl": (72, 25),
    "prctl": (157, 167),
}  # fmt: skip

# What the kernel calls each processor, its number of seccomp, and the last call of Linux 4.18.
_COLUMNS = {"x86_64": 0, "aarch64": 1}
_PROCESSORS = {"x86_64": (0xC000003E, 317, 334), "aarch64": (0xC00000B7, 277, 293)}

_TRUNCATE = 0o1000
# A thread's flags, as glibc and musl start one; a process has others.
_THREADS = (0x3D0F00, 0x7D0F00)
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_REQUESTS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: no locks, owners or leases
_DESCRIPTOR = (0, 1, 2, 3, 4, 1030)
_NAMES = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA

_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST = 0x15, 0x35
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS = _ERROR | 1, _ERROR | 38
_NUMBER, _PROCESSOR, _ARGUMENTS = 0, 4, 16  # where they stand in what the filter is given

Instructions = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ArgumentRule:
    """One 32-bit word of the arguments that has to be one of some values, its other bits aside.

    Words count from 0, two an argument, the lower one first.
    """

    word: int
    values: tuple[int, ...]
    mask: int = 0xFFFFFFFF

    def steps(self) -> Instructions:
        """Return the steps that refuse other values and go on after one of these."""
        count = len(self.values)
        masked = () if self.mask == 0xFFFFFFFF else (_step(_AND, self.mask),)
        compared = tuple(
            _step(_IF_EQUAL, value, count - nth) for nth, value in enumerate(self.values)
        )
        load = _step(_LOAD, _ARGUMENTS + 4 * self.word)
        return (load, *masked, *compared, _step(_RETURN, _EPERM))


def seccomp_number(machine: str) -> int:
    """Return the number of seccomp itself; -1 for a processor whose calls are not listed."""
    return _PROCESSORS[machine][1] if machine in _PROCESSORS else -1


def program(machine: str, pid: int, *, may_write: bool) -> bytes:
    """Return the filter for a listed processor and the process that it is for.

    Without `may_write` no file can be opened for writing, made, renamed or removed.
    """
    architecture, _, last = _PROCESSORS[machine]
    ends = _ends(machine, pid, may_write=may_write)
    refused = (_step(_RETURN, _EPERM),)
    segments: list[tuple[int, Instructions]] = [(0, refused)]
    ends.setdefault(last, refused)
    for number, steps in sorted(ends.items()):
        _append(segments, number, steps)
        if number + 1 not in ends:
            unknown = (_step(_RETURN, _ENOSYS),)
            _append(segments, number + 1, refused if number < last else unknown)
    head = (
        _step(_LOAD, _PROCESSOR),
        _step(_IF_EQUAL, architecture, 1),
        *refused,
        _step(_LOAD, _NUMBER),
    )
    return b"".join((*head, *_tree(segments)))


def _ends(machine: str, pid: int, *, may_write: bool) -> dict[int, Instructions]:
    """Return how each call that is not simply refused ends, by its number."""
    allow: Instructions = (_step(_RETURN, _ALLOW),)
    column = _COLUMNS[machine]
    plain = {**ALLOWED, **CHANGING} if may_write else ALLOWED
    ends: dict[int, Instructions] = dict.fromkeys(_column(plain.values(), column), allow)
    for name, rules in _rules(pid, may_write=may_write).items():
        number = CHECKED[name][column]
        if number is not None:
            ends[number] = (*(step for rule in rules for step in rule.steps()), *allow)
    return ends


def _rules(pid: int, *, may_write: bool) -> dict[str, tuple[ArgumentRule, ...]]:
    """Return what the arguments of the calls in `CHECKED` have to be."""
    # To cut a file needs no right to write it before Landlock's third version: so it is asked for.
    ways = (0, 1, 2, _TRUNCATE | 1, _TRUNCATE | 2) if may_write else (0,)
    bits = 0b11 | _TRUNCATE | (0 if may_write else 0o100)  # O_ACCMODE, O_TRUNC, O_CREAT
    return {
        "open": (ArgumentRule(2, ways, bits),),
        "openat": (ArgumentRule(4, ways, bits),),
        "clone": (ArgumentRule(0, _THREADS),),
        "kill": (ArgumentRule(0, (pid,)),),
        "tgkill": (ArgumentRule(0, (pid,)),),
        "prlimit64": (
            ArgumentRule(0, (0, pid)),
            ArgumentRule(4, (0,)),
            ArgumentRule(5, (0,)),
        ),  # its own, to be read
        "ioctl": (ArgumentRule(2, _REQUESTS),),
        "fcntl": (ArgumentRule(2, _DESCRIPTOR),),
        "prctl": (ArgumentRule(0, _NAMES),),
    }


def _column(numbers: Iterable[CallNumbers], column: int) -> list[int]:
    return [each for pair in numbers if (each := pair[column]) is not None]


def _append(segments: list[tuple[int, Instructions]], start: int, steps: Instructions) -> None:
    """Begin a segment of numbers, unless the one before ends in the same way."""
    if segments[-1][0] == start:
        segments.pop()
    if not segments or segments[-1][1] != steps:
        segments.append((start, steps))


def _tree(segments: list[tuple[int, Instructions]]) -> Instructions:
    """Return the steps that find a number's segment by halving."""
    if len(segments) == 1:
        return segments[0][1]
    middle = len(segments) // 2
    lower, upper = _tree(segments[:middle]), _tree(segments[middle:])
    return (_step(_IF_AT_LEAST, segments[middle][0], len(lower)), *lower, *upper)


def _step(code: int, value: int, jump: int = 0) -> bytes:
    """Return a step: 16 bits of code, how many steps to pass over if true, 0 if not, 32 bits."""
    return struct.pack("HBBI", code, jump, 0, value)
