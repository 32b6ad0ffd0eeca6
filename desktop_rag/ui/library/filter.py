"""The library's tree with nothing but its problems."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel

from desktop_rag.ui.library.model import Role


class ProblemFilter(QSortFilterProxyModel):
    """Lets the files that need attention pass, and the folders that hold them."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setRecursiveFilteringEnabled(True)

    def filterAcceptsRow(  # noqa: N802 - Qt's
        self, row: int, parent: QModelIndex | QPersistentModelIndex
    ) -> bool:
        """Return whether a row is shown."""
        return bool(self.sourceModel().index(row, 0, parent).data(Role.IS_PROBLEM))
