"""A choice of one of a knowledge base's files, however many it has."""

from __future__ import annotations

import os

from PySide6.QtCore import QStringListModel
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QListView, QWidget

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot


class FileCombo(QComboBox):
    """Its list is made when somebody is about to look at it: a snapshot changes often."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot = LibrarySnapshot((), "")
        self._paths: tuple[str, ...] = ("",)
        self._names = QStringListModel([self.tr("In any file")], self)
        rows = QListView()
        rows.setUniformItemSizes(True)
        self.setView(rows)
        self.setModel(self._names)
        self.setAccessibleName(self.tr("File"))
        self.setMaxVisibleItems(20)
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    @property
    def path(self) -> str:
        """The path of the file that is chosen; empty for any."""
        return self._paths[max(0, self.currentIndex())]

    def offer(self, snapshot: LibrarySnapshot) -> None:
        """Offer the files of a knowledge base; those that were left out, too."""
        is_other = snapshot.current != self._snapshot.current
        self._snapshot = snapshot
        if is_other:
            self.choose("")

    def choose(self, path: str) -> None:
        """Choose a file, or any."""
        if path:
            self.fill()
        self.setCurrentIndex(self._paths.index(path) if path in self._paths else 0)

    def fill(self) -> None:
        """Bring the list up to date; what is chosen stays chosen."""
        paths = ("", *(row.path for row in (*self._snapshot.files, *self._snapshot.excluded)))
        if paths == self._paths:
            return
        chosen, self._paths = self.path, paths
        self.blockSignals(True)
        self._names.setStringList([self.tr("In any file"), *map(_named, paths[1:])])
        self.setCurrentIndex(paths.index(chosen) if chosen in paths else 0)
        self.blockSignals(False)

    def showPopup(self) -> None:  # noqa: N802 - Qt's
        """Show the files there are now."""
        self.fill()
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's
        """Know the files that the keyboard may choose from."""
        self.fill()
        super().focusInEvent(event)


def _named(path: str) -> str:
    """Return a file's name and its folder's."""
    above, _, name = path.rpartition(os.sep)
    folder = above.rpartition(os.sep)[2]
    return sanitize_name(f"{name} — {folder}" if folder else name)
