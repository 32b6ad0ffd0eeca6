"""Where the question to compare is written, with what is asked and what begins and ends it."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop_rag.gui.chat.composer import QuestionEdit
from desktop_rag.gui.chat.kb_chips import KbChips
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.theme import Theme


class CompareQuestion(QFrame):
    """`wanted` asks for the comparison, `stopped` for its end; `typed` says that the text changed.

    `more` and `copy` are buttons that the page shows where they mean something.
    """

    wanted = Signal()
    stopped = Signal()
    typed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._running = False
        self._current = ""
        self.setObjectName("composer")
        self.edit = QuestionEdit()
        self.edit.setPlaceholderText(self.tr("Ask one question in several ways"))
        self.edit.setAccessibleName(self.tr("Question to compare"))
        self.chips = KbChips(theme)
        self.copy = QPushButton(self.tr("Copy as table"))
        self.more = QPushButton(self.tr("Add a way"))
        self.go = QPushButton()
        self.go.setObjectName("primary")
        for button in (self.more, self.copy):
            button.setObjectName("quiet")
        self._lay_out()
        self.edit.submitted.connect(self.wanted)
        self.edit.textChanged.connect(self._tell)
        self.edit.focused.connect(self._outline)
        self.go.clicked.connect(self._press)
        self.set_running(running=False)

    @property
    def text(self) -> str:
        """What is typed."""
        return self.edit.toPlainText().strip()

    @property
    def kbs(self) -> tuple[str, ...]:
        """The knowledge bases that are asked."""
        return self.chips.chosen() or tuple(filter(None, (self._current,)))

    @Slot(object)
    def show_shelf(self, shelf: LibrarySnapshot) -> None:
        """Offer the shelf's knowledge bases to be asked."""
        self._current = shelf.current
        self.chips.offer(tuple(kb.name for kb in shelf.kbs), shelf.current)

    def set_running(self, *, running: bool) -> None:
        """Turn Compare into Stop, or back."""
        self._running = running
        self.go.setText(self.tr("Stop") if running else self.tr("Compare"))
        self.go.setToolTip(self.tr("Stop (Esc)") if running else self.tr("Compare (Enter)"))
        self.go.setEnabled(running or bool(self.text))

    @Slot()
    def _press(self) -> None:
        (self.stopped if self._running else self.wanted).emit()

    @Slot()
    def _tell(self) -> None:
        self.set_running(running=self._running)
        self.typed.emit()

    @Slot(object)
    def _outline(self, focused: bool) -> None:  # noqa: FBT001 - a signal's value
        self.setProperty("focused", focused)
        self.style().unpolish(self)
        self.style().polish(self)

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.addWidget(self.chips, 1)
        for button in (self.copy, self.more, self.go):
            below.addWidget(button)
        inside = QVBoxLayout(self)
        inside.setContentsMargins(12, 8, 8, 8)
        inside.addWidget(self.edit)
        inside.addLayout(below)
