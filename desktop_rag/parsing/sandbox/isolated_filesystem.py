"""Looks at folders and files in a child process: a drive that doesn't answer holds up nobody else.

A read that waits for a dead network drive can't be ended, not even by a kill. So the process that
waits is left behind, and what lies on a drive that was silent several times is passed over at once.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from desktop_rag.core import filesystem
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.errors import FileProblem
from desktop_rag.core.filesystem import DirectoryEntry, FileInfo, Heartbeat, Skipped, Subfolder
from desktop_rag.core.types import FileStatus
from desktop_rag.parsing import file_problems
from desktop_rag.parsing.sandbox.child_process import ChildProcess

_MEGABYTES = 512
_LONGEST = 3600.0  # seconds for one request: a file's bytes may take long, as long as they come
_PULSE = 0.5  # seconds between two signs of life while a file is read
_TOGETHER = 500  # entries of a folder in one part of a reply
_PATIENCE = 3  # how often a drive may be silent until it is passed over
_PASSED_OVER = 300.0  # seconds for which it is
_LOOK = 0.05


def handle_request(request: bytes) -> Iterator[bytes]:
    """Do what is asked for, in the child; an OSError becomes its number and sentence."""
    verb, words = json.loads(request)
    try:
        yield from _VERBS[verb](*words)
    except OSError as error:
        yield json.dumps({"error": [error.errno or 0, error.strerror or ""]}).encode()


def _begin(start: str, root: str, is_free: bool) -> Iterator[bytes]:  # noqa: FBT001 - from JSON
    yield _plain(list(filesystem.start_entries(start, root, is_free=is_free)))


def _entries(folder: str, root: str, is_free: bool) -> Iterator[bytes]:  # noqa: FBT001
    held: list[DirectoryEntry] = []
    told = time.monotonic()
    for entry in filesystem.list_folder(folder, root, is_free=is_free):
        late = time.monotonic() - told > _PULSE
        if late or isinstance(entry, Heartbeat) or len(held) >= _TOGETHER:
            yield _plain(held)
            held, told = [], time.monotonic()
        if not isinstance(entry, Heartbeat):
            held.append(entry)
    yield _plain(held)


def _look(path: str) -> Iterator[bytes]:
    found = filesystem.stat_file(path)
    yield _plain([] if found is None else [found])


def _sizes(*paths: str) -> Iterator[bytes]:
    held, told = list[int](), time.monotonic()
    for path in paths:
        found = filesystem.stat_file(path)
        held.append(found.size if found else 0)
        if len(held) >= _TOGETHER or time.monotonic() - told > _PULSE:
            yield json.dumps(held).encode()
            held, told = [], time.monotonic()
    yield json.dumps(held).encode()


def _hash(path: str) -> Iterator[bytes]:
    made, told = hashlib.blake2b(digest_size=20), time.monotonic()
    for part in filesystem.file_bytes(path):
        made.update(part)
        if time.monotonic() - told > _PULSE:
            told = time.monotonic()
            yield b""
    yield json.dumps([made.hexdigest()]).encode()


def _away(path: str, is_folder: bool) -> Iterator[bytes]:  # noqa: FBT001 - from JSON
    yield json.dumps([filesystem.is_away(path, is_folder=is_folder)]).encode()


_VERBS: dict[str, Callable[..., Iterator[bytes]]] = {
    "begin": _begin, "entries": _entries, "look": _look, "sizes": _sizes, "hash": _hash,
    "away": _away,
}  # fmt: skip


def _plain(entries: Sequence[DirectoryEntry]) -> bytes:
    return json.dumps([[type(each).__name__, *_fields(each)] for each in entries]).encode()


def _fields(entry: DirectoryEntry) -> tuple[Any, ...]:
    if isinstance(entry, FileInfo):
        return entry.path, entry.size, entry.mtime_ns
    if isinstance(entry, Skipped):
        return entry.path, entry.is_link, entry.is_outside
    return (entry.path,)


_KINDS = {each.__name__: each for each in (FileInfo, Skipped, Subfolder)}


def _entry(kind: str, path: str, *rest: Any) -> DirectoryEntry:
    made: DirectoryEntry = _KINDS[kind](path, *rest)
    return made


@dataclass(slots=True)
class _Silence:
    """How often a drive was silent in a row, and when last."""

    times: int = 0
    last: float = 0.0


class IsolatedFileSystem:
    """A `filesystem.FileSystem` through one child process, for any thread.

    It is given up when it is silent for `seconds`. It can't look into the folders `shut`.
    """

    def __init__(self, seconds: float, shut: tuple[str, ...] = ()) -> None:
        self._seconds = seconds
        self._child = ChildProcess(handle_request, _LONGEST, _MEGABYTES, shut)
        self._turn = threading.Lock()
        self._silent: dict[str, _Silence] = {}

    def close(self) -> None:
        """End the process; harmless when called again."""
        with self._turn:
            self._child.stop()

    def begin(
        self, start: str, root: str, *, is_free: bool, token: CancelToken
    ) -> list[DirectoryEntry]:
        """See `FileSystem`."""
        rows = self._ask(start, ("begin", start, root, is_free), token)
        return [_entry(*row) for row in rows]

    def entries(
        self, folder: str, root: str, *, is_free: bool, token: CancelToken
    ) -> Iterator[DirectoryEntry]:
        """See `FileSystem`."""
        for row in self._ask(folder, ("entries", folder, root, is_free), token):
            yield _entry(*row)

    def look(self, path: str, token: CancelToken) -> FileInfo | None:
        """See `FileSystem`."""
        found = [_entry(*row) for row in self._ask(path, ("look", path), token)]
        return found[0] if found and isinstance(found[0], FileInfo) else None

    def sizes(self, paths: Sequence[str], token: CancelToken) -> list[int]:
        """See `FileSystem`."""
        known: list[int] = []
        if paths:
            try:
                known.extend(map(int, self._ask(paths[0], ("sizes", *paths), token)))
            except FileProblem:
                pass  # those that came before it count
        return known + [0] * (len(paths) - len(known))

    def content_hash(self, path: str, token: CancelToken) -> str:
        """See `FileSystem`."""
        (made,) = self._ask(path, ("hash", path), token)
        return str(made)

    def is_away(self, path: str, token: CancelToken, *, is_folder: bool) -> bool:
        """See `FileSystem`."""
        try:
            (away,) = self._ask(path, ("away", path, is_folder), token)
        except FileProblem:
            return True
        return bool(away)

    def _ask(self, path: str, words: tuple[Any, ...], token: CancelToken) -> Iterator[Any]:
        """Yield the values of a reply; raise what the system said, or that nobody answered."""
        self._require_voice(path)
        request = json.dumps([words[0], words[1:]]).encode()
        while not self._turn.acquire(timeout=_LOOK):
            token.check()
        failed: list[Any] = []
        try:
            for part in self._child.parts(request, token, silence=self._seconds):
                values = json.loads(part) if part else []
                if isinstance(values, dict):
                    failed = values["error"]
                else:
                    yield from values
        except FileProblem as problem:
            if problem.status is not FileStatus.TIMEOUT:
                raise
            drive = _drive(path)
            silence = self._silent.setdefault(drive, _Silence())
            silence.times, silence.last = silence.times + 1, time.monotonic()
            raise file_problems.drive_silent(self._seconds) from problem
        finally:
            self._turn.release()
        if self._silent:
            self._silent.pop(_drive(path), None)
        if failed:
            raise OSError(*failed, path)

    def _require_voice(self, path: str) -> None:
        """Raise a `FileProblem` for what lies on a drive that was silent several times."""
        if not self._silent:
            return
        drive = _drive(path)
        silence = self._silent.get(drive)
        if silence is None or silence.times < _PATIENCE:
            return
        if time.monotonic() - silence.last < _PASSED_OVER:
            raise file_problems.drive_silent(self._seconds)
        del self._silent[drive]


def _drive(path: str) -> str:
    """Return where the drive of a path is mounted; the list of mounts is read, no drive asked."""
    try:
        places = [part.mountpoint for part in psutil.disk_partitions(all=True)]
    except (OSError, psutil.Error):
        return ""
    return max(
        (place for place in places if filesystem.is_at_or_below(path, place)), key=len, default=""
    )
