"""A quiet strip that says something, with perhaps one thing to do about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPixmap, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop_rag.gui.icons import picture
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.buttons import IconButton

_NARROW = 460  # pixels


class Banner(QFrame):
    """Hidden until `say`. `kind` is `banner` (a hint) or `complaint` (something went wrong).

    `acted` comes when its button is pressed.
    """

    acted = Signal()

    def __init__(self, theme: Theme, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._kind = kind
        self.setObjectName(kind)
        self._sign = QLabel()
        self._text = QLabel()
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.button = QPushButton()
        self.button.setObjectName("quiet")
        self.button.clicked.connect(self.acted)
        self.dismiss = IconButton(theme, "close", self.tr("Dismiss"))
        self.dismiss.clicked.connect(self.hide)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(10, 6, 6, 6)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self._sign, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(self._text, 0, 1)
        self._grid.addWidget(self.button, 0, 2)
        self._grid.addWidget(self.dismiss, 0, 3, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Put the button below the text where both have no room beside each other."""
        super().resizeEvent(event)
        left = Qt.AlignmentFlag.AlignLeft
        if event.size().width() < _NARROW:
            self._grid.addWidget(self.button, 1, 1, 1, 2, left)
        else:
            self._grid.addWidget(self.button, 0, 2)

    def say(self, text: str, action: str = "") -> None:
        """Show a text and, if named, a button."""
        self._text.setText(text)
        self.setAccessibleName(text)
        self.button.setText(action)
        self.button.setVisible(bool(action))
        self.show()
        announce(self, text)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    @Slot()
    def _dress(self) -> None:
        name, role = ("info", "warn") if self._kind == "banner" else ("failed", "bad")
        drawn = picture(name, getattr(self._theme.colors, role), 36)
        drawn.setDevicePixelRatio(2)
        self._sign.setPixmap(QPixmap.fromImage(drawn))
