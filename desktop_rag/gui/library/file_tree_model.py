"""A knowledge base as a tree: what it follows, and below each folder its files."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_rag.core.catalog_records import FileRow, FollowedPath
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.library_snapshot import (
    LibrarySnapshot,
    SourceFiles,
    is_left_unread,
    is_problem,
    is_ready,
    is_unopened_archive,
)
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.library import library_text
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex
_MOST_RUNS = 32  # of rows that come and go run by run; each costs a view a look at all rows
MOST_FILES = (
    1000  # of a folder in the tree: an open one costs a view a look at each; the table has all
)
_TOP = 0


class TreeRole(IntEnum):
    """`PLACE` is the row's `TreeRow`, `PATH` its path, `IS_PROBLEM` whether it needs attention."""

    PLACE = Qt.ItemDataRole.UserRole + 1
    PATH = Qt.ItemDataRole.UserRole + 2
    IS_PROBLEM = Qt.ItemDataRole.UserRole + 3


@dataclass(frozen=True, slots=True)
class TreeRow:
    """What a row stands for: a followed folder (`row` is None), or a file.

    Over the files that are not followed, or shared by others, stands one without a path.
    """

    path: str
    name: str
    row: FileRow | None
    files: int = 0
    problems: int = 0
    is_away: bool = False
    unlisted: int = 0
    passed_over: int = 0
    is_shared: bool = False


@dataclass(slots=True)
class _Shown:
    """A branch as it is on screen while it changes; `files` are those that have a row.

    `number` stays when its row moves: the indexes of its files carry it.
    """

    source: FollowedPath | None
    files: list[FileRow]
    root: str
    total: int = 0
    problems: int = 0
    is_away: bool = False
    passed_over: int = 0
    is_shared: bool = False
    number: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, bool, bool]:
        """What tells it from the others."""
        return self.path, self.is_folder, self.is_shared

    @property
    def path(self) -> str:
        """The source's path; empty where there is none."""
        return self.source.path if self.source is not None else ""

    @property
    def is_folder(self) -> bool:
        """Whether its files have rows of their own below it."""
        return self.source is None or self.source.is_folder


class FileTreeModel(QAbstractItemModel):
    """Shows a `LibrarySnapshot`; what changes between two of them is told row by row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._branches: list[_Shown] = []
        self._rows: dict[int, int] = {}
        self._numbers = count(1)
        self._snapshot = LibrarySnapshot((), "")
        self._only_problems = False

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Show a knowledge base's content."""
        is_other = snapshot.current != self._snapshot.current
        self._snapshot = snapshot
        new = [self._shown(b) for b in snapshot.branches if b.problems or not self._only_problems]
        before, after = _keys(self._branches), _keys(new)
        if is_other or not _is_near(before, after):
            self.beginResetModel()
            self._put(new)
            self.endResetModel()
            return
        for first, last in reversed(_runs_without(before, set(after))):
            self.beginRemoveRows(QModelIndex(), first, last)
            self._put([*self._branches[:first], *self._branches[last + 1 :]])
            self.endRemoveRows()
        for row, branch in enumerate(new):
            self._take(row, branch)

    def show_only_problems(self, *, only: bool) -> None:
        """Show nothing but the files that need attention, and the folders that hold them."""
        self._only_problems = only
        self.show_shelf(self._snapshot)

    def _shown(self, branch: SourceFiles) -> _Shown:
        some = branch.troubled if self._only_problems else branch.files
        files = list(some[:MOST_FILES])
        counts = (len(branch.files), branch.problems, branch.is_away, branch.passed_over)
        return _Shown(branch.source, files, branch.root, *counts, branch.is_shared)

    def _put(self, branches: list[_Shown]) -> None:
        self._branches = branches
        for branch in branches:
            branch.number = branch.number or next(self._numbers)
        self._rows = {branch.number: row for row, branch in enumerate(branches)}

    def _take(self, row: int, new: _Shown) -> None:
        """Bring a branch up to date, or in, where there is none of its kind yet."""
        if row < len(self._branches) and self._branches[row].key == new.key:
            self._change(row, new)
            return
        self.beginInsertRows(QModelIndex(), row, row)
        self._put([*self._branches[:row], new, *self._branches[row:]])
        self.endInsertRows()

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        """Return a row's index; the id of a file's is its folder's number."""
        parent = parent if parent is not None else QModelIndex()
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        branch = self._branches[parent.row()].number if parent.isValid() else _TOP
        return self.createIndex(row, column, branch)

    def parent(self, index: Index | None = None) -> Any:
        """Return a file's folder."""
        if index is None:
            return super().parent()
        if not index.isValid() or index.internalId() == _TOP:
            return QModelIndex()
        return self.createIndex(self._rows.get(int(index.internalId()), 0), 0, _TOP)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of sources, or of a folder's files."""
        if parent is None or not parent.isValid():
            return len(self._branches)
        if parent.internalId() != _TOP or parent.column() > 0:
            return 0
        branch = self._branches[parent.row()]
        return len(branch.files) if branch.is_folder else 0

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return one: the delegate paints everything in it."""
        del parent
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's name, tooltip, spoken text, or the values of `TreeRole`."""
        if not index.isValid():
            return None
        place = self._place(index)
        if role == TreeRole.PLACE:
            return place
        if role == TreeRole.PATH:
            return place.path
        if role == TreeRole.IS_PROBLEM:
            return place.row is not None and is_problem(place.row)
        if role == Qt.ItemDataRole.DisplayRole:
            return place.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return (
                library_text.file_tooltip(place.row) if place.row is not None else _told_of(place)
            )
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return join_details(place.name, second_line(place))
        return None

    def _place(self, index: Index) -> TreeRow:
        inside = index.internalId()
        if inside != _TOP:
            branch = self._branches[self._rows[int(inside)]]
            row = branch.files[index.row()]
            name = _below(row.path, branch.root)
            return TreeRow(row.path, name, row, is_away=branch.is_away)
        branch = self._branches[index.row()]
        name = _name(branch)
        if not branch.is_folder and branch.files:
            row = branch.files[0]
            return TreeRow(row.path, name, row, is_away=branch.is_away)
        return TreeRow(
            path=branch.path,
            name=name,
            row=None,
            files=branch.total,
            problems=branch.problems,
            is_away=branch.is_away,
            unlisted=0 if self._only_problems else branch.total - len(branch.files),
            passed_over=branch.passed_over,
            is_shared=branch.is_shared,
        )

    def _change(self, row: int, to: _Shown) -> None:
        """Bring one branch from its old files to the new ones, by removing, inserting, changing."""
        branch, new = self._branches[row], to.files
        if branch == to:
            return
        branch.total, branch.problems, branch.is_away = to.total, to.problems, to.is_away
        branch.passed_over, branch.source = to.passed_over, to.source
        is_renamed, branch.root = branch.root != to.root, to.root
        top = self.index(row, 0)
        if branch.is_folder:
            self._remove_gone(branch, new, top)
            self._insert_new(branch, new, top)
            self._tell_changed(branch, new, top, all_of_them=is_renamed)
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

    def _tell_changed(
        self, branch: _Shown, new: Sequence[FileRow], top: QModelIndex, *, all_of_them: bool
    ) -> None:
        changed = [
            row
            for row, (a, b) in enumerate(zip(branch.files, new, strict=True))
            if all_of_them or (a is not b and a != b)
        ]
        branch.files = list(new)
        if changed:
            first, last = self.index(changed[0], 0, top), self.index(changed[-1], 0, top)
            self.dataChanged.emit(first, last)


def _keys(branches: Sequence[_Shown]) -> list[tuple[str, bool, bool]]:
    return [branch.key for branch in branches]


def _is_near(before: Sequence[Hashable], after: Sequence[Hashable]) -> bool:
    """Say whether few come and go, and the others stay in their order."""
    old, new = set(before), set(after)
    kept = [key for key in before if key in new]
    is_few = len(before) + len(after) - 2 * len(kept) <= _MOST_RUNS
    return is_few and kept == [key for key in after if key in old]


def _runs_without(keys: Sequence[Hashable], others: AbstractSet[Hashable]) -> list[tuple[int, int]]:
    """Return the first and last row of each unbroken run of keys that are not among others."""
    runs: list[tuple[int, int]] = []
    for row, key in enumerate(keys):
        if key in others:
            continue
        if runs and runs[-1][1] == row - 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    return runs


def second_line(place: TreeRow) -> str:
    """Return the second line of a row."""
    if place.row is None:
        counts = (place.files, place.problems, place.passed_over)
        return library_text.folder(*counts, is_away=place.is_away)
    if place.is_away:
        return library_text.state_label(place.row, is_away=True)
    why, state = translate_message(place.row.reason), library_text.state(place.row)
    if is_left_unread(place.row) or is_unopened_archive(place.row):
        return state
    return f"{state} · {why}" if why and is_ready(place.row) else why or state


def _name(branch: _Shown) -> str:
    if branch.source is not None:
        return library_text.last_name(branch.path)
    return (
        library_text.tr("Shared by others") if branch.is_shared else library_text.tr("Not followed")
    )


def _told_of(place: TreeRow) -> str:
    """Return what a folder's tooltip says."""
    if place.is_away:
        return tip(
            library_text.tr("%1 cannot be reached now; what was read of it is kept.", place.path)
        )
    told = place.path or (
        library_text.tr(
            "Others shared these files. What they change is fetched while this knowledge base "
            "is shared."
        )
        if place.is_shared
        else library_text.tr(
            "No folder that is followed holds these files. What was read of them is kept, "
            "and changes to them are not seen."
        )
    )
    if place.unlisted:
        listed = f"{place.files - place.unlisted:,}"
        return tip(told, library_text.tr("The first %1 are listed here.", listed))
    return tip(told)


def _below(path: str, folder: str) -> str:
    return sanitize_name(path[len(folder) :].lstrip("/\\"))
