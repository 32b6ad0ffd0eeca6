"""The line above a document in which one searches it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton

_PAUSE_MS = 180  # without a key before the search begins


class DocumentFindBar(QFrame):
    """Hidden until `begin`.

    `searched` carries the words, `stepped` 1 or -1; `left` says that the search is over.
    """

    searched = Signal(object)
    stepped = Signal(object)
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._searched = ""
        self._soon = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(self.tr("Find in this document"))
        self.edit.setAccessibleName(self.tr("Find in this document"))
        self.edit.installEventFilter(self)
        self.count = QLabel()
        self.count.setObjectName("muted")
        self.previous = IconButton(theme, "up", self.tr("Previous place (Shift+Enter)"))
        self.following = IconButton(theme, "down", self.tr("Next place (Enter)"))
        close = IconButton(theme, "close", self.tr("Close (Esc)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 4, 4)
        row.setSpacing(4)
        row.addWidget(self.edit, 1)
        row.addWidget(self.count)
        for button in (self.previous, self.following, close):
            row.addWidget(button)
        self.edit.textEdited.connect(self._wait)
        self._soon.timeout.connect(self._search)
        self.previous.clicked.connect(self._go_back)
        self.following.clicked.connect(self._go_on)
        close.clicked.connect(self.leave)
        self.hide()

    def begin(self) -> None:
        """Show the line, ready for typing."""
        self.show()
        self.edit.setFocus()
        self.edit.selectAll()
        if self.edit.text() and not self._searched:
            self._search()

    def tell(self, index: int, total: int, *, done: bool) -> None:
        """Say which place of how many is looked at; index counts from 0."""
        if not self._searched:
            self.count.setText("")
        elif not total:
            self.count.setText(self.tr("No place found") if done else self.tr("Searching…"))
        else:
            more = "" if done else " …"
            self.count.setText(f"{index + 1} / {total}{more}")
        self.count.setAccessibleName(self.count.text())
        self.previous.setEnabled(total > 0)
        self.following.setEnabled(total > 0)

    @Slot()
    def leave(self) -> None:
        """Hide the line; what was found is no longer marked."""
        self.hide()
        self.forget()
        self.left.emit()

    def forget(self) -> None:
        """Look for nothing: another document is shown, or the line was closed."""
        self._soon.stop()
        if self._searched:
            self._searched = ""
            self.searched.emit("")
        self.count.setText("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Go on with Enter, back with Shift and Enter."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._enter(-1 if back else 1)
                return True
        return super().eventFilter(watched, event)

    def _enter(self, by: int) -> None:
        if self.edit.text() != self._searched:
            self._search()
        else:
            self.stepped.emit(by)

    @Slot()
    def _wait(self) -> None:
        self._soon.start()

    @Slot()
    def _search(self) -> None:
        self._soon.stop()
        self._searched = self.edit.text()
        self.searched.emit(self._searched.strip())

    @Slot()
    def _go_on(self) -> None:
        self._enter(1)

    @Slot()
    def _go_back(self) -> None:
        self._enter(-1)
