"""The table of files: filtered and sorted off the GUI thread, and told by what changed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from desktop_rag.core.cancel import CancelToken
from desktop_rag.core.catalog_records import FileRow
from desktop_rag.gui.controllers.file_query import (
    FileFilter,
    FileGroup,
    FileQuery,
    Wording,
    as_kept,
    is_below,
    is_narrow,
    shared_documents,
    sort_files,
)
from desktop_rag.gui.controllers.folder_nodes import FilePlace, FilePlacement, FolderKind
from desktop_rag.gui.controllers.jobs import Job, Jobs, Lane, Operation
from desktop_rag.gui.controllers.library_snapshot import (
    LibrarySnapshot,
    is_passed_over,
    is_problem,
)


@dataclass(frozen=True, slots=True)
class FileListing:
    """The rows that a query gives of a snapshot.

    `is_same` says that they are the files of the listing before, in the same places; then
    `changed` are the first and the last row that differ, None where none does. `has_reasons` says
    whether there is a reason to show of any of them. `total`, `problems` and `passed_over` count
    all files of the query's place, whatever else it asks for.
    """

    query: FileQuery
    kb: str
    rows: tuple[FileRow, ...] = ()
    total: int = 0
    away: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    is_same: bool = False
    changed: tuple[int, int] | None = None
    has_reasons: bool = False
    problems: int = 0
    passed_over: int = 0


class FileTableController(QObject):
    """Keeps a listing up to date while somebody looks; `listing_changed` carries it.

    `wording` says what a filter finds beside paths; who shows the files sets it.
    """

    listing_changed = Signal(object)

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._is_watched = False
        self._is_stale = False
        self._snapshot = LibrarySnapshot((), "")
        self.wording: Wording = as_kept
        self.query = FileQuery()
        self.listing = FileListing(self.query, "")

    def watch(self, *, is_watched: bool) -> None:
        """Begin or end to follow the snapshot."""
        self._is_watched = is_watched
        if is_watched:
            self._list()

    def ask(self, query: FileQuery) -> None:
        """Show what another query gives; one that is being answered is given up."""
        if query != self.query:
            self.query = query
            if self._job is not None:
                self._job.cancel()
                self._job = None
            self._list()

    @Slot(object)
    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Follow a snapshot; while one listing is made, the next one waits."""
        self._snapshot = snapshot
        if self._is_watched:
            self._list()

    def _list(self) -> None:
        self._is_stale = self._job is not None
        if self._is_stale:
            return
        work = partial(make_listing, self._snapshot, self.query, self.listing, wording=self.wording)
        making = Operation(work).on_end(self._end).on_success(self._take)
        self._job = making.start(self._jobs, Lane.READ)

    @Slot()
    def _end(self) -> None:
        self._job = None

    @Slot(object)
    def _take(self, made: FileListing) -> None:
        self.listing = made
        self.listing_changed.emit(made)
        if self._is_stale:
            self._list()


def make_listing(
    snapshot: LibrarySnapshot,
    query: FileQuery,
    before: FileListing,
    token: CancelToken,
    wording: Wording = as_kept,
) -> FileListing:
    """Filter and sort a snapshot's files, and say how that differs from the listing before."""
    every = files_of(snapshot, query.place)
    shared = shared_documents(every) if query.group is FileGroup.COPIES else frozenset()
    lets_pass = FileFilter(query, wording, shared).lets_pass
    chosen = list(filter(lets_pass, every)) if is_narrow(query) else every
    rows = tuple(sort_files(chosen, query, token))
    is_same, changed = _difference(before, snapshot.current, rows)
    folders = tuple(source.path for source in snapshot.sources if source.is_folder)
    told_before = (before.query.place, before.away, before.folders)
    if is_same and rows and told_before != (query.place, snapshot.away, folders):
        changed = (0, len(rows) - 1)  # what their cells say of where they lie
    return FileListing(
        query=query,
        kb=snapshot.current,
        rows=rows,
        total=len(every),
        away=snapshot.away,
        folders=folders,
        is_same=is_same,
        changed=changed,
        has_reasons=any(row.reason for row in rows),
        problems=sum(map(is_problem, every)),
        passed_over=sum(map(is_passed_over, every)),
    )


def files_of(snapshot: LibrarySnapshot, place: FilePlace) -> tuple[FileRow, ...]:
    """Return the files of a place, with those that were left out of it."""
    every = (*snapshot.files, *snapshot.excluded)
    if place.is_everywhere:
        return every
    if place.kind is FolderKind.FOLDER:
        return tuple(row for row in every if is_below(row.path, place.path))
    placement = FilePlacement(snapshot.sources)
    return tuple(row for row in every if placement.kind_of(row) is place.kind)


def _difference(
    before: FileListing, kb: str, rows: tuple[FileRow, ...]
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
