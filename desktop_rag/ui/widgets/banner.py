"""A quiet strip that says something, with perhaps one thing to do about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from desktop_rag.ui.icons import picture
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.widgets.announcing import announce
from desktop_rag.ui.widgets.buttons import IconButton


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
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 6, 6)
        row.setSpacing(8)
        row.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        row.addWidget(self.button)
        row.addWidget(self.dismiss, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

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
