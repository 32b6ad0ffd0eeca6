"""Questions that can be asked by one click."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.widgets.tooltips import tip

_PADDING = 26  # pixels of a button beside its text


@dataclass(frozen=True, slots=True)
class OfferedQuestion:
    """A question and the name of the document that answers it, "" where that is not known."""

    text: str
    document: str = ""


class QuestionButton(QPushButton):
    """One question on one line, cut where it does not fit."""

    def __init__(self, offered: OfferedQuestion, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.question = offered.text
        self._line = sanitize_name(offered.text)
        self.setObjectName("offer")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self._line)
        self.setToolTip(tip(offered.document or self._line))
        self.setText(self._line.replace("&", "&&"))

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for the whole question's room."""
        wide = self.fontMetrics().horizontalAdvance(self._line) + _PADDING
        return QSize(wide, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's
        """Ask for no width."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Cut anew."""
        super().resizeEvent(event)
        room = event.size().width() - _PADDING + 2
        cut = self.fontMetrics().elidedText(self._line, Qt.TextElideMode.ElideRight, room)
        self.setText(cut.replace("&", "&&"))


class QuestionList(QWidget):
    """A column of questions; `picked` carries the text of one. Hidden while there are none."""

    picked = Signal(object)

    def __init__(self, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most = most
        self._shown: tuple[OfferedQuestion, ...] = ()
        self.buttons: list[QuestionButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.hide()

    def offer(self, questions: tuple[OfferedQuestion, ...]) -> None:
        """Offer the first of these questions."""
        questions = questions[: self._most]
        if questions == self._shown:
            return
        self._shown = questions
        for button in self.buttons:
            self._column.removeWidget(button)
            button.deleteLater()
        self.buttons = [QuestionButton(each) for each in questions]
        for button in self.buttons:
            button.clicked.connect(self._pick)
            self._column.addWidget(button)
        self.setVisible(bool(questions))

    @Slot()
    def _pick(self) -> None:
        button = self.sender()
        if isinstance(button, QuestionButton):
            self.picked.emit(button.question)
