"""Copies of the catalog: what cannot be made again, at one moment, in a file beside it.

catalog.copy-<time>.sqlite   at most two; only whole ones have the name

Vectors and what the indexes must be told are left out: both are made again from the rest. So are
drafts. Whatever is erased from the catalog may stand in a copy: all copies go with it, and a new
one is made soon after (`CopyScheduler`). A kill between the two is seen at the next start.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop_rag.core.errors import UserError
from desktop_rag.core.phrases import Phrase

_log = logging.getLogger(__name__)
Check = Callable[[], None]

MOST = 2
"""The copies that are kept."""
_LEFT_OUT = ("embeddings", "outbox", "outbox_readers", "drafts", "sqlite_sequence")
_PER_STEP = 200  # rows; between two steps others get at the disk, and a stop is heard
_PAUSE = 0.002  # seconds
_SPARE = 500_000_000  # bytes that a copy leaves free
_HOUR, _DAY = 3_600.0, 86_400.0
_CHANGING = {
    "messages": "now.text IS NOT old.text OR now.payload IS NOT old.payload",
    "notes": "now.text IS NOT old.text OR now.payload IS NOT old.payload",
}


def loggable(error: Exception) -> str:
    """Return what may stand of an error in the log: SQLite's own words may quote a row's text."""
    return str(error) if isinstance(error, UserError) else type(error).__name__


def _modified(file: Path) -> float:
    """Return when a file was written; 0 where it is gone, as another thread may delete it."""
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        return 0.0


class StoppedError(Exception):
    """A copy was given up: what it would hold was being erased, or the program ends."""


@dataclass(frozen=True, slots=True)
class LackingRoom:
    """A drive with too few free bytes for a copy."""

    free: int
    wanted: int

    @property
    def text(self) -> str:
        """The lack as a sentence."""
        return Phrase(
            "There is no room for a copy of the catalog: {0} GB are free, and {1} GB are wanted.",
            f"{self.free / 1e9:.1f}",
            f"{self.wanted / 1e9:.1f}",
        )


class Copies:
    """The copies of one catalog. May be used from every thread."""

    def __init__(self, catalog: Path) -> None:
        self._catalog = catalog
        self._draft = catalog.with_name(f"{catalog.stem}.copy.new")
        self._making = threading.Lock()
        self._unwanted = threading.Event()
        self.wanted = threading.Event()
        """Set when the copies went with something erased: a new one is due soon."""

    def all(self) -> list[Path]:
        """Return the copies, oldest first."""
        pattern = f"{self._catalog.stem}.copy-*{self._catalog.suffix}"
        return sorted(self._catalog.parent.glob(pattern))

    def forget(self) -> None:
        """Delete every copy, and stop the one that is being made: they may hold what was erased."""
        self._unwanted.set()
        with self._making:
            had = self.all()
            for copy in had:
                copy.unlink(missing_ok=True)
            self._draft.unlink(missing_ok=True)
            self._unwanted.clear()
        if had:
            self.wanted.set()

    def is_due(self, seconds: float) -> bool:
        """Say whether the catalog changed since the newest copy, and that one is as old as that."""
        made = self.made()
        return not made or (self._changed() > made and time.time() - made > seconds)

    def made(self) -> float:
        """Return when the newest copy was made, in seconds since 1970; 0 where there is none."""
        return max(map(_modified, self.all()), default=0.0)

    def lacking_room(self) -> LackingRoom | None:
        """Return why no copy can be made on this drive, if none can."""
        wanted = self.size() + _SPARE
        free = shutil.disk_usage(self._catalog.parent).free
        return LackingRoom(free, wanted) if free < wanted else None

    def size(self) -> int:
        """Return how large a copy can be at most, in bytes."""
        return self._catalog.stat().st_size if self._catalog.exists() else 0

    def make(self, check: Check = lambda: None) -> Path:
        """Make a copy and return it. Of the older ones one stays: the last that is a day older.

        Raises `StoppedError` when something was erased meanwhile, what `check` raises between two
        steps, and a `UserError` where the drive has no room or the catalog can't be read.
        """
        if lacking := self.lacking_room():
            raise UserError(lacking.text, "Make room on the drive.", retryable=True)
        with self._making:
            try:
                self._write(check)
                name = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
                copy = self._draft.with_name(f"{self._catalog.stem}.copy-{name}.sqlite")
                self._draft.replace(copy)
            finally:
                self._draft.unlink(missing_ok=True)
            self._thin_out()
            return copy

    def _thin_out(self) -> None:
        """Leave two: what damages the catalog today may be in today's copy as well."""
        *older, newest = self.all()
        made = newest.stat().st_mtime
        aged = [copy for copy in older if made - copy.stat().st_mtime > _DAY]
        kept = (aged[-1:] or older[:1])[: MOST - 1]
        for copy in older:
            if copy not in kept:
                copy.unlink(missing_ok=True)

    def drop_stale(self, connection: sqlite3.Connection) -> bool:
        """Delete all copies if one holds what the catalog does not hold any more; say whether.

        It does where a kill came between an erasure and `forget`.
        """
        if not any(_has_more(connection, copy) for copy in self.all()):
            return False
        self.forget()
        return True

    def _changed(self) -> float:
        files = (self._catalog, self._catalog.with_name(f"{self._catalog.name}-wal"))
        return max(map(_modified, files))

    def _write(self, check: Check) -> None:
        """Write the draft from one moment's state of the catalog, and prove that it can be read."""
        self._draft.unlink(missing_ok=True)
        os.close(os.open(self._draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        connection = sqlite3.connect(self._draft, isolation_level=None, check_same_thread=False)
        with contextlib.closing(connection) as made:
            for pragma in ("journal_mode = OFF", "synchronous = OFF", "foreign_keys = OFF"):
                made.execute(f"PRAGMA {pragma}")
            made.execute("ATTACH ? AS whole", (str(self._catalog),))
            made.execute("BEGIN")
            for _ in _tables(made):
                check()
                if self._unwanted.wait(_PAUSE):
                    raise StoppedError
            made.execute("COMMIT")
            for name in ("user_version", "application_id"):
                value = made.execute(f"PRAGMA whole.{name}").fetchone()[0]
                made.execute(f"PRAGMA main.{name} = {value:d}")
            made.execute("DETACH whole")
            if made.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                raise sqlite3.DatabaseError("a copy of the catalog could not be read again")
        descriptor = os.open(self._draft, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _tables(made: sqlite3.Connection) -> Iterator[None]:
    """Copy table by table, with the rows' own numbers; yield between two steps."""
    rows = made.execute("SELECT name, sql FROM whole.sqlite_master WHERE type = 'table'")
    for name, sql in rows.fetchall():
        if name in _LEFT_OUT or name.startswith("sqlite_"):
            continue
        made.execute(sql)
        columns = [row[1] for row in made.execute(f"PRAGMA whole.table_info({name})")]
        listed = ", ".join(["rowid", *columns])
        last = 0
        while True:
            made.execute(
                f"INSERT INTO main.{name} ({listed}) SELECT {listed} FROM whole.{name} "  # noqa: S608
                "WHERE rowid > ? ORDER BY rowid LIMIT ?",
                (last, _PER_STEP),
            )
            newest = made.execute(f"SELECT max(rowid) FROM main.{name}").fetchone()[0] or 0  # noqa: S608
            if newest == last:
                break
            last = newest
            yield


def _has_more(connection: sqlite3.Connection, copy: Path) -> bool:
    """Say whether a copy holds a row that the catalog has no more, or has with another text."""
    connection.execute("ATTACH ? AS copied", (str(copy),))
    try:
        rows = connection.execute("SELECT name FROM copied.sqlite_master WHERE type = 'table'")
        names = [row[0] for row in rows if not row[0].startswith("sqlite_")]
        for name in names:
            gone = f"SELECT 1 FROM copied.{name} WHERE rowid NOT IN (SELECT rowid FROM main.{name})"  # noqa: S608
            if connection.execute(f"{gone} LIMIT 1").fetchone():
                return True
        for name, differs in _CHANGING.items():
            if name not in names:  # an older version's
                continue
            changed = f"SELECT 1 FROM copied.{name} AS old JOIN main.{name} AS now USING (id) "  # noqa: S608
            if connection.execute(f"{changed} WHERE {differs} LIMIT 1").fetchone():
                return True
    except sqlite3.DatabaseError as error:
        _log.warning("a copy of the catalog can't be compared: %s", loggable(error))
    finally:
        connection.execute("DETACH copied")
    return False


class CopyScheduler:
    """Makes copies while a data folder is open, in a thread of its own.

    `connect` gives a connection to the open catalog. After an unclean end the copies are looked at
    first: something may have been erased, and the copies not; then `forget` deletes what else may
    hold it. `require` raises where the folder is no longer this process's own.
    """

    _FIRST, _AFTER_ERASING, _AGAIN = 20.0, 60.0, 600.0  # seconds
    _LITTLE = 20_000_000  # bytes that are copied in a moment, also while the program ends
    _SHARE = 20  # of its time, the part that this may spend on copies

    def __init__(
        self,
        copies: Copies,
        connect: Callable[[], sqlite3.Connection],
        forget: Callable[[], object],
        require: Callable[[], object] | None = None,
        *,
        after_kill: bool,
    ) -> None:
        self._copies = copies
        self._forget = forget
        self._require = require
        self._connect = connect
        self._after_kill = after_kill
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="copying", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End; a small catalog is copied now if it is due: a command is soon over."""
        self._ending.set()
        self._copies.wanted.set()
        self._thread.join()
        with contextlib.suppress(OSError):  # a drive that is away gets no copy
            if 0 < self._copies.size() < self._LITTLE and self._copies.is_due(0.0):
                self._make(lambda: None)

    def _loop(self) -> None:
        if self._after_kill:
            self._look()
        pause = self._FIRST
        while not self._ending.is_set():
            if self._copies.wanted.wait(pause):
                self._settle()
            if self._ending.is_set():
                return
            pause = self._AGAIN
            began = time.monotonic()
            if self._make_if_due():
                pause = max(self._AGAIN, self._SHARE * (time.monotonic() - began))

    def _make_if_due(self) -> bool:
        """Make a copy if one is due; say whether it was. The drive may be away for a while."""
        try:
            is_small = self._copies.size() < self._LITTLE
            is_due = self._copies.is_due(_HOUR if is_small else _DAY)
        except OSError as error:
            _log.warning("the copies of the catalog could not be looked at: %s", loggable(error))
            return False
        if is_due:
            self._make(self._heed)
        return is_due

    def _settle(self) -> None:
        """Wait a while after an erasure: others may follow. It ends also where they never cease."""
        until = time.monotonic() + self._AFTER_ERASING
        while not self._ending.is_set() and (left := until - time.monotonic()) > 0:
            self._copies.wanted.clear()
            if not self._ending.is_set():  # asked again: the end may have been said between the two
                self._copies.wanted.wait(left)

    def _look(self) -> None:
        try:
            with contextlib.closing(self._connect()) as connection:
                is_stale = self._copies.drop_stale(connection)
            if is_stale:
                self._forget()
        except (UserError, OSError, sqlite3.Error) as error:
            _log.warning("the copies of the catalog could not be looked at: %s", loggable(error))

    def _heed(self) -> None:
        if self._ending.is_set():
            raise StoppedError

    def _make(self, check: Check) -> None:
        try:
            if self._require is not None:
                self._require()
            self._copies.make(check)
        except StoppedError:
            _log.info("a copy of the catalog was given up")
        except (UserError, OSError, sqlite3.Error) as error:
            _log.warning("no copy of the catalog was made: %s", loggable(error))
