"""Folders and files as the system shows them: what there is, how large, of which content.

Nothing here knows which files count. A `FileSystem` is how they are got at: in this process
(`LocalFileSystem`), or through one that may be left behind where a drive does not answer.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from desktop_rag.core.cancel import CancelToken

_PART = 1 << 20
# Without them a pipe without a writer, or a terminal, would hold up whoever opens it.
_HOW = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_HOW |= getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_LATEST = (1 << 63) - 1  # nanoseconds that the catalog can hold: until the year 2262

IGNORED = (
    ".*",  # hidden files and folders, .git and .DS_Store among them
    "node_modules",
    "__pycache__",
    "$RECYCLE.BIN",
    "System Volume Information",
    "lost+found",
    "~$*",  # Office's lock files
    "*~",
    "*.tmp",
    "*.temp",
    "*.part",
    "*.partial",
    "*.crdownload",
    "*.download",
    "*.swp",
    "Thumbs.db",
    "desktop.ini",
)
"""Names of files and folders that nobody means when they add a folder, or an archive."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """A file, as a look at its folder shows it."""

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A folder that was not entered, or a file that was passed over.

    It may not be read, is a link to a folder or (`is_outside`) to a file elsewhere, or lies on a
    drive that does not answer (`is_silent`).
    """

    path: str
    is_link: bool
    is_outside: bool = False
    is_silent: bool = False


@dataclass(frozen=True, slots=True)
class Subfolder:
    """A folder whose entries have still to be asked for."""

    path: str


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing yet: what comes next may take long, or never come."""


DirectoryEntry = FileInfo | Skipped | Subfolder


class FileSystem(Protocol):
    """How folders and files are got at. Each raises a `FileProblem` where nobody answers."""

    def begin(
        self, start: str, root: str, *, is_free: bool, token: CancelToken
    ) -> list[DirectoryEntry]:
        """Return what `start` is; see `start_entries`."""

    def entries(
        self, folder: str, root: str, *, is_free: bool, token: CancelToken
    ) -> Iterator[DirectoryEntry]:
        """Yield what is in a folder; see `list_folder`."""

    def look(self, path: str, token: CancelToken) -> FileInfo | None:
        """Return a file as it is now; see `stat_file`."""

    def sizes(self, paths: Sequence[str], token: CancelToken) -> list[int]:
        """Return the files' bytes, 0 where there is none; nothing is raised."""

    def content_hash(self, path: str, token: CancelToken) -> str:
        """Return the hash of a file's bytes; an OSError when it can't be read."""

    def is_away(self, path: str, token: CancelToken, *, is_folder: bool) -> bool:
        """Say whether a folder or file can't be reached now; nothing is raised."""


def start_entries(start: str, root: str, *, is_free: bool) -> Iterator[DirectoryEntry]:
    """Yield what `start` is that lies in `root` or is it: a file, or a folder to be entered."""
    is_folder = Path(start).is_dir()
    if start != root:
        if is_folder and Path(start).is_symlink():
            yield Skipped(start, is_link=True)
            return
        if not is_free and _leads_out(start, root):
            if Path(start).exists():
                yield Skipped(start, is_link=True, is_outside=True)
            return
    if is_folder:
        yield Subfolder(start)
    else:
        yield from _listed(start)


def list_folder(folder: str, root: str, *, is_free: bool) -> Iterator[DirectoryEntry | Heartbeat]:
    """Yield what is in a folder, links last: what they lead to may not answer."""
    with os.scandir(folder) as listed:
        found = sorted(listed, key=_name)
    for entry in found:
        if entry.is_dir(follow_symlinks=False):
            yield Subfolder(entry.path)
        elif not entry.is_symlink():
            yield from _file(entry.path)
    for entry in found:
        if not entry.is_symlink():
            continue
        yield Heartbeat()
        if Path(entry.path).is_dir():
            yield Skipped(entry.path, is_link=True)
        elif is_free or not _leads_out(entry.path, root):
            yield from _file(entry.path)
        elif Path(entry.path).is_file():
            yield Skipped(entry.path, is_link=True, is_outside=True)


def _leads_out(path: str, root: str) -> bool:
    """Say whether what a path leads to, by whatever links, lies outside a folder."""
    return not is_at_or_below(os.path.realpath(path), os.path.realpath(root))


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _listed(path: str) -> Iterator[FileInfo | Skipped]:
    """Yield a file under the name that its folder lists, no other that leads to it.

    Where upper and lower case are one, a file that was renamed in its case is found by its old name
    as well, and must not stand there twice.
    """
    this = Path(path)
    other = this.with_name(this.name.swapcase())
    try:
        is_here = other == this or not this.samefile(other) or this.name in _names_in(this.parent)
    except OSError:  # no other letters lead to it, or the folder is closed
        is_here = True
    if is_here:
        yield from _file(path)


def _names_in(folder: Path) -> frozenset[str]:
    return _names_since(folder, folder.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _names_since(folder: Path, changed: int) -> frozenset[str]:
    """Return a folder's names; of a burst of files in one folder it is listed once."""
    del changed  # a part of what the answer is kept under
    return frozenset(os.listdir(folder))  # noqa: PTH208 - names, not paths


def _file(path: str) -> Iterator[FileInfo | Skipped]:
    """Yield a regular file or one that a link leads to; nothing for anything else."""
    try:
        seen = Path(path).stat()
    except PermissionError:
        yield Skipped(path, is_link=False)
    except (OSError, ValueError):
        return  # it has gone since, or is a link to nothing
    else:
        if stat.S_ISREG(seen.st_mode):
            yield FileInfo(path, seen.st_size, min(max(seen.st_mtime_ns, -_LATEST), _LATEST))


def stat_file(path: str) -> FileInfo | None:
    """Return a file as it is now, None when it is gone, closed to us or no regular file."""
    found = next(_file(path), None)
    return found if isinstance(found, FileInfo) else None


def is_at_or_below(path: str, folder: str) -> bool:
    """Say whether a path is `folder` or lies below it, by whole components."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def is_away(path: str, *, is_folder: bool) -> bool:
    """Say whether a folder or file cannot be reached now, as on a drive that is not plugged in.

    Then nothing is known of its files: they are not deleted. A single file is away only with its
    folder. An empty mount point counts as away too.
    """
    root = path if is_folder else str(Path(path).parent)
    try:
        with os.scandir(root) as entries:
            is_empty = next(entries, None) is None
    except (PermissionError, NotADirectoryError):
        return False
    except OSError:
        return True
    return is_empty and _is_drive_place(root) and not os.path.ismount(root)


def _is_drive_place(path: str) -> bool:
    """Say whether removable drives are mounted here: an empty folder means none is."""
    return re.fullmatch(r"(/run)?/media/[^/]+(/[^/]+)?|/mnt/[^/]+|/Volumes/[^/]+", path) is not None


def file_bytes(path: str) -> Iterator[bytes]:
    """Yield a file's bytes; an OSError when it can't be read, `FileNotFoundError` when it is none.

    What lies there is looked at after it was opened: it may not be what it was a moment ago.
    """
    number = os.open(path, _HOW)
    with os.fdopen(number, "rb") as file:
        if not stat.S_ISREG(os.fstat(number).st_mode):
            raise FileNotFoundError(errno.ENOENT, "It is no file", path)
        while part := file.read(_PART):
            yield part


def content_hash(path: str, token: CancelToken) -> str:
    """Return the hash of a file's bytes; an OSError when it can't be read."""
    made = hashlib.blake2b(digest_size=20)
    for part in file_bytes(path):
        token.check()
        made.update(part)
    return made.hexdigest()


class LocalFileSystem:
    """A `FileSystem` in this process: for what must not wait for a child's start."""

    def begin(
        self, start: str, root: str, *, is_free: bool, token: CancelToken
    ) -> list[DirectoryEntry]:
        """See `FileSystem`."""
        del token
        return list(start_entries(start, root, is_free=is_free))

    def entries(
        self, folder: str, root: str, *, is_free: bool, token: CancelToken
    ) -> Iterator[DirectoryEntry]:
        """See `FileSystem`."""
        del token
        found = list_folder(folder, root, is_free=is_free)
        return (each for each in found if not isinstance(each, Heartbeat))

    def look(self, path: str, token: CancelToken) -> FileInfo | None:
        """See `FileSystem`."""
        del token
        return stat_file(path)

    def sizes(self, paths: Sequence[str], token: CancelToken) -> list[int]:
        """See `FileSystem`."""
        return [found.size if (found := self.look(path, token)) else 0 for path in paths]

    def content_hash(self, path: str, token: CancelToken) -> str:
        """See `FileSystem`."""
        return content_hash(path, token)

    def is_away(self, path: str, token: CancelToken, *, is_folder: bool) -> bool:
        """See `FileSystem`."""
        del token
        return is_away(path, is_folder=is_folder)
