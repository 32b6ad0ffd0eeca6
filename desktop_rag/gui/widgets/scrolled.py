"""A column that scrolls, as wide as its view and as high as its text takes at that width.

`QScrollArea` alone asks a layout for its least height, which for text that breaks its lines is that
of the narrowest width: the column would end in an empty stretch.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget


class ColumnScrollArea(QScrollArea):
    """Scrolls `column` up and down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("clear")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._inside = QWidget()
        self._inside.setObjectName("clear")
        self.column = QVBoxLayout(self._inside)
        self.setWidget(self._inside)
        self._inside.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Fit anew when something inside comes, goes or changes its size."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Fit anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        width = self.viewport().width()
        height = self.column.totalHeightForWidth(width)  # -1 where nothing breaks its lines
        if height < 0:
            height = self.column.totalSizeHint().height()
        self._inside.resize(width, height)
