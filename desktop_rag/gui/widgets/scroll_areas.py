"""Parts that are as large as they want to be, and scroll where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

_SHARE = 0.7  # of the screen's height; above and below it are a title and buttons


class ContentScrollArea(QScrollArea):
    """Shows a widget without a frame; it can be scrolled by the keyboard, so it has a name."""

    def __init__(self, content: QWidget, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setAccessibleName(name)
        self.viewport().setObjectName("clear")
        self.setWidget(content)
        self.setMinimumWidth(content.minimumSizeHint().width() + self._bar())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for all of it, as far as the screen goes."""
        wanted = self._content.sizeHint()
        screen = self.screen() or QGuiApplication.primaryScreen()
        highest = int(screen.availableGeometry().height() * _SHARE)
        return QSize(wanted.width() + self._bar(), min(wanted.height() + 2, highest))

    def _bar(self) -> int:
        return self.verticalScrollBar().sizeHint().width()


class PageScrollArea(QScrollArea):
    """Shows a page that may be larger than its place; the keyboard goes to what is in it."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.viewport().setObjectName("clear")
        self.setWidget(content)
        self.setMinimumWidth(content.minimumSizeHint().width())
