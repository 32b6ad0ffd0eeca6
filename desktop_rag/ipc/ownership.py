"""The files by which processes agree who owns a data folder: a lock, an address, a key.

The lock is the operating system's, so it ends with its process; the address is only a hint, and
is worthless without the key, which only the user can read.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import secrets
import socket
import stat
import tempfile
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from desktop_rag.core.errors import OwnedElsewhere, UserError, full_disk
from desktop_rag.core.paths import make_private
from desktop_rag.core.phrases import Phrase

_LOCK, _ADDRESS, _KEY, _SOCKET = "owner.lock", "owner.json", "owner.key", "owner.sock"
_KEY_BYTES = 32
_MADE = "desktop-rag-socket-"
_LONGEST_FOLDER = 60  # bytes, before a made folder's name and the socket's
_BACKLOG = 16
_LONGEST_ADDRESS = 8192  # bytes of the file
_ANSWER_SECONDS = 2.0
_Identity = tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class OwnerAddress:
    """Where the owner listens. `kind` is `window` or `command`."""

    address: str
    pid: int
    kind: str
    protocol: int


class FolderLock:
    """The right to open one data folder; one process holds it at a time.

    It is two locks, of a file and, where the system has such, of the folder itself: the file may be
    deleted under its owner, the folder only with all that lies in it.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = make_folder(data_dir)
        self._path = self.data_dir / _LOCK
        self._lock = FileLock(self._path, mode=0o600, thread_local=False)
        self._folder: int | None = None
        self._taken: list[_Identity] = []
        self._asking = threading.Lock()
        self.is_lost = False

    def acquire(self) -> bool:
        """Take the lock if it is free; never waits."""
        with self._asking:
            if self.is_lost or not self._take():
                return False
            if _is_answered(self.data_dir):  # its file is not the one that the owner locked
                self._let_go()
                return False
            return True

    def require(self) -> None:
        """Make sure, before anything is written, that the folder is still this process's own.

        A file that was deleted or replaced is locked anew. Raises `OwnedElsewhere`, then and ever
        after, where another process has the folder.
        """
        with self._asking:
            if not self.is_lost and self._taken != _identities(self.data_dir, self._path):
                self.is_lost = not self._take_again()
            if self.is_lost:
                raise OwnedElsewhere(
                    Phrase(
                        "Another Desktop RAG has taken over the data folder {0}.", self.data_dir
                    ),
                    "Close this one: it writes nothing any more.",
                )

    def release(self) -> None:
        """Give the lock back."""
        with self._asking:
            self._let_go()

    def _take(self) -> bool:
        try:
            self._folder = _locked_folder(self.data_dir)
            if self._path.is_symlink():  # no version makes one, and none could lock it
                self._path.unlink()
            self._lock.acquire(timeout=0)
        except (Timeout, BlockingIOError):
            self._let_go()
            return False
        except (OSError, NotImplementedError) as error:
            self._let_go()
            raise _unusable(self.data_dir, error) from error
        self._taken = _identities(self.data_dir, self._path)
        return True

    def _take_again(self) -> bool:
        """Lock what lies there now; False where another process was quicker."""
        kept = self._folder is not None and self._taken[:1] == _identities(self.data_dir)
        if not kept:
            self._let_go()
            return self._take()
        self._lock.release()
        with suppress(Timeout, OSError):  # another start may just be looking: the next time, then
            self._lock.acquire(timeout=0)
            self._taken = _identities(self.data_dir, self._path)
            return True
        known = read_address(self.data_dir)  # an earlier version knows the file's lock alone
        return known is None or known.pid == os.getpid()

    def _let_go(self) -> None:
        self._lock.release()
        self._taken = [None]  # nothing is held, whatever lies there
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None


def make_folder(data_dir: Path) -> Path:
    """Create the data folder for its user alone; a `UserError` where that can't be done."""
    try:
        return make_private(data_dir)
    except OSError as error:
        raise _unusable(data_dir, error) from error


def shared_key(data_dir: Path) -> bytes:
    """Return the secret that owner and clients share, made at first use (mode 0600)."""
    path = data_dir / _KEY
    try:
        key = path.read_bytes()
        if len(key) == _KEY_BYTES:
            return key
        path.unlink()  # what anybody could guess, as nothing at all, proves nothing
    except FileNotFoundError:
        pass
    with suppress(FileExistsError):  # another start was quicker: its key is everybody's
        _write_private(path, secrets.token_bytes(_KEY_BYTES), is_first=True)
    return path.read_bytes()


def write_address(data_dir: Path, address: OwnerAddress) -> None:
    """Write down where the owner listens; what a kill left of an earlier try goes."""
    for left in data_dir.glob(f"{_ADDRESS}.*.new"):
        left.unlink(missing_ok=True)
    values = {
        "address": address.address,
        "pid": address.pid,
        "kind": address.kind,
        "protocol": address.protocol,
        "folder": _places(data_dir),
    }
    _write_private(data_dir / _ADDRESS, json.dumps(values).encode())


def read_address(data_dir: Path) -> OwnerAddress | None:
    """Return where the last owner listened, None when nobody wrote it or it can't be read."""
    try:
        with (data_dir / _ADDRESS).open("rb") as file:
            values: Any = json.loads(file.read(_LONGEST_ADDRESS))
        if not set(values.get("folder") or _places(data_dir)) & set(_places(data_dir)):
            return None  # it came with a copy of another folder, whose owner may be alive
        return OwnerAddress(
            str(values["address"]), int(values["pid"]), str(values["kind"]), int(values["protocol"])
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _places(data_dir: Path) -> list[str]:
    """Return by what a folder is known again: its place, and its number on its drive."""
    seen = data_dir.stat()
    return [str(data_dir.resolve()), f"{seen.st_dev}:{seen.st_ino}"]


def remove_address(data_dir: Path, address: str) -> None:
    """Take an address back, if it is still the one that is published, and what lay around it."""
    known = read_address(data_dir)
    if known is not None and known.address == address:
        (data_dir / _ADDRESS).unlink(missing_ok=True)
    _remove(address)


def open_listener(data_dir: Path) -> Listener:
    """Listen for this user's other starts: on a socket, or a pipe of Windows.

    Names that others hold, and places where no socket can be, are passed over: a fresh folder
    with a name that nobody knows before is the last resort.
    """
    name = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    if os.name == "nt":
        return Listener(rf"\\.\pipe\desktop-rag-{name}-{secrets.token_hex(8)}", backlog=_BACKLOG)
    if (left := read_address(data_dir)) is not None:
        _remove(left.address)
    places = (_runtime_folder(), f"{name}.sock"), (data_dir.resolve(), _SOCKET)
    for place, called in places:
        if place is not None and is_private(place):
            with suppress(OSError):
                (place / called).unlink(missing_ok=True)
                return _listening(place / called)
    try:
        made = tempfile.mkdtemp(prefix=_MADE, dir=_short(tempfile.gettempdir()))
        return _listening(Path(made) / _SOCKET)
    except OSError as error:
        raise UserError(
            Phrase(
                "No socket can be made for the data folder {0}: {1}.",
                data_dir,
                error.strerror or error,
            ),
            "Let XDG_RUNTIME_DIR name a folder that only you can enter.",
        ) from error


def is_trusted(address: str) -> bool:
    """Say whether only this user can have made what listens at an address."""
    if os.name == "nt":  # the pipe's name is random, and the key is proved on it
        return True
    path = Path(address)
    try:
        found = path.lstat()
    except (OSError, ValueError):  # a name that none can have is one
        return False
    is_ours = stat.S_ISSOCK(found.st_mode) and found.st_uid == os.getuid()
    return is_ours and is_private(path.parent)


def is_private(place: Path) -> bool:
    """Say whether a folder is this user's own, no link, and closed to everybody else."""
    try:
        found = place.lstat()
    except OSError:
        return False
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
    return is_ours and not stat.S_IMODE(found.st_mode) & 0o077


def owner_silent(data_dir: Path) -> OwnedElsewhere:
    """Return the error for an owner that holds the lock and does not answer."""
    known = read_address(data_dir)
    process = Phrase(" (process {0})", known.pid) if known else ""
    return OwnedElsewhere(
        Phrase("Another Desktop RAG{0} has {1} open and does not answer.", process, data_dir),
        "Close it, then run this again.",
        address=known.address if known else None,
    )


def _runtime_folder() -> Path | None:
    """Return our folder in the one that the session has for sockets; None where there is none."""
    named = os.environ.get("XDG_RUNTIME_DIR")
    if not named:
        return None
    folder = Path(named) / f"desktop-rag-{os.getuid()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _short(folder: str) -> str:
    """Return a folder for a socket whose path has at most 104 bytes (macOS), 108 (Linux)."""
    return folder if len(os.fsencode(folder)) <= _LONGEST_FOLDER else "/tmp"  # noqa: S108


def _listening(path: Path) -> Listener:
    """Listen on a socket; an OSError where none can be, as by a path that is too long."""
    made = Listener(str(path), backlog=_BACKLOG)
    path.chmod(0o600)
    return made


def _remove(address: str) -> None:
    """Remove a socket that nobody listens on any more, and the folder that was made for it."""
    if os.name == "nt":
        return
    path = Path(address)
    if path.name.endswith(".sock") and is_trusted(address):
        path.unlink(missing_ok=True)
    if path.parent.name.startswith(_MADE) and is_private(path.parent):
        with suppress(OSError):
            path.parent.rmdir()


def _is_answered(data_dir: Path) -> bool:
    """Say whether an owner is alive where the last one listened; one that hangs is, too."""
    known = read_address(data_dir)
    if os.name == "nt" or known is None or not is_trusted(known.address):
        return False
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(_ANSWER_SECONDS)
        try:
            asking.connect(known.address)
        except (TimeoutError, BlockingIOError):  # so many wait already
            return True
        except OSError:
            return False
    return True


def _locked_folder(data_dir: Path) -> int | None:
    """Lock the folder itself and return its descriptor; None where the system can't.

    Raises `BlockingIOError` where another process holds it.
    """
    if os.name == "nt":
        return None
    import fcntl

    descriptor = os.open(data_dir, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(descriptor)
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            raise BlockingIOError(error.errno, "locked") from error
        return None  # as on a network drive: the file's lock has to do
    return descriptor


def _identities(*paths: Path) -> list[_Identity]:
    """Return which files lie at paths now; Windows lets nobody delete a file that is locked."""
    if os.name == "nt":
        return []
    found: list[_Identity] = []
    for path in paths:
        try:
            seen = path.stat()
            found.append((seen.st_dev, seen.st_ino))
        except OSError:
            found.append(None)
    return found


def _write_private(path: Path, content: bytes, *, is_first: bool = False) -> None:
    """Replace a file at once by one that only the user can read; leave none half written.

    With `is_first`, raises FileExistsError instead of replacing one.
    """
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(6)}.new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        if not (is_first and _linked(fresh, path)):
            fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _linked(fresh: Path, path: Path) -> bool:
    """Give a file its name unless there is one (FileExistsError); False where links can't be."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        raise
    except OSError:  # as on a FAT drive
        return False
    return True


def _unusable(data_dir: Path, error: Exception) -> UserError:
    if full := full_disk(error):
        return full
    reason = getattr(error, "strerror", None) or str(error)
    return UserError(
        Phrase("The data folder {0} can't be used: {1}.", data_dir, reason),
        "Name a folder that you may write to with --data-dir.",
    )
