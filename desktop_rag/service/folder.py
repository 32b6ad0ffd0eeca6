"""The files by which processes agree who owns a data folder: a lock, an address, a key.

The lock is the operating system's, so it ends with its process; the address is only a hint, and
is worthless without the key, which only the user can read.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from desktop_rag.core.errors import OwnedElsewhere, UserError, full_disk
from desktop_rag.core.paths import make_private

_LOCK, _ADDRESS, _KEY = "owner.lock", "owner.json", "owner.key"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the owner listens. `kind` is `window` or `command`."""

    address: str
    pid: int
    kind: str
    protocol: int


class FolderLock:
    """The right to open one data folder; one process holds it at a time."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = make_folder(data_dir)
        self._lock = FileLock(self.data_dir / _LOCK, mode=0o600, thread_local=False)

    def acquire(self) -> bool:
        """Take the lock if it is free; never waits."""
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            return False
        except (OSError, NotImplementedError) as error:
            raise _unusable(self.data_dir, error) from error
        return True

    def release(self) -> None:
        """Give the lock back."""
        self._lock.release()


def make_folder(data_dir: Path) -> Path:
    """Create the data folder for its user alone; a `UserError` where that can't be done."""
    try:
        return make_private(data_dir)
    except OSError as error:
        raise _unusable(data_dir, error) from error


def key_of(data_dir: Path) -> bytes:
    """Return the secret that owner and clients share, made at first use (mode 0600)."""
    path = data_dir / _KEY
    try:
        return path.read_bytes()
    except FileNotFoundError:
        with suppress(FileExistsError):  # another start was quicker: its key is everybody's
            _write_private(path, secrets.token_bytes(32), is_first=True)
        return path.read_bytes()


def publish(data_dir: Path, address: Address) -> None:
    """Write down where the owner listens; what a kill left of an earlier try goes."""
    for left in data_dir.glob(f"{_ADDRESS}.*.new"):
        left.unlink(missing_ok=True)
    values = {
        "address": address.address,
        "pid": address.pid,
        "kind": address.kind,
        "protocol": address.protocol,
    }
    _write_private(data_dir / _ADDRESS, json.dumps(values).encode())


def published(data_dir: Path) -> Address | None:
    """Return where the last owner listened, None when nobody wrote it or it can't be read."""
    try:
        values: Any = json.loads((data_dir / _ADDRESS).read_bytes())
        return Address(
            str(values["address"]), int(values["pid"]), str(values["kind"]), int(values["protocol"])
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def withdraw(data_dir: Path) -> None:
    """Take the address back."""
    (data_dir / _ADDRESS).unlink(missing_ok=True)


def new_address(data_dir: Path) -> str:
    """Return a fresh address for the owner of a folder: a socket's path, or a pipe's name."""
    name = hashlib.sha256(os.fsencode(data_dir.resolve())).hexdigest()[:16]
    if os.name == "nt":
        return rf"\\.\pipe\desktop-rag-{name}-{secrets.token_hex(8)}"
    path = _runtime_folder() / f"{name}.sock"
    path.unlink(missing_ok=True)
    return str(path)


def silent(data_dir: Path) -> OwnedElsewhere:
    """Return the error for an owner that holds the lock and does not answer."""
    known = published(data_dir)
    process = f" (process {known.pid})" if known else ""
    return OwnedElsewhere(
        f"Another Desktop RAG{process} has {data_dir} open and does not answer.",
        "Close it, then run this again.",
        address=known.address if known else None,
    )


def _runtime_folder() -> Path:
    """Return a folder for sockets that belongs to this user alone.

    Raises `UserError` when somebody else made it first: then nothing in it can be trusted.
    """
    user = os.getuid()
    named = os.environ.get("XDG_RUNTIME_DIR")
    base = named if named and Path(named).is_dir() else tempfile.gettempdir()
    if len(base) > 60:  # a socket's path may have 104 bytes (macOS), 108 (Linux)
        base = "/tmp"  # noqa: S108  (the folder made in it is checked below)
    folder = Path(base) / f"desktop-rag-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != user:
        raise UserError(f"{folder} belongs to somebody else.", "Remove it, then run this again.")
    folder.chmod(0o700)
    return folder


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
        f"The data folder {data_dir} can't be used: {reason}.",
        "Name a folder that you may write to with --data-dir.",
    )
