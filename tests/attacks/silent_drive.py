"""A file system that answers all but some reads: what a dead network drive is to a program.

    python -m tests.attacks.silent_drive FOLDER

mounts it (Linux, root) and serves until it is killed. It holds `good.txt`, and `dead.txt` whose
bytes never come; below `gone` no folder answers. Whoever reads these can't be killed meanwhile.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
import sys

TEXT = b"The good file of the silent drive tells that the lighthouse is painted white.\n"
_IN = struct.Struct("<IIQQIIIHH")
_ATTR = struct.Struct("<QQQQQQIIIIIIIIII")
# By inode: the folder, the files, and a folder that never answers.
_FOLDER, _GOOD, _DEAD, _GONE = 1, 2, 3, 4
_NAMES = {b"good.txt": _GOOD, b"dead.txt": _DEAD, b"gone": _GONE}
_LOOKUP, _GETATTR, _OPEN, _READ, _RELEASE, _INIT, _OPENDIR, _READDIR = 1, 3, 14, 15, 18, 26, 27, 28
_FORGET, _BATCH_FORGET, _RELEASEDIR, _FLUSH, _ACCESS, _STATFS = 2, 42, 29, 25, 34, 17


def mount(folder: str) -> int:
    """Mount the drive and return its handle; an OSError where that can't be."""
    handle = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    libc = ctypes.CDLL(None, use_errno=True)
    words = f"fd={handle},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
    if libc.mount(b"silent", os.fsencode(folder), b"fuse", 0, words):
        number = ctypes.get_errno()
        os.close(handle)
        raise OSError(number, os.strerror(number))
    return handle


def unmount(folder: str) -> None:
    """Take the drive away, whoever waits for it."""
    ctypes.CDLL(None).umount2(os.fsencode(folder), 2)


def serve(handle: int) -> None:
    """Answer until the drive is taken away."""
    while True:
        try:
            request = os.read(handle, 1 << 20)
        except OSError as error:
            if error.errno == errno.ENODEV:
                return
            continue
        _, code, unique, node, *_ = _IN.unpack_from(request)
        made = _reply(code, node, request[_IN.size :])
        if made is not None:
            failed, body = made
            os.write(handle, struct.pack("<IiQ", 16 + len(body), -failed, unique) + body)


def _reply(code: int, node: int, body: bytes) -> tuple[int, bytes] | None:
    """Return an error's number and an answer; None where there is never one."""
    if code in (_FORGET, _BATCH_FORGET) or (code == _READ and node == _DEAD):
        return None
    if node == _GONE and code in (_OPENDIR, _READDIR, _LOOKUP):
        return None
    if code == _INIT:
        return 0, struct.pack(
            "<IIIIHHIIHHIIHH", 7, 31, 65536, 0, 12, 10, 65536, 1, 1, 0, 0, 0, 0, 0
        ) + bytes(20)
    if code == _LOOKUP:
        found = _NAMES.get(body.rstrip(b"\0"))
        if found is None:
            return errno.ENOENT, b""
        return 0, struct.pack("<QQQQII", found, 0, 1, 1, 0, 0) + _attributes(found)
    if code == _GETATTR:
        return 0, struct.pack("<QII", 1, 0, 0) + _attributes(node)
    if code in (_OPEN, _OPENDIR):
        return 0, struct.pack("<QII", node, 0, 0)
    if code == _READ:
        _, offset, size = struct.unpack_from("<QQI", body)
        return 0, TEXT[offset : offset + size]
    if code == _READDIR:
        (offset,) = struct.unpack_from("<Q", body, 8)
        return 0, _entries() if not offset else b""
    return (0, b"") if code in (_RELEASE, _RELEASEDIR, _FLUSH, _ACCESS) else (errno.ENOSYS, b"")


def _attributes(node: int) -> bytes:
    is_folder = node in (_FOLDER, _GONE)
    mode = (stat.S_IFDIR | 0o755) if is_folder else (stat.S_IFREG | 0o644)
    return _ATTR.pack(node, len(TEXT), 1, 1, 1, 1, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def _entries() -> bytes:
    made = b""
    for at, (name, node) in enumerate(_NAMES.items(), start=1):
        kind = 4 if node == _GONE else 8
        entry = struct.pack("<QQII", node, at, len(name), kind) + name
        made += entry + bytes(-len(entry) % 8)
    return made


if __name__ == "__main__":
    opened = mount(sys.argv[1])
    sys.stdout.write("mounted\n")
    sys.stdout.flush()
    serve(opened)
