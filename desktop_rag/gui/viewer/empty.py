"""What the pane of sources shows while there are none: what will be here, and what it is for."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop_rag.gui.icons import picture
from desktop_rag.gui.theme import Theme

_SIGN = 28
_SHARPNESS = 3  # sharp up to 300 %


class EmptySources(QWidget):
    """A sign and two sentences, in the middle."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = QLabel()
        self._sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text = QLabel(
            self.tr(
                "The quotes that an answer rests on appear here.\n\n"
                "Click one to see it marked in its document."
            )
        )
        text.setObjectName("muted")
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 14, 24, 14)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._sign)
        column.addWidget(text)
        column.addStretch(3)
        theme.changed.connect(self._dress)
        self._dress()

    @Slot()
    def _dress(self) -> None:
        drawn = picture("quote", self._theme.colors.faint, _SIGN * _SHARPNESS)
        drawn.setDevicePixelRatio(_SHARPNESS)
        self._sign.setPixmap(QPixmap.fromImage(drawn))
