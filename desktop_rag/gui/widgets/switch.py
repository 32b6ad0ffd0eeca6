"""A switch: a check box that looks like one, and is one for the keyboard and screen readers."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from desktop_rag.gui.theme import Theme

_WIDTH, _HEIGHT, _EDGE = 36, 20, 2


class Switch(QCheckBox):
    """On or off; it has no text of its own."""

    def __init__(self, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(self.sizeHint())

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Take what is painted."""
        return QSize(_WIDTH + 2 * _EDGE, _HEIGHT + 2 * _EDGE)

    def hitButton(self, pos: QPoint) -> bool:  # noqa: N802 - Qt's
        """Take a click anywhere."""
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint the track, the knob, and a ring when it has the focus."""
        del event
        colors = self._theme.colors
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(_EDGE, _EDGE, _WIDTH, _HEIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.accent if self.isChecked() else colors.faint))
        painter.drawRoundedRect(track, _HEIGHT / 2, _HEIGHT / 2)
        knob = _HEIGHT - 6
        left = track.right() - knob - 3 if self.isChecked() else track.left() + 3
        painter.setBrush(QColor(colors.on_accent if self.isChecked() else colors.base))
        painter.drawEllipse(QRectF(left, track.top() + 3, knob, knob))
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colors.of("text"), 1.5))
            painter.drawRoundedRect(track.adjusted(-1, -1, 1, 1), _HEIGHT / 2 + 1, _HEIGHT / 2 + 1)
