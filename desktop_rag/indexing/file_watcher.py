"""Waits for changes below followed folders and gives them in batches, when they have settled.

Says only which paths changed; what that means is found out by comparing them with the catalog.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from watchdog.events import (
    EVENT_TYPE_CLOSED_NO_WRITE,
    EVENT_TYPE_DELETED,
    EVENT_TYPE_MODIFIED,
    EVENT_TYPE_OPENED,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.filesystem import is_at_or_below
from desktop_rag.indexing.scan import Scope

_log = logging.getLogger(__name__)

_READING = (EVENT_TYPE_OPENED, EVENT_TYPE_CLOSED_NO_WRITE)  # what our own parsers cause
_NETWORK = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "fuse.rclone", "vboxsf", "afpfs")


@dataclass(frozen=True, slots=True)
class Debounce:
    """How long changes are waited for, in seconds.

    A path is given when nothing happened to it for `quiet`, together with the others once all are
    quiet, or after `longest` without them; one that never rests is given after `restless`. From
    `flood` changes on, whole folders are looked through: the system may have dropped some.
    """

    quiet: float = 0.5
    longest: float = 5.0
    restless: float = 60.0
    tick: float = 0.1
    poll: float = 60.0
    flood: int = 4000


@dataclass(slots=True)
class _Followed:
    """A folder that is listened to, or (no watch) looked through from time to time.

    `identity` tells a folder from one that came in its place; None while it is away.
    """

    identity: tuple[int, int] | None
    watch: ObservedWatch | None
    looked: float


class Watcher:
    """Follows the sources of a scope until closed.

    Folders that give no events (network drives) or that cannot be watched are looked through every
    `pace.poll` seconds; with `poll_all` every folder is. One that was away is looked through when
    it is back. Whoever waits calls `stirred` when something begins to change: what is needed to
    read it can be started while it settles.
    """

    def __init__(
        self,
        pace: Debounce | None = None,
        *,
        poll_all: bool = False,
        stirred: Callable[[], None] | None = None,
    ) -> None:
        self._pace = pace or Debounce()
        self._stirred = stirred
        self._is_calm = True
        self._poll_all = poll_all
        self._changes = _Changes(self._pace)
        self._observer: BaseObserver = Observer()
        self._observer.start()
        self._followed: dict[tuple[str, bool], _Followed] = {}

    def follow(self, scope: Scope) -> None:
        """Watch exactly this scope from now on; what changed before is the caller's to find."""
        self._changes.counts = scope.covers
        wanted = {
            (source.path, True) if source.is_folder else (str(Path(source.path).parent), False)
            for source in scope.sources
        }
        for place in self._followed.keys() - wanted:
            self._let_go(self._followed.pop(place))
        for place in wanted - self._followed.keys():
            self._followed[place] = self._listen(place)

    def wait(self, token: CancelToken, seconds: float) -> tuple[str, ...]:
        """Return the paths that changed and settled, after at most `seconds`; maybe none."""
        end = time.monotonic() + seconds
        while not token.wait(self._pace.tick):
            now = time.monotonic()
            self._tell_stirred()
            if self._changes.flooded():
                return tuple(folder for folder, _ in self._followed)
            changed = (*self._changes.settled(now), *self._due(now))
            if changed or now >= end:
                self._is_calm |= bool(changed)
                return tuple(dict.fromkeys(changed))
        return ()

    def _tell_stirred(self) -> None:
        was_calm, self._is_calm = self._is_calm, self._changes.none()
        if was_calm and not self._is_calm and self._stirred is not None:
            self._stirred()

    def close(self) -> None:
        """Stop the threads that listen, and wait for their end."""
        self._observer.stop()
        self._observer.join()

    def _listen(self, place: tuple[str, bool]) -> _Followed:
        """Ask the system for a folder's events, where it gives any."""
        folder, deep = place
        identity, now = _identity(folder), time.monotonic()
        if identity is None or self._poll_all or _is_remote(folder):
            return _Followed(identity, None, now)
        try:
            watch = self._observer.schedule(self._changes, folder, recursive=deep)
        except OSError as problem:  # most likely the system's limit of watches
            _log.warning("no events from %r, it is polled: %s", folder, problem)
            return _Followed(identity, None, now)
        return _Followed(identity, watch, now)

    def _let_go(self, followed: _Followed) -> None:
        if followed.watch is not None:
            self._observer.unschedule(followed.watch)

    def _due(self, now: float) -> list[str]:
        """Return the folders to be looked through: polled ones, and those that are back."""
        due = []
        deleted = self._changes.deleted()
        for place, followed in list(self._followed.items()):
            identity = _identity(place[0])
            is_other = identity != followed.identity or place[0] in deleted
            is_back = identity is not None and is_other
            if is_other:
                self._let_go(followed)
                followed = self._followed[place] = self._listen(place)  # noqa: PLW2901
            is_polled = followed.watch is None and identity is not None
            if is_back or (is_polled and now - followed.looked >= self._pace.poll):
                followed.looked = now
                due.append(place[0])
        return due


class _Changes(FileSystemEventHandler):
    """The paths that something happened to, with when it first and last did. Any thread."""

    def __init__(self, pace: Debounce) -> None:
        self.counts: Callable[[str], bool] = bool
        self._pace = pace
        self._lock = threading.Lock()
        self._times: dict[str, tuple[float, float]] = {}
        self._deleted: set[str] = set()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note what an event is about; a folder's `modified` only repeats its entries' events."""
        if event.event_type in _READING:
            return
        if event.is_directory and event.event_type == EVENT_TYPE_MODIFIED:
            return
        if event.is_directory and event.event_type == EVENT_TYPE_DELETED:
            with self._lock:
                self._deleted.add(os.fsdecode(event.src_path))
        for path in map(os.fsdecode, (event.src_path, event.dest_path)):
            if path and self.counts(path):
                self._note(path, time.monotonic())

    def none(self) -> bool:
        """Say whether nothing changed that was not given yet."""
        with self._lock:
            return not self._times

    def flooded(self) -> bool:
        """Say whether there were too many changes to trust that none is missing; forget them."""
        with self._lock:
            flooded = len(self._times) >= self._pace.flood
            if flooded:
                self._times.clear()
            return flooded

    def deleted(self) -> set[str]:
        """Take out the folders that were deleted; others may have come in their places."""
        with self._lock:
            deleted, self._deleted = self._deleted, set()
        return deleted

    def settled(self, now: float) -> list[str]:
        """Take out the paths that have come to rest, if it is time for a batch."""
        pace = self._pace
        with self._lock:
            ripe = {
                path: last
                for path, (first, last) in self._times.items()
                if now - last >= pace.quiet or now - first >= pace.restless
            }
            waited = now - min(ripe.values(), default=now)
            if len(ripe) < len(self._times) and waited < pace.longest:
                return []
            for path in ripe:
                del self._times[path]
        return sorted(ripe)

    def _note(self, path: str, now: float) -> None:
        with self._lock:
            first, _ = self._times.get(path, (now, now))
            self._times[path] = (first, now)


def _identity(folder: str) -> tuple[int, int] | None:
    try:
        seen = Path(folder).stat()
    except OSError:
        return None
    return seen.st_dev, seen.st_ino


def _is_remote(folder: str) -> bool:
    """Say whether a folder lies on a network drive, whose changes the system does not see."""
    drives = [
        part for part in psutil.disk_partitions(all=True) if is_at_or_below(folder, part.mountpoint)
    ]
    nearest = max(drives, key=_depth, default=None)
    if nearest is None:
        return False
    return nearest.fstype.startswith(_NETWORK) or "remote" in nearest.opts.split(",")


def _depth(partition: object) -> int:
    return len(str(getattr(partition, "mountpoint", "")))
