"""A card of work that is done in the background: what it gives, how far it is, begin and remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.widgets.cards import text_label

_PROGRESS_HEIGHT = 4


class BackgroundWorkCard(QFrame):
    """What such cards share. `go` begins, or does what comes next; `decide` says which was chosen.

    `details` stand under the state, `more` are buttons before the others.
    """

    def __init__(self, details: Sequence[QWidget], more: Sequence[QPushButton] = ()) -> None:
        super().__init__()
        self.setObjectName("card")
        self.title = QLabel()
        self.title.setObjectName("heading")
        self.effect = text_label("", "muted")
        self.state = text_label("", "small")
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setFixedHeight(_PROGRESS_HEIGHT)
        self.go = QPushButton()
        self.remove = QPushButton()
        for button in (self.remove, *more):
            button.setObjectName("quiet")
        self.action = ""
        self._buttons = (*more, self.remove, self.go)
        self._lay_out(details)
        self.go.clicked.connect(self._go)
        self.remove.clicked.connect(self._remove)

    def decide(self, action: str) -> None:
        """Do what was chosen: the action that the card shows, or `remove`."""
        raise NotImplementedError

    def name_buttons(self) -> None:
        """Tell screen readers what each button is for, of several cards."""
        for button in self._buttons:
            button.setAccessibleName(f"{button.text()}: {self.title.text()}")

    def show_progress(self, done: int, total: int, *, is_shown: bool) -> None:
        """Show how much is done."""
        self.progress.setVisible(is_shown)
        self.progress.setRange(0, max(1, total))
        self.progress.setValue(done)

    @Slot()
    def _go(self) -> None:
        self.decide(self.action)

    @Slot()
    def _remove(self) -> None:
        self.decide("remove")

    def _lay_out(self, details: Sequence[QWidget]) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        for button in self._buttons:
            head.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(6)
        column.addLayout(head)
        for part in (self.effect, self.state, *details, self.progress):
            column.addWidget(part)
