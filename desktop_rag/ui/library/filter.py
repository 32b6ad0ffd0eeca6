"""The library's tree, or only its files with problems."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from desktop_rag.ui.library.model import Role


class ProblemFilter(QSortFilterProxyModel):
    """Lets everything pass, or the files that need attention and the folders that hold them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._only = False
        self.setRecursiveFilteringEnabled(True)

    def show_only_problems(self, only: bool) -> None:  # noqa: FBT001 - a state
        """Hide what is all right, or show it again."""
        self._only = only
        self.invalidate()

    def filterAcceptsRow(  # noqa: N802 - Qt's
        self, row: int, parent: QModelIndex | QPersistentModelIndex
    ) -> bool:
        """Return whether a row is shown."""
        if not self._only:
            return True
        return bool(self.sourceModel().index(row, 0, parent).data(Role.IS_PROBLEM))
