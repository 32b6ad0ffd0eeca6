"""The table of files: filtered and sorted off the GUI thread, in steps that let it in.

Sorting 100,000 names in one go holds every other thread up for a tenth of a second. Parts are
sorted one by one, and then together, which costs little since each part is in order already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from pathlib import PurePath
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.app.jobs import Job, Jobs, Lane, Work
from desktop_rag.app.shelf import Shelf, is_problem, is_ready
from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.types import FileStatus
from desktop_rag.store.records import FileRow

_PART = 4000
_RANKS = {FileStatus.QUEUED: 3, FileStatus.EXCLUDED: 5}


class Column(IntEnum):
    """The table's columns."""

    NAME = 0
    STATE = 1
    PASSAGES = 2
    FOLDER = 3
    TYPE = 4
    PAGES = 5
    SIZE = 6
    CHANGED = 7
    SECONDS = 8
    REASON = 9


class Group(StrEnum):
    """Which files are shown."""

    ALL = "all"
    READY = "ready"
    PROBLEMS = "problems"
    WAITING = "waiting"
    NO_PASSAGES = "no passages"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Query:
    """What is shown, in which order; `folder` is the path of a source, empty for all."""

    text: str = ""
    group: Group = Group.ALL
    folder: str = ""
    column: Column = Column.FOLDER
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows that a query gives of a shelf.

    `is_same` says that they are the files of the listing before, in the same places; then
    `changed` are the first and the last row that differ, None where none does.
    """

    query: Query
    kb: str
    rows: tuple[FileRow, ...] = ()
    total: int = 0
    away: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    is_same: bool = False
    changed: tuple[int, int] | None = None


class ListingController(QObject):
    """Keeps a listing up to date while somebody looks; `listing_changed` carries it."""

    listing_changed = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._is_watched = False
        self._is_stale = False
        self._shelf = Shelf((), "")
        self.query = Query()
        self.listing = Listing(self.query, "")

    def watch(self, *, is_watched: bool) -> None:
        """Begin or end to follow the shelf."""
        self._is_watched = is_watched
        if is_watched:
            self._list()

    def ask(self, query: Query) -> None:
        """Show what another query gives; one that is being answered is given up."""
        if query != self.query:
            self.query = query
            if self._job is not None:
                self._job.cancel()
                self._job = None
            self._list()

    @Slot(object)
    def show_shelf(self, shelf: Shelf) -> None:
        """Follow a shelf; while one listing is made, the next one waits."""
        self._shelf = shelf
        if self._is_watched:
            self._list()

    def _list(self) -> None:
        self._is_stale = self._job is not None
        if self._is_stale:
            return
        self._job = self._jobs.start(Lane.READ, listing(self._shelf, self.query, self.listing))
        self._job.yielded.connect(self._take)

    @Slot(object)
    def _take(self, made: Listing) -> None:
        self._job = None
        self.listing = made
        self.listing_changed.emit(made)
        if self._is_stale:
            self._list()


def listing(shelf: Shelf, query: Query, before: Listing) -> Work:
    """Return the work that makes a listing."""

    def work(token: CancelToken) -> Iterator[object]:
        yield make_listing(shelf, query, before, token)

    return work


def make_listing(shelf: Shelf, query: Query, before: Listing, token: CancelToken) -> Listing:
    """Filter and sort a shelf's files, and say how that differs from the listing before."""
    every = (*shelf.files, *shelf.excluded)
    chosen = [row for row in every if _is_shown(row, query)] if _is_narrow(query) else every
    rows = tuple(_in_order(chosen, query, token))
    is_same, changed = _difference(before, shelf.current, rows)
    return Listing(
        query=query,
        kb=shelf.current,
        rows=rows,
        total=len(every),
        away=shelf.away,
        folders=tuple(branch.source.path for branch in shelf.branches if branch.source.is_folder),
        is_same=is_same,
        changed=changed,
    )


def is_below(path: str, folder: str) -> bool:
    """Say whether a path is a folder or lies in it."""
    bare = folder.rstrip("/\\")
    return path == folder or path.startswith((f"{bare}/", f"{bare}\\"))


def name_of(row: FileRow) -> str:
    """Return a file's name."""
    return row.path[_cut(row.path) + 1 :]


def folder_of(row: FileRow) -> str:
    """Return the folder that a file lies in."""
    return row.path[: _cut(row.path)] or row.path[:1]


def type_of(row: FileRow) -> str:
    """Return a file's ending in capitals, as people name its format."""
    return PurePath(name_of(row)).suffix[1:].upper()


def _cut(path: str) -> int:
    return max(path.rfind("/"), path.rfind("\\"))


def _is_narrow(query: Query) -> bool:
    return bool(query.text or query.folder or query.group is not Group.ALL)


def _is_shown(row: FileRow, query: Query) -> bool:
    if query.group is not Group.ALL and not _MEMBERS[query.group](row):
        return False
    if query.folder and not is_below(row.path, query.folder):
        return False
    if not query.text:
        return True
    said = f"{row.path}\n{row.reason}".casefold()
    return all(word in said for word in query.text.casefold().split())


def _is_waiting(row: FileRow) -> bool:
    return row.status is FileStatus.QUEUED


def _is_left_out(row: FileRow) -> bool:
    return row.status is FileStatus.EXCLUDED


def _has_nothing(row: FileRow) -> bool:
    return row.chunks == 0 and row.status not in (FileStatus.QUEUED, FileStatus.EXCLUDED)


_MEMBERS: dict[Group, Callable[[FileRow], bool]] = {
    Group.READY: is_ready,
    Group.PROBLEMS: is_problem,
    Group.WAITING: _is_waiting,
    Group.NO_PASSAGES: _has_nothing,
    Group.EXCLUDED: _is_left_out,
}


def _in_order(rows: Sequence[FileRow], query: Query, token: CancelToken) -> list[FileRow]:
    """Sort rows by one column; equal ones stay in the order of their paths."""
    key = _KEYS[query.column]
    keys: list[Any] = [key(row) for row in rows]
    order: list[int] = []
    for start in range(0, len(rows), _PART):
        token.check()
        part = range(start, min(start + _PART, len(rows)))
        order += sorted(part, key=keys.__getitem__, reverse=query.descending)
    order.sort(key=keys.__getitem__, reverse=query.descending)
    token.check()
    return [rows[number] for number in order]


def _folded_name(row: FileRow) -> str:
    return name_of(row).casefold()


def _folded_path(row: FileRow) -> str:
    return row.path.casefold()


def _rank(row: FileRow) -> float:
    """Return what a sort by state puts first: what went wrong, then what waits, then the rest."""
    if is_ready(row):
        return 4
    return _RANKS.get(row.status, 1 if is_problem(row) and row.chunks == 0 else 2)


def _passages(row: FileRow) -> float:
    return row.chunks


def _pages(row: FileRow) -> float:
    return row.pages or 0


def _size(row: FileRow) -> float:
    return row.stamp.size if row.stamp is not None else -1


def _changed(row: FileRow) -> float:
    return row.stamp.mtime_ns if row.stamp is not None else 0


def _seconds(row: FileRow) -> float:
    return row.seconds


def _reason(row: FileRow) -> str:
    return row.reason


_KEYS: dict[Column, Callable[[FileRow], str] | Callable[[FileRow], float]] = {
    Column.NAME: _folded_name,
    Column.FOLDER: _folded_path,
    Column.TYPE: type_of,
    Column.STATE: _rank,
    Column.PASSAGES: _passages,
    Column.PAGES: _pages,
    Column.SIZE: _size,
    Column.CHANGED: _changed,
    Column.SECONDS: _seconds,
    Column.REASON: _reason,
}


def _difference(
    before: Listing, kb: str, rows: tuple[FileRow, ...]
) -> tuple[bool, tuple[int, int] | None]:
    """Say whether the same files stand in the same places, and between which rows they differ."""
    if before.kb != kb or len(before.rows) != len(rows):
        return False, None
    changed = [n for n, (a, b) in enumerate(zip(before.rows, rows, strict=True)) if a is not b]
    if not changed:
        return True, None
    if any(before.rows[n].path != rows[n].path for n in changed):
        return False, None
    return True, (changed[0], changed[-1])
