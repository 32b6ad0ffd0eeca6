"""Scroll areas: for a column of text, for a widget, and for a page that may be too large.

`ColumnScrollArea` is as wide as its view and as high as its text takes at that width. `QScrollArea`
alone asks a layout for its least height, which for text that breaks its lines is that of the
narrowest width: the column would end in an empty area.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

_SHARE = 0.7  # of the screen's height; above and below it are a title and buttons


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
