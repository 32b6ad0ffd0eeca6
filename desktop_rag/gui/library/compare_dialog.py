"""Asks with which document one is to be compared."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.sanitize import sanitize_name

_MOST_SHOWN = 500  # files; the filter finds the others
_PATH = Qt.ItemDataRole.UserRole


class CompareDialog(QDialog):
    """A list of documents to choose from; `settled` carries the chosen paths."""

    settled = Signal(object)

    def __init__(self, name: str, paths: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Compare with"))
        self._paths = tuple(paths)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Part of a name"))
        self.filter.setAccessibleName(self.tr("Part of a name"))
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setAccessibleName(self.tr("Documents"))
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Ok | kinds.Cancel)
        self.buttons.button(kinds.Ok).setText(self.tr("Compare"))
        self.buttons.button(kinds.Cancel).setText(self.tr("Cancel"))
        title = QLabel(self.tr("Compare “%1” with:").replace("%1", sanitize_name(name)))
        title.setWordWrap(True)
        title.setTextFormat(Qt.TextFormat.PlainText)
        column = QVBoxLayout(self)
        for widget in (title, self.filter, self.list, self.buttons):
            column.addWidget(widget)
        self.resize(460, 420)
        self.filter.textChanged.connect(self._narrow)
        self.list.itemSelectionChanged.connect(self._weigh)
        self.list.itemActivated.connect(self.accept)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.accepted.connect(self._settle)
        self._narrow()

    def chosen(self) -> tuple[str, ...]:
        """Return the paths that are chosen."""
        return tuple(str(item.data(_PATH)) for item in self.list.selectedItems())

    @Slot()
    def _narrow(self) -> None:
        words = self.filter.text().casefold().split()
        fit = (p for p in self._paths if all(word in p.casefold() for word in words))
        self.list.clear()
        for path, _ in zip(fit, range(_MOST_SHOWN), strict=False):
            item = QListWidgetItem(sanitize_name(PurePath(path).name))
            item.setData(_PATH, path)
            item.setToolTip(sanitize_name(path))
            self.list.addItem(item)
        self._weigh()

    @Slot()
    def _weigh(self) -> None:
        ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setEnabled(bool(self.list.selectedItems()))

    @Slot()
    def _settle(self) -> None:
        if self.chosen():
            self.settled.emit(self.chosen())
