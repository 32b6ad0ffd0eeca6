"""A drive that another computer serves: a folder shown at a second place, by FUSE.

What is changed in the folder itself changes on the drive without an event there, as on a network
drive; upper and lower case of its names can be one, as on Windows and macOS. On the drive, files
can be read and renamed. Linux only, and only where one may mount.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import REPOSITORY

_LARGEST = 1 << 17
_FRESH = 1 << 12  # what is kept of a file is forgotten when it changes
_HEAD = struct.Struct("<IIQQIIIHH")
_REPLY = struct.Struct("<IiQ")
_NOT_SET_UID_OR_DEVICES = 2 | 4
_AT_ONCE = 2  # MNT_DETACH
_ROOT = 1


class NoDrive(Exception):
    """Nobody lets us mount a drive here."""


@contextmanager
def mounted(folder: Path, place: Path, *options: str) -> Iterator[Path]:
    """Show a folder at another place while the block lasts; `NoDrive` where that can't be done.

    Options: a kind of file system (`fuse.sshfs`), `any-case`.
    """
    place.mkdir()
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.network_drive", str(folder), str(place), *options],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        said = server.stdout.readline().strip()
        if said != "ready":
            assert server.wait(30) == 0
            raise NoDrive(f"no drive can be mounted here: {said}")
        yield place
    finally:
        server.stdin.close()
        server.wait(30)
        server.stdout.close()


class Drive:
    """Answers what the kernel asks of the drive, one question after the other."""

    def __init__(self, folder: str, device: int, *, any_case: bool) -> None:
        self._device = device
        self._any_case = any_case
        self._paths = {_ROOT: folder}
        self._answers: dict[int, Callable[[int, bytes], bytes]] = {
            1: self._find,
            3: self._describe,
            12: self._rename,
            14: self._open,
            15: self._read,
            17: self._room,
            18: self._close,
            26: self._begin,
            27: self._open_folder,
            28: self._list,
            29: self._close_folder,
        }

    def serve(self) -> None:
        """Answer until the drive is taken away."""
        while True:
            try:
                asked = os.read(self._device, 2 * _LARGEST)
            except InterruptedError:
                continue
            except OSError:  # it is no longer mounted
                return
            _, verb, number, node, *_ = _HEAD.unpack_from(asked)
            if verb not in (2, 36, 42):  # to forget a node or two, or to hurry: no reply is wanted
                self._reply(number, *self._answered(verb, node, asked[_HEAD.size :]))

    def _answered(self, verb: int, node: int, said: bytes) -> tuple[int, bytes]:
        try:
            return 0, self._answers[verb](node, said)
        except KeyError:
            return -errno.ENOSYS, b""
        except OSError as error:
            return -(error.errno or errno.EIO), b""

    def _reply(self, number: int, status: int, said: bytes) -> None:
        try:
            os.write(self._device, _REPLY.pack(_REPLY.size + len(said), status, number) + said)
        except FileNotFoundError:
            return  # nobody waits for it any more

    def _begin(self, node: int, said: bytes) -> bytes:
        del node, said
        return struct.pack("<IIIIHHII36x", 7, 31, _LARGEST, _FRESH, 16, 12, _LARGEST, 1)

    def _find(self, node: int, said: bytes) -> bytes:
        path = self._named(node, said.rstrip(b"\0"))
        seen = Path(path).lstat()
        self._paths[seen.st_ino] = path
        return struct.pack("<QQQQII", seen.st_ino, 0, 0, 0, 0, 0) + _described(seen)

    def _named(self, node: int, name: bytes) -> str:
        """Return the path of a name in a folder, in other letters where that is all there is."""
        folder, wanted = self._paths[node], os.fsdecode(name)
        names = [each.name for each in Path(folder).iterdir()] if self._any_case else []
        alike = [each for each in names if each.casefold() == wanted.casefold()]
        return str(Path(folder, alike[0] if alike and wanted not in names else wanted))

    def _describe(self, node: int, said: bytes) -> bytes:
        del said
        return bytes(16) + _described(Path(self._paths[node]).lstat())

    def _rename(self, node: int, said: bytes) -> bytes:
        (to,) = struct.unpack_from("<Q", said)
        old, new, _ = said[8:].split(b"\0")
        Path(self._named(node, old)).rename(Path(self._paths[to], os.fsdecode(new)))
        return b""

    def _open(self, node: int, said: bytes) -> bytes:
        del said
        return struct.pack("<QIi", os.open(self._paths[node], os.O_RDONLY), 0, 0)

    def _read(self, node: int, said: bytes) -> bytes:
        del node
        opened, start, size = struct.unpack_from("<QQI", said)
        return os.pread(opened, size, start)

    def _close(self, node: int, said: bytes) -> bytes:
        del node
        os.close(struct.unpack_from("<Q", said)[0])
        return b""

    def _open_folder(self, node: int, said: bytes) -> bytes:
        del said
        Path(self._paths[node]).stat()
        return bytes(16)

    def _close_folder(self, node: int, said: bytes) -> bytes:
        del node, said
        return b""

    def _list(self, node: int, said: bytes) -> bytes:
        _, start, size = struct.unpack_from("<QQI", said)
        out = b""
        for place, path in enumerate(sorted(Path(self._paths[node]).iterdir()), start=1):
            raw, seen = os.fsencode(path.name), path.lstat()
            entry = struct.pack(
                "<QQII", seen.st_ino, place, len(raw), stat.S_IFMT(seen.st_mode) >> 12
            )
            entry += raw.ljust(-(-len(raw) // 8) * 8, b"\0")
            if place <= start:
                continue
            if len(out) + len(entry) > size:
                break
            out += entry
        return out

    def _room(self, node: int, said: bytes) -> bytes:
        del node, said
        return struct.pack(
            "<QQQQQIIII24x", 1 << 20, 1 << 19, 1 << 19, 1000, 500, 4096, 255, 4096, 0
        )


def _described(seen: os.stat_result) -> bytes:
    times = (seen.st_atime_ns, seen.st_mtime_ns, seen.st_ctime_ns)
    return struct.pack(
        "<QQQQQQIIIIIIIIII",
        seen.st_ino,
        seen.st_size,
        seen.st_blocks,
        *(each // 10**9 for each in times),
        *(each % 10**9 for each in times),
        seen.st_mode,
        seen.st_nlink,
        seen.st_uid,
        seen.st_gid,
        0,
        4096,
        0,
    )


def _main(folder: str, place: str, *options: str) -> None:
    """Mount, serve, and let go when whoever started this closes the pipe or dies."""
    libc = ctypes.CDLL(None, use_errno=True)
    kind = next((each for each in options if each.startswith("fuse")), "fuse")
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        sys.stdout.write(f"{error.strerror}\n")
        return
    said = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other"
    where = os.fsencode(place)
    flags = ctypes.c_ulong(_NOT_SET_UID_OR_DEVICES)
    if libc.mount(b"drive", where, kind.encode(), flags, said.encode()) != 0:
        sys.stdout.write(f"{os.strerror(ctypes.get_errno())}\n")
        return
    threading.Thread(target=_let_go_in_the_end, args=(libc, where), daemon=True).start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    try:
        Drive(folder, device, any_case="any-case" in options).serve()
    finally:
        libc.umount2(where, _AT_ONCE)  # after a fault of ours nobody is to wait for an answer


def _let_go_in_the_end(libc: ctypes.CDLL, where: bytes) -> None:
    os.read(sys.stdin.fileno(), 1)  # nothing ever comes but the end
    libc.umount2(where, _AT_ONCE)


if __name__ == "__main__":
    _main(*sys.argv[1:])
