"""The list of the settings' pages, each with its sign."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Slot
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from desktop_rag.gui.icons import icon
from desktop_rag.gui.theme import Theme

_SIGNS = {
    "window": "window",
    "answering": "chat",
    "retrieval": "search",
    "models": "model",
    "ollama": "server",
    "ingest": "file",
    "chunking": "pieces",
    "privacy": "locked",
}
_SIGN = 17
_AROUND = 15


class PageList(QListWidget):
    """One row a page, by its section."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setObjectName("navigation")
        self.setAccessibleName(self.tr("Pages"))
        self.setIconSize(QSize(_SIGN, _SIGN))
        theme.changed.connect(self.dress)

    @property
    def row_height(self) -> int:
        """How high a row is."""
        return self.fontMetrics().height() + _AROUND

    def add_page(self, section: str, title: str) -> None:
        """Add a page's row."""
        item = QListWidgetItem(title, self)
        item.setData(Qt.ItemDataRole.UserRole, section)
        item.setSizeHint(QSize(0, self.row_height))  # Qt 6.11 leaves the sheet's padding out of it
        self._dress(item)

    @Slot()
    def dress(self) -> None:
        """Draw the signs in the theme's colours."""
        for row in range(self.count()):
            self._dress(self.item(row))

    def _dress(self, item: QListWidgetItem) -> None:
        sign = _SIGNS.get(item.data(Qt.ItemDataRole.UserRole))
        if sign is not None:
            item.setIcon(icon(sign, self._theme.colors.muted))
