"""Leases: which worker is at work on which file, without clocks that are compared.

A worker counts a heartbeat up while it lives. Who finds a lease taken looks at its worker's
heartbeat every few seconds; when that has not moved for so many looks, the worker is dead.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Self

from desktop_rag.core.errors import UserError
from desktop_rag.core.types import FileStatus
from desktop_rag.sharing import lease_rows
from desktop_rag.sharing.lease_rows import LeaseRow, LeaseRows, lease_key

_log = logging.getLogger(__name__)
BEAT = 5.0
"""Seconds between two heartbeats, and between two looks at those of others."""
_MISSED = 6  # looks at a heartbeat that does not move, until its worker is dead
_ID = 8  # bytes


class WorkerHeartbeat:
    """This worker's heartbeat, and a look at those of others; use it as a context manager.

    `rows` should not be those of a patient server: a beat that fails is followed by the next.
    """

    def __init__(self, rows: LeaseRows, worker: str, seconds: float = BEAT) -> None:
        self.rows = rows
        self._worker = worker
        self._seconds = seconds
        self._lock = threading.Lock()
        self._last: dict[str, int | None] = {}
        self._missed: dict[str, int] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="heartbeat", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        try:
            self.rows.delete_beats([self._worker])
        except UserError as error:
            _log.info("The heartbeat stays on the server: %s", error)

    def is_dead(self, worker: str) -> bool:
        """Say whether a worker's heartbeat stands still; it is watched from now on."""
        with self._lock:
            self._last.setdefault(worker, None)
            return self._missed.get(worker, 0) >= _MISSED

    def dead(self) -> list[str]:
        """Return the workers whose heartbeats stand still."""
        with self._lock:
            return [each for each, missed in self._missed.items() if missed >= _MISSED]

    def look(self, beats: Mapping[str, int]) -> None:
        """Note the heartbeats as they are now."""
        with self._lock:
            for worker in {*beats, *self._last} - {self._worker}:
                now = beats.get(worker)
                stands = worker in self._last and self._last[worker] == now
                self._missed[worker] = self._missed.get(worker, 0) + 1 if stands else 0
                self._last[worker] = now

    def _work(self) -> None:
        beats = 0
        while True:
            try:
                self.rows.beat(self._worker, beats)
                self.look(self.rows.beats())
            except UserError as error:
                _log.info("No heartbeat: %s", error)
            beats += 1
            if self._over.wait(self._seconds):
                return


class Leases:
    """The leases of a folder's files, by the files' names; see `lease_rows`.

    `failed` are those that are not to be tried again. With `retry`, those that had failed before
    are tried once more.
    """

    def __init__(
        self, rows: LeaseRows, folder: str, heartbeat: WorkerHeartbeat, worker: str, *, retry: bool
    ) -> None:
        self._rows = rows
        self._folder = folder
        self._heartbeat = heartbeat
        self._worker = worker
        self._attempts: dict[str, int] = {}
        self._mine: dict[str, LeaseRow] = {}
        self.failed: dict[str, LeaseRow] = {}
        for row in rows.of_folder(folder):
            if row.status and retry:
                self._attempts[row.name] = max(row.attempt + 1, self._attempts.get(row.name, 0))
            elif row.status:
                self.failed[row.name] = row

    @property
    def held(self) -> Collection[str]:
        """The names of what this worker has."""
        return self._mine.keys()

    def claim(self, names: Sequence[str]) -> set[str]:
        """Take files; return those that nobody else has. A dead worker's are free at the next call.

        What others found to fail is in `failed` then.
        """
        wanted = {name: self._wanted(name) for name in names if name not in self.failed}
        there = self._rows.get([row.key for row in wanted.values()])
        new = [row for row in wanted.values() if row.key not in there]
        if new:
            self._rows.add(new)
            there |= self._rows.get([row.key for row in new])
        won = set()
        for name, row in wanted.items():
            holder = there.get(row.key)
            if holder is None:
                continue  # whoever had it has just given it back
            if holder.status:
                self.failed[name] = holder
            elif holder.worker == self._worker:
                self._mine[name] = holder
                won.add(name)
            elif self._heartbeat.is_dead(holder.worker):
                self._attempts[name] = row.attempt + 1
        return won

    def give_back(self, names: Iterable[str]) -> None:
        """Delete the leases of files that are done, or were not begun."""
        rows = [row for name in list(names) if (row := self._mine.pop(name, None)) is not None]
        self._rows.delete(lease_key(each.name, n) for each in rows for n in range(each.attempt + 1))

    def abandon(self) -> None:
        """Give back whatever is held, at once: a server that does not answer is not waited for."""
        rows, self._mine = [*self._mine.values()], {}
        try:
            self._heartbeat.rows.delete([each.key for each in rows])
        except UserError as error:
            _log.info("Leases stay until they run out: %s", error)

    def fail(self, reasons: Mapping[str, tuple[FileStatus, str]]) -> None:
        """Let the leases of files say why these can't be read."""
        rows = [
            lease_rows.failed(row, *why)
            for name, why in reasons.items()
            if (row := self._mine.pop(name, None)) is not None
        ]
        self.failed |= {row.name: row for row in rows}
        if rows:
            self._rows.put(rows)

    def sweep(self, names: Collection[str]) -> bool:
        """Delete what nobody needs: leases of files that are no more as they were, and of the dead.

        `names` are the files as they are now. Return whether nobody is at work in the folder.
        """
        rows, dead = self._rows.of_folder(self._folder), set(self._heartbeat.dead())
        held = [row for row in rows if not row.status]
        stale = [row for row in rows if row.status and row.name not in names]
        stale += [row for row in held if row.worker in dead or row.worker == self._worker]
        last = {row.name: row for row in sorted(rows, key=_attempt) if row.status}
        stale += [row for row in rows if row.status and row is not last[row.name]]
        self._rows.delete({row.key for row in stale})
        self._rows.delete_beats(dead)
        return not [row for row in held if row.worker not in {*dead, self._worker}]

    def _wanted(self, name: str) -> LeaseRow:
        return LeaseRow(self._folder, name, self._attempts.get(name, 0), self._worker)


def new_worker() -> str:
    """Return the id of a worker: of one run, not of a computer."""
    return secrets.token_hex(_ID)


def _attempt(row: LeaseRow) -> int:
    return row.attempt
