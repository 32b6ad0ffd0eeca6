"""A knowledge base as a tree: what it follows, and below each folder its files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_rag.app.shelf import Branch, Shelf, is_problem
from desktop_rag.store.records import FileRow, Source
from desktop_rag.ui.library import phrases
from desktop_rag.ui.spoken import spoken

Index = QModelIndex | QPersistentModelIndex
_MOST_RUNS = 32  # of rows that come and go run by run; each costs a view a look at all rows
MOST_FILES = (
    1000  # of a folder in the tree: an open one costs a view a look at each; the table has all
)
_TOP = 0


class Role(IntEnum):
    """`PLACE` is the row's `Place`, `PATH` its path, `IS_PROBLEM` whether it needs attention."""

    PLACE = Qt.ItemDataRole.UserRole + 1
    PATH = Qt.ItemDataRole.UserRole + 2
    IS_PROBLEM = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True, slots=True)
class Place:
    """What a row stands for: a followed folder (`row` is None), or a file."""

    path: str
    name: str
    row: FileRow | None
    files: int = 0
    problems: int = 0
    is_away: bool = False
    unlisted: int = 0
    passed_over: int = 0


@dataclass(slots=True)
class _Shown:
    """A branch as it is on screen while it changes; `files` are those that have a row."""

    source: Source
    files: list[FileRow]
    total: int = 0
    problems: int = 0
    is_away: bool = False
    passed_over: int = 0


class LibraryModel(QAbstractItemModel):
    """Shows a `Shelf`; what changes between two of them is told row by row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._branches: list[_Shown] = []
        self._shelf = Shelf((), "")
        self._only_problems = False

    def show_shelf(self, shelf: Shelf) -> None:
        """Show a knowledge base's content."""
        self._shelf = shelf
        branches = [b for b in shelf.branches if b.problems or not self._only_problems]
        if [b.source for b in branches] != [b.source for b in self._branches]:
            self.beginResetModel()
            self._branches = [self._shown(branch) for branch in branches]
            self.endResetModel()
            return
        for row, branch in enumerate(branches):
            self._change(row, self._shown(branch))

    def show_only_problems(self, *, only: bool) -> None:
        """Show nothing but the files that need attention, and the folders that hold them."""
        self._only_problems = only
        self.show_shelf(self._shelf)

    def _shown(self, branch: Branch) -> _Shown:
        some: Iterable[FileRow] = branch.files
        if self._only_problems:
            some = filter(is_problem, branch.files)
        files = list(islice(some, MOST_FILES))
        counts = (len(branch.files), branch.problems, branch.is_away, branch.passed_over)
        return _Shown(branch.source, files, *counts)

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        """Return a row's index; the id of a file's is its folder's row + 1."""
        parent = parent if parent is not None else QModelIndex()
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        branch = parent.row() + 1 if parent.isValid() else _TOP
        return self.createIndex(row, column, branch)

    def parent(self, index: Index | None = None) -> Any:
        """Return a file's folder."""
        if index is None:
            return super().parent()
        if not index.isValid() or index.internalId() == _TOP:
            return QModelIndex()
        return self.createIndex(int(index.internalId()) - 1, 0, _TOP)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of sources, or of a folder's files."""
        if parent is None or not parent.isValid():
            return len(self._branches)
        if parent.internalId() != _TOP or parent.column() > 0:
            return 0
        branch = self._branches[parent.row()]
        return len(branch.files) if branch.source.is_folder else 0

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return one: the delegate paints everything in it."""
        del parent
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's name, tooltip, spoken text, or the values of `Role`."""
        if not index.isValid():
            return None
        place = self._place(index)
        if role == Role.PLACE:
            return place
        if role == Role.PATH:
            return place.path
        if role == Role.IS_PROBLEM:
            return place.row is not None and is_problem(place.row)
        if role == Qt.ItemDataRole.DisplayRole:
            return place.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return phrases.told(place.row) if place.row is not None else _told_of(place)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{place.name}, {detail(place)}"
        return None

    def _place(self, index: Index) -> Place:
        inside = index.internalId()
        if inside != _TOP:
            branch = self._branches[int(inside) - 1]
            row = branch.files[index.row()]
            name = _below(row.path, branch.source.path)
            return Place(row.path, name, row, is_away=branch.is_away)
        branch = self._branches[index.row()]
        name = phrases.last_name(branch.source.path)
        if not branch.source.is_folder and branch.files:
            row = branch.files[0]
            return Place(row.path, name, row, is_away=branch.is_away)
        return Place(
            path=branch.source.path,
            name=name,
            row=None,
            files=branch.total,
            problems=branch.problems,
            is_away=branch.is_away,
            unlisted=0 if self._only_problems else branch.total - len(branch.files),
            passed_over=branch.passed_over,
        )

    def _change(self, row: int, to: _Shown) -> None:
        """Bring one branch from its old files to the new ones, by removing, inserting, changing."""
        branch, new = self._branches[row], to.files
        if branch == to:
            return
        branch.total, branch.problems, branch.is_away = to.total, to.problems, to.is_away
        branch.passed_over = to.passed_over
        top = self.index(row, 0)
        if branch.source.is_folder:
            self._remove_gone(branch, new, top)
            self._insert_new(branch, new, top)
            self._tell_changed(branch, new, top)
        branch.files = new
        self.dataChanged.emit(top, top)

    def _remove_gone(self, branch: _Shown, new: Sequence[FileRow], top: QModelIndex) -> None:
        """Remove rows in runs; where very many come and go, all rows, which then come anew."""
        before, after = [each.path for each in branch.files], [each.path for each in new]
        runs = _runs_without(before, set(after))
        if len(runs) + len(_runs_without(after, set(before))) > _MOST_RUNS and before:
            runs = [(0, len(before) - 1)]
        for first, last in reversed(runs):
            self.beginRemoveRows(top, first, last)
            del branch.files[first : last + 1]
            self.endRemoveRows()

    def _insert_new(self, branch: _Shown, new: Sequence[FileRow], top: QModelIndex) -> None:
        known = {each.path for each in branch.files}
        row = 0
        while row < len(new):
            until = row
            while until < len(new) and new[until].path not in known:
                until += 1
            if until > row:
                self.beginInsertRows(top, row, until - 1)
                branch.files[row:row] = new[row:until]
                self.endInsertRows()
            row = max(until, row) + 1

    def _tell_changed(self, branch: _Shown, new: Sequence[FileRow], top: QModelIndex) -> None:
        changed = [row for row, (a, b) in enumerate(zip(branch.files, new, strict=True)) if a != b]
        branch.files = list(new)
        if changed:
            first, last = self.index(changed[0], 0, top), self.index(changed[-1], 0, top)
            self.dataChanged.emit(first, last)


def _runs_without(paths: Sequence[str], others: set[str]) -> list[tuple[int, int]]:
    """Return the first and last row of each unbroken run of paths that are not among others."""
    runs: list[tuple[int, int]] = []
    for row, path in enumerate(paths):
        if path in others:
            continue
        if runs and runs[-1][1] == row - 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs


def detail(place: Place) -> str:
    """Return the second line of a row."""
    if place.row is None:
        counts = (place.files, place.problems, place.passed_over)
        return phrases.folder(*counts, is_away=place.is_away)
    if place.is_away:
        return phrases.word(place.row, is_away=True)
    return spoken(place.row.reason) or phrases.state(place.row)


def _told_of(place: Place) -> str:
    """Return what a folder's tooltip says."""
    if place.is_away:
        return phrases.tr("%1 cannot be reached now; what was read of it is kept.", place.path)
    if place.unlisted:
        listed = f"{place.files - place.unlisted:,}"
        return "\n".join((place.path, phrases.tr("The first %1 are listed here.", listed)))
    return place.path


def _below(path: str, folder: str) -> str:
    return path[len(folder) :].lstrip("/\\")
