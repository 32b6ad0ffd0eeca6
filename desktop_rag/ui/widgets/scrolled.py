"""A part of a dialog that is as large as it wants to be, and scrolls where the screen is not."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

_SHARE = 0.7  # of the screen's height; above and below it are a title and buttons


class Scrolled(QScrollArea):
    """Shows a widget without a frame; it can be scrolled by the keyboard, so it has a name."""

    def __init__(self, content: QWidget, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setAccessibleName(name)
        self.viewport().setObjectName("clear")
        self.setWidget(content)
        self.setMinimumWidth(content.minimumSizeHint().width() + self._bar())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for all of it, as far as the screen goes."""
        wanted = self.widget().sizeHint()
        screen = self.screen() or QGuiApplication.primaryScreen()
        highest = int(screen.availableGeometry().height() * _SHARE)
        return QSize(wanted.width() + self._bar(), min(wanted.height() + 2, highest))

    def _bar(self) -> int:
        return self.verticalScrollBar().sizeHint().width()
