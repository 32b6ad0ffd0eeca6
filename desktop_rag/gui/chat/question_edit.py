"""The field in which a question is typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

_LINES = 7


class QuestionEdit(QPlainTextEdit):
    """A field that grows with its text; Enter is `submitted`, Shift+Enter a new line.

    The up arrow in the empty field is `recalled`.
    """

    submitted = Signal()
    recalled = Signal()
    focused = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().setDocumentMargin(3)
        self.textChanged.connect(self._grow)
        self._composing = False
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Send on Enter, unless Shift is down or an input method is still composing."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if enter and not shift and not self._composing:
            self.submitted.emit()
            return
        if event.key() == Qt.Key.Key_Up and self.document().isEmpty() and not self._composing:
            self.recalled.emit()
            return
        super().keyPressEvent(event)

    @property
    def is_composing(self) -> bool:
        """Whether an input method holds text that is not in the field yet."""
        return self._composing

    def canInsertFromMimeData(self, source: QMimeData) -> bool:  # noqa: N802 - Qt's
        """Take no files: what is dropped goes to the window, which adds it."""
        has_files = any(url.isLocalFile() for url in source.urls())
        return not has_files and super().canInsertFromMimeData(source)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802 - Qt's
        """Remember whether Chinese or Japanese text is being composed."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's
        """Tell the frame around it."""
        super().focusInEvent(event)
        self.focused.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's
        """Tell the frame around it."""
        super().focusOutEvent(event)
        self.focused.emit(False)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's
        """Fit a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._grow()

    @Slot()
    def _grow(self) -> None:
        lines = min(_LINES, max(1, int(self.document().size().height())))
        margins = 2 * self.document().documentMargin()
        self.setFixedHeight(int(lines * self.fontMetrics().lineSpacing() + margins) + 2)
