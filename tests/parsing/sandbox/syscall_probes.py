"""What smuggled C code would try from within a reader: raw system calls, seen by no Python hook.

Each probe returns what went through, nothing where all was refused. It works on a `Scene` that the
parent has laid out, and whose owner looks afterwards whether anything has changed.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import mmap
import os
import platform
import stat
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Of x86_64 and of aarch64.
NUMBERS: dict[str, tuple[int | None, int | None]] = {
    "open": (2, None), "openat": (257, 56), "openat2": (437, 437), "creat": (85, None),
    "write": (1, 64), "pwrite64": (18, 68), "ioctl": (16, 29), "fcntl": (72, 25),
    "flock": (73, 32), "truncate": (76, 45), "chmod": (90, None), "fchmodat": (268, 53),
    "fchmodat2": (452, 452), "fchownat": (260, 54), "utimensat": (280, 88), "mknodat": (259, 33),
    "linkat": (265, 37), "symlinkat": (266, 36), "unlinkat": (263, 35), "renameat2": (316, 276),
    "mkdirat": (258, 34), "setxattr": (188, 5), "setxattrat": (463, 463),
    "removexattrat": (466, 466), "file_setattr": (469, 469), "fork": (57, None),
    "vfork": (58, None), "clone": (56, 220), "clone3": (435, 435), "execve": (59, 221),
    "execveat": (322, 281), "kill": (62, 129), "tkill": (200, 130), "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "prlimit64": (302, 261), "setpriority": (141, 140), "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "ptrace": (101, 117),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190),
    "msgget": (68, 186), "mq_open": (240, 180), "socket": (41, 198), "socketpair": (53, 199),
    "unshare": (272, 97), "io_uring_setup": (425, 425), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "userfaultfd": (323, 282), "bpf": (321, 280),
    "perf_event_open": (298, 241), "keyctl": (250, 219), "add_key": (248, 217),
    "inotify_init1": (294, 26), "fanotify_init": (300, 262), "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265), "open_tree": (428, 428), "prctl": (157, 167),
    "seccomp": (317, 277), "setsid": (112, 157), "getpid": (39, 172),
}  # fmt: skip

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.syscall.restype = ctypes.c_long
_HERE = -100  # AT_FDCWD
_COLUMN = 1 if platform.machine() == "aarch64" else 0


def call(name: str, *arguments: int | bytes | Any) -> int:
    """Call the kernel by a call's name; -1 where it refuses, or has no such call."""
    number = NUMBERS[name][_COLUMN]
    return -1 if number is None else call_number(number, *arguments)


def call_number(number: int, *arguments: int | bytes | Any) -> int:
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(_LIBC.syscall(ctypes.c_long(number), *given))


class Scene:
    """What lies around a reader: a file of the user's, processes, memory that others share."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.folder = os.fsencode(told["folder"])
        self.file = self.folder + b"/key"
        self.lock = self.folder + b"/owner.lock"
        self.victim = int(told["victim"])
        self.address = int(told["address"])
        self.segment = int(told["segment"])
        self.shared = str(told["shared"])


def passed(**ways: Callable[[], int]) -> str:
    """Return the names of what was not refused."""
    return ", ".join(name for name, way in ways.items() if way() >= 0)


def attributes(scene: Scene) -> str:
    """Give a file other rights, owners, times, attributes: by names, numbers and open handles."""
    handle = os.open(scene.file, os.O_RDONLY)
    note = ctypes.create_string_buffer(b"x")
    value = struct.pack("QII", ctypes.addressof(note), 1, 0)
    flags = ctypes.c_int(0x40)  # not to be dumped: an ordinary user may
    extended = struct.pack("QIIII", 0x80, 0, 0, 0, 0)
    return passed(
        setxattr=lambda: call("setxattr", scene.file, b"user.x", note, 1, 0),
        setxattrat=lambda: call("setxattrat", _HERE, scene.file, 0, b"user.y", value, len(value)),
        removexattrat=lambda: call("removexattrat", _HERE, scene.file, 0, b"user.kept"),
        file_setattr=lambda: call("file_setattr", _HERE, scene.file, extended, len(extended), 0),
        FS_IOC_SETFLAGS=lambda: call("ioctl", handle, 0x40086602, ctypes.byref(flags)),
        chmod=lambda: call("chmod", scene.file, 0o666),
        fchmodat=lambda: call("fchmodat", _HERE, scene.file, 0o666),
        fchmodat2=lambda: call("fchmodat2", _HERE, scene.file, 0o666, 0),
        fchownat=lambda: call("fchownat", _HERE, scene.file, os.getuid(), os.getgid(), 0),
        utimensat=lambda: call("utimensat", _HERE, scene.file, 0, 0),
    )


def places(scene: Scene) -> str:
    """Write, cut, make, rename and remove files outside the scratch folder."""
    beside = scene.folder + b"/made"
    create = os.O_CREAT | os.O_RDWR
    how = struct.pack("QQQ", os.O_RDWR, 0, 0)
    return passed(
        write=lambda: call("openat", _HERE, scene.file, os.O_WRONLY, 0),
        change=lambda: call("openat", _HERE, scene.file, os.O_RDWR, 0),
        append=lambda: call("openat", _HERE, scene.file, os.O_WRONLY | os.O_APPEND, 0),
        old=lambda: call("open", scene.file, os.O_RDWR, 0),
        cut_unwritten=lambda: call("openat", _HERE, scene.file, os.O_RDONLY | os.O_TRUNC, 0),
        cut=lambda: call("truncate", scene.file, 0),
        openat2=lambda: call("openat2", _HERE, scene.file, how, len(how)),
        make=lambda: call("openat", _HERE, beside, create, 0o600),
        creat=lambda: call("creat", beside, 0o600),
        nameless=lambda: call("openat", _HERE, scene.folder, os.O_TMPFILE | os.O_RDWR, 0o600),
        device=lambda: call("mknodat", _HERE, beside, stat.S_IFIFO | 0o600, 0),
        folder=lambda: call("mkdirat", _HERE, beside, 0o700),
        link=lambda: call("linkat", _HERE, scene.file, _HERE, beside, 0),
        symlink=lambda: call("symlinkat", scene.file, _HERE, beside),
        rename=lambda: call("renameat2", _HERE, scene.file, _HERE, beside, 0),
        remove=lambda: call("unlinkat", _HERE, scene.file, 0),
        priority_of_the_kill=lambda: call("openat", _HERE, b"/proc/self/oom_score_adj", 2, 0),
    )


def children(_: Scene) -> str:
    """Start processes, in each of the ways there are."""
    threads = 0x3D0F00
    arguments = struct.pack("8Q", 0, 0, 0, 0, 17, 0, 0, 0)
    words = (ctypes.c_char_p * 2)(b"true", None)
    return passed(
        fork=lambda: _alone(lambda: call("fork")),
        vfork=lambda: _alone(lambda: call("vfork")),
        clone=lambda: _alone(lambda: call("clone", 17, 0, 0, 0, 0)),
        clone3=lambda: _alone(lambda: call("clone3", arguments, len(arguments))),
        clone_of_a_namespace=lambda: call("clone", threads | 0x10000000, 0, 0, 0, 0),
        libc=lambda: _alone(_LIBC.fork),
        execve=lambda: call("execve", b"/bin/true", words, None),
        execveat=lambda: call("execveat", _HERE, b"/bin/true", words, None, 0),
        spawn=lambda: (
            -_LIBC.posix_spawn(ctypes.byref(ctypes.c_int()), b"/bin/true", 0, 0, words, 0)
        ),
        unshare=lambda: call("unshare", 0x10000000),
        session=lambda: call("setsid"),
    )


def _alone(start: Callable[[], int]) -> int:
    """Start a process that ends at once, if it starts."""
    made = start()
    if made == 0:
        os._exit(0)
    return made


def others(scene: Scene) -> str:
    """Signal, limit and slow other processes: the parent and one beside it."""
    limit = struct.pack("QQ", 1, 1)  # of message queues: whoever loses it goes on
    info = struct.pack("iiiii", 0, 0, -1, os.getpid(), os.getuid()) + bytes(108)
    cores = struct.pack("Q", 1)
    found = []
    for who, pid in {"parent": os.getppid(), "sibling": scene.victim}.items():
        found += [f"{each} of the {who}" for each in _reach(pid, limit, info, cores) if each]
    own = passed(
        own_limit=lambda: call("prlimit64", 0, 12, limit, 0),
        all=lambda: call("kill", -1, 0),
        group=lambda: call("kill", 0, 0),
        parents_death=lambda: call("prctl", 1, 0, 0, 0, 0),
        dumpable=lambda: call("prctl", 4, 1, 0, 0, 0),
        tracer=lambda: call("prctl", 0x59616D61, scene.victim, 0, 0, 0),
    )
    return ", ".join([*found, *filter(None, [own])])


def _reach(pid: int, limit: bytes, info: bytes, cores: bytes) -> list[str]:
    """Return what could be done to a process."""
    return passed(
        kill=lambda: call("kill", pid, 0),
        tkill=lambda: call("tkill", pid, 0),
        tgkill=lambda: call("tgkill", pid, pid, 0),
        queued=lambda: call("rt_sigqueueinfo", pid, 0, info),
        queued_thread=lambda: call("rt_tgsigqueueinfo", pid, pid, 0, info),
        pidfd_open=lambda: call("pidfd_open", pid, 0),
        prlimit64=lambda: call("prlimit64", pid, 12, limit, 0),
        read_limit=lambda: call("prlimit64", pid, 12, 0, ctypes.create_string_buffer(16)),
        priority=lambda: call("setpriority", 0, pid, 19),
        disk_priority=lambda: call("ioprio_set", 1, pid, 3 << 13),
        processors=lambda: call("sched_setaffinity", pid, len(cores), cores),
        schedule=lambda: call("sched_setscheduler", pid, 3, struct.pack("i", 0)),
        trace=lambda: call("ptrace", 0x4206, pid, 0, 0),
        compare=lambda: call("kcmp", os.getpid(), pid, 0, 0, 0),
    ).split(", ")


def memories(scene: Scene) -> str:
    """Write into other processes' memory: the parent's, a sibling's, and shared segments."""
    found = []
    text = ctypes.create_string_buffer(b"owned!")
    here = struct.pack("QQ", ctypes.addressof(text), 6)
    there = struct.pack("QQ", scene.address, 6)
    for who, pid in {"parent": os.getppid(), "sibling": scene.victim}.items():
        place = f"/proc/{pid}/mem".encode()
        handle = call("openat", _HERE, place, os.O_RDWR, 0)
        if handle >= 0:
            done = who == "parent" and call("pwrite64", handle, text, 6, scene.address) == 6
            found.append(f"memory of the {who} opened{' and written' if done else ''}")
    if call("process_vm_writev", os.getppid(), here, 1, there, 1, 0) >= 0:
        found.append("process_vm_writev")
    attached = call("shmat", scene.segment, 0, 0)
    if attached != -1:
        ctypes.memmove(attached, b"owned!", 6)
        found.append("shmat")
    shared = passed(
        shmctl=lambda: call("shmctl", scene.segment, 0, 0),
        shmget=lambda: call("shmget", 0x5EED, 4096, 0o1600),
        semget=lambda: call("semget", 0x5EED, 1, 0o1600),
        msgget=lambda: call("msgget", 0x5EED, 0o1600),
        mq_open=lambda: call("mq_open", b"seed", os.O_CREAT | os.O_RDWR, 0o600, 0),
        posix=lambda: call("openat", _HERE, f"/dev/shm/{scene.shared}".encode(), os.O_RDWR, 0),
        posix_unlinked=lambda: call("unlinkat", _HERE, f"/dev/shm/{scene.shared}".encode(), 0),
    )
    return ", ".join([*found, *filter(None, [shared])])


def handles(scene: Scene) -> str:
    """Use what the parent left open: tell its resource tracker to unlink what is not ours."""
    found = []
    told = f"REGISTER:/{scene.shared}:shared_memory\n".encode()
    for each in range(3, 256):
        try:
            opened = str(Path(f"/proc/self/fd/{each}").readlink())
            way = Path(f"/proc/self/fdinfo/{each}").read_text().split("flags:")[1].split()[0]
        except OSError:
            continue
        is_writable = int(way, 8) & os.O_ACCMODE != os.O_RDONLY
        if not (opened.startswith("socket:") or (opened.startswith("pipe:") and not is_writable)):
            found.append(f"{each} leads to {opened}")
            if opened.startswith("pipe:"):
                call("write", each, told, len(told))
    return ", ".join(found)


def locks(scene: Scene) -> str:
    """Hold a lock that others wait for, and have signals sent by what happens to a file."""
    handle = os.open(scene.lock, os.O_RDONLY)
    whole = struct.pack("hhqqi4x", 0, 0, 0, 0, 0)
    given = {"F_SETLK": (6, whole), "F_OFD_SETLK": (37, whole), "F_SETOWN": (8, os.getppid())}
    given |= {"F_SETSIG": (10, 9), "F_SETLEASE": (1024, 0), "F_NOTIFY": (1026, 2)}
    found = [name for name, each in given.items() if call("fcntl", handle, *each) >= 0]
    return ", ".join(found + (["flock"] if call("flock", handle, 2 | 4) >= 0 else []))


def doors(_: Scene) -> str:
    """Open what leads out of the process or deep into the kernel."""
    return passed(
        socket=lambda: call("socket", 2, 1, 0),
        local=lambda: call("socket", 1, 1, 0),
        packets=lambda: call("socket", 16, 3, 0),
        socketpair=lambda: call("socketpair", 1, 1, 0, ctypes.create_string_buffer(8)),
        io_uring=lambda: call("io_uring_setup", 1, ctypes.create_string_buffer(120)),
        memfd=lambda: call("memfd_create", b"x", 0),
        secret=lambda: call("memfd_secret", 0),
        userfaultfd=lambda: call("userfaultfd", 1),
        bpf=lambda: call("bpf", 0, struct.pack("IIII", 2, 4, 4, 1) + bytes(104), 120),
        perf=lambda: call("perf_event_open", bytes([1, 0, 0, 0, 112]) + bytes(107), 0, -1, -1, 0),
        keys=lambda: call("keyctl", 0, -4, 1),
        add_key=lambda: call("add_key", b"user", b"x", b"y", 1, -2),
        inotify=lambda: call("inotify_init1", 0),
        fanotify=lambda: call("fanotify_init", 0x200, 0),
        tree=lambda: call("open_tree", _HERE, b"/", 0),
        filter=lambda: call("seccomp", 2, 0, struct.pack("I", 0x7FFF0000)),
    )


def other_tables(_: Scene) -> str:
    """Call by x86_64's other numbers, and as a program of 32 bits would: getpid."""
    found = ["x32"] if call_number(0x40000000 | 39) >= 0 else []
    if platform.machine() == "x86_64":
        room = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        room.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20; int 0x80; ret
        place = ctypes.addressof(ctypes.c_char.from_buffer(room))
        if ctypes.CFUNCTYPE(ctypes.c_int)(place)() > 0:
            found.append("32 bits")
    return ", ".join(found)


def all_numbers(_: Scene) -> str:
    """Call every number that the filter does not list, with arguments that nothing accepts."""
    from desktop_rag.parsing.sandbox import seccomp_filter

    if "Seccomp:\t2" not in Path("/proc/self/status").read_text():
        return "there is no filter"  # and then to call all numbers would be no good idea
    named = {**seccomp_filter.ALLOWED, **seccomp_filter.CHANGING, **seccomp_filter.CHECKED}
    listed = {pair[_COLUMN] for pair in named.values()}
    # uretprobe and uprobe pass every filter by Linux's own will, and end who calls them so.
    listed |= {335, 336} if platform.machine() == "x86_64" else set()
    return ", ".join(
        f"{number} ({errno.errorcode.get(ctypes.get_errno())})"
        for number in (*range(600), *range(0x40000000, 0x40000000 + 600))
        if number not in listed and (call_number(number, *[-1] * 6) != -1 or not _is_refused())
    )


def _is_refused() -> bool:
    return ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}


def crowd(_: Scene) -> str:
    """Start threads, far more than a reader needs, and stay."""
    threading.stack_size(1 << 16)
    over = threading.Event()
    for _nth in range(5000):
        threading.Thread(target=over.wait, daemon=True).start()
    over.wait(20)
    return "thousands of threads"


def silence(_: Scene) -> str:
    """Close every handle, after a sign in each pipe, and stay: the parent takes it for ended."""
    for each in range(3, 256):
        with contextlib.suppress(OSError):
            if stat.S_ISFIFO(os.fstat(each).st_mode):
                os.write(each, b"x")
    os.closerange(3, 256)
    threading.Event().wait(30)
    return "it could stay"


def work(_: Scene) -> str:
    """Do what reading needs; nothing of it may be refused."""
    import tempfile

    done: list[int] = []
    thread = threading.Thread(target=lambda: done.append(1))
    thread.start()
    thread.join()
    try:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a").write_text("text")
            (Path(folder) / "a").rename(Path(folder) / "b")
            scratch = (Path(folder) / "b").read_text()
    except PermissionError:
        scratch = "none"
    return f"{len(done)} {scratch} {any(Path('/proc/self/fd').iterdir())}"


PROBES: dict[str, Callable[[Scene], str]] = {
    each.__name__: each
    for each in (
        attributes, places, children, others, memories, handles, locks, doors, other_tables,
        all_numbers, crowd, silence,
    )
}  # fmt: skip


def answer(request: bytes) -> bytes:
    """Do what a probe's name says on the scene that the request tells."""
    told = json.loads(request)
    found = {**PROBES, "work": work}[told["probe"]](Scene(told))
    return found.encode()
