"""A knowledge base's folders as a tree: what it follows, and the folders below.

A folder's rows are made when a view first asks for them.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import IntEnum
from itertools import count
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop_rag.gui.controllers.folder_nodes import FilePlace, FolderKind, FolderNode
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.library import library_text
from desktop_rag.gui.widgets.tooltips import tip

Index = QModelIndex | QPersistentModelIndex
_MOST_CHANGES = 32  # of rows that come and go one by one; each costs a view a look at all rows
_TOP = 0


class TreeRole(IntEnum):
    """`FOLDER` is the row's `TreeRow`, `PATH` its path."""

    FOLDER = Qt.ItemDataRole.UserRole + 1
    PATH = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class TreeRow:
    """What a row stands for. `is_away`: the folder can't be reached, its text is kept."""

    place: FilePlace
    name: str
    files: int
    problems: int
    passed_over: int
    is_followed: bool
    is_away: bool


@dataclass(slots=True)
class _Shown:
    """A folder on screen; `number` is its index's id, `rows` None until somebody asks for them."""

    node: FolderNode
    number: int
    above: int
    row: int
    is_away: bool
    rows: list[_Shown] | None = None


class FolderTreeModel(QAbstractItemModel):
    """Shows the folders of a `LibrarySnapshot`; what changes between two is told row by row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kb = ""
        self._away: frozenset[str] = frozenset()
        self._numbers = count(1)
        self._tops: list[_Shown] = []
        self._known: dict[int, _Shown] = {}

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Show a knowledge base's folders."""
        self._away = frozenset(snapshot.away)
        new = snapshot.folders
        if snapshot.current != self._kb or not self._is_near(new):
            self._kb = snapshot.current
            self.beginResetModel()
            self._known.clear()
            self._tops = self._made(new, _TOP, is_away=False)
            self.endResetModel()
            return
        above: list[tuple[_Shown | None, Sequence[FolderNode]]] = [(None, new)]
        while above:
            folder, nodes = above.pop()
            above += self._follow(folder, nodes)

    def find(self, place: FilePlace) -> QModelIndex:
        """Return the index of a place; an invalid one where no folder is there."""
        rows: Sequence[_Shown] | None = self._tops
        while rows:
            near = next((each for each in rows if _holds(each.node.place, place)), None)
            if near is None:
                break
            if near.node.place == place:
                return self.createIndex(near.row, 0, near.number)
            rows = self._rows_of(near)
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        """Return a row's index."""
        parent = parent if parent is not None else QModelIndex()
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, self._below(parent)[row].number)

    def parent(self, index: Index | None = None) -> Any:
        """Return the folder above."""
        if index is None:
            return super().parent()
        shown = self._known.get(int(index.internalId())) if index.isValid() else None
        above = self._known.get(shown.above) if shown is not None else None
        if above is None:
            return QModelIndex()
        return self.createIndex(above.row, 0, above.number)

    def hasChildren(self, parent: Index | None = None) -> bool:  # noqa: N802 - Qt's
        """Say whether folders lie below, without making their rows."""
        if parent is None or not parent.isValid():
            return bool(self._tops)
        shown = self._known.get(int(parent.internalId()))
        if shown is None:
            return False
        return bool(shown.node.children if shown.rows is None else shown.rows)

    def rowCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return the number of folders at the top, or in a folder."""
        if parent is not None and parent.isValid() and parent.column() > 0:
            return 0
        return len(self._below(parent if parent is not None else QModelIndex()))

    def columnCount(self, parent: Index | None = None) -> int:  # noqa: N802 - Qt's
        """Return one: the delegate paints everything in it."""
        del parent
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a row's name, tooltip, spoken text, or the values of `TreeRole`."""
        shown = self._known.get(int(index.internalId())) if index.isValid() else None
        if shown is None:
            return None
        row = self._row(shown)
        if role == TreeRole.FOLDER:
            return row
        if role == TreeRole.PATH:
            return row.place.path
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return _told_of(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return join_details(row.name, counts_of(row))
        return None

    def _row(self, shown: _Shown) -> TreeRow:
        node = shown.node
        return TreeRow(
            place=node.place,
            name=place_name(node.place),
            files=node.files,
            problems=node.problems,
            passed_over=node.passed_over,
            is_followed=node.is_followed,
            is_away=shown.is_away,
        )

    def _below(self, parent: Index) -> list[_Shown]:
        if not parent.isValid():
            return self._tops
        shown = self._known.get(int(parent.internalId()))
        return self._rows_of(shown) if shown is not None else []

    def _rows_of(self, shown: _Shown) -> list[_Shown]:
        if shown.rows is None:
            shown.rows = self._made(shown.node.children, shown.number, is_away=shown.is_away)
        return shown.rows

    def _made(self, nodes: Sequence[FolderNode], above: int, *, is_away: bool) -> list[_Shown]:
        rows = []
        for row, node in enumerate(nodes):
            lost = is_away or node.place.path in self._away
            rows.append(_Shown(node, next(self._numbers), above, row, lost))
            self._known[rows[-1].number] = rows[-1]
        return rows

    def _is_near(self, new: Sequence[FolderNode]) -> bool:
        """Say whether few rows come and go, of those that were made, and the others stay."""
        pairs: list[tuple[list[_Shown], Sequence[FolderNode]]] = [(self._tops, new)]
        changes = 0
        while pairs:
            rows, nodes = pairs.pop()
            before, after = [each.node.place for each in rows], [each.place for each in nodes]
            old, fresh = set(before), set(after)
            kept = [place for place in before if place in fresh]
            changes += len(before) + len(after) - 2 * len(kept)
            if changes > _MOST_CHANGES or kept != [place for place in after if place in old]:
                return False
            made = {each.node.place: each.rows for each in rows if each.rows is not None}
            pairs += [(made[each.place], each.children) for each in nodes if each.place in made]
        return True

    def _follow(
        self, folder: _Shown | None, nodes: Sequence[FolderNode]
    ) -> Iterator[tuple[_Shown | None, Sequence[FolderNode]]]:
        """Bring the rows of a folder up to date; yield those of them that have rows themselves."""
        rows = self._tops if folder is None else self._rows_of(folder)
        number, is_away = (_TOP, False) if folder is None else (folder.number, folder.is_away)
        top = QModelIndex() if folder is None else self.createIndex(folder.row, 0, number)
        after = {node.place for node in nodes}
        for first, last in reversed(_runs_without([each.node.place for each in rows], after)):
            self.beginRemoveRows(top, first, last)
            for gone in rows[first : last + 1]:
                self._forget(gone)
            del rows[first : last + 1]
            _number(rows)
            self.endRemoveRows()
        for at, node in enumerate(nodes):
            if at < len(rows) and rows[at].node.place == node.place:
                continue
            self.beginInsertRows(top, at, at)
            rows[at:at] = self._made((node,), number, is_away=is_away)
            _number(rows)
            self.endInsertRows()
        yield from self._renewed(rows, nodes, is_away=is_away)

    def _renewed(
        self, rows: Sequence[_Shown], nodes: Sequence[FolderNode], *, is_away: bool
    ) -> Iterator[tuple[_Shown | None, Sequence[FolderNode]]]:
        for shown, node in zip(rows, nodes, strict=True):
            before = self._row(shown)
            shown.node, shown.is_away = node, is_away or node.place.path in self._away
            if self._row(shown) != before:
                index = self.createIndex(shown.row, 0, shown.number)
                self.dataChanged.emit(index, index)
            if shown.rows is not None:
                yield shown, node.children

    def _forget(self, gone: _Shown) -> None:
        left = [gone]
        while left:
            each = left.pop()
            self._known.pop(each.number, None)
            left += each.rows or ()


def _holds(folder: FilePlace, place: FilePlace) -> bool:
    if folder.kind is not FolderKind.FOLDER or place.kind is not FolderKind.FOLDER:
        return folder == place
    path = folder.path.rstrip("/\\")
    return folder == place or place.path.startswith((f"{path}/", f"{path}\\"))


def _number(rows: Sequence[_Shown]) -> None:
    for row, shown in enumerate(rows):
        shown.row = row


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


def place_name(place: FilePlace) -> str:
    """Return what a place is called: a folder's last name, or a group's."""
    if place.is_everywhere:
        return library_text.tr("All files")
    return {
        FolderKind.SHARED: library_text.tr("Shared by others"),
        FolderKind.UNFOLLOWED: library_text.tr("Not followed"),
        FolderKind.SINGLE: library_text.tr("Single files"),
        FolderKind.FOLDER: library_text.last_name(place.path) if place.path else "",
    }[place.kind]


def counts_of(row: TreeRow) -> str:
    """Return the second line of a row."""
    return library_text.folder(row.files, row.problems, row.passed_over, is_away=row.is_away)


def _told_of(row: TreeRow) -> str:
    """Return what a row's tooltip says."""
    if row.is_away:
        text = library_text.tr("%1 cannot be reached now; what was read of it is kept.")
        return tip(text.replace("%1", row.place.path))
    return {
        FolderKind.SHARED: tip(
            library_text.tr(
                "Others shared these files. What they change is fetched while this knowledge base "
                "is shared."
            )
        ),
        FolderKind.UNFOLLOWED: tip(
            library_text.tr(
                "No folder that is followed holds these files. What was read of them is kept, "
                "and changes to them are not seen."
            )
        ),
        FolderKind.SINGLE: tip(library_text.tr("Files that were added alone, not in a folder.")),
        FolderKind.FOLDER: tip(row.place.path),
    }[row.place.kind]
