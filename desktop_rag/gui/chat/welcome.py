"""What is said where there is no question yet: what to do, and questions on the samples.

Who has added nothing sees three steps: add, ask, check.
"""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop_rag.core.suggested_question import SuggestedQuestion
from desktop_rag.gui.chat.question_list import OfferedQuestion, QuestionList
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_ready
from desktop_rag.gui.theme import scaled

_WIDEST = 400  # pixels
_BADGE = 22
_BETWEEN = 14
_FEW = 50
_LARGE = 1.6
MOST_QUESTIONS = 4
_SAMPLES = {"Annual report 2024.pdf", "差旅报销制度.md"}


class FirstSteps(QWidget):
    """A column of numbers, each with what to do and how."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaximumWidth(_WIDEST)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 8, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for number, (title, text) in enumerate(self._steps()):
            self._add(grid, number, title, text)

    def _add(self, grid: QGridLayout, number: int, title: str, text: str) -> None:
        badge = QLabel(str(number + 1))
        badge.setObjectName("badge")
        badge.setFixedSize(_BADGE, _BADGE)
        badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        head = QLabel(title)
        head.setObjectName("heading")
        how = QLabel(text)
        how.setObjectName("muted")
        for label in (head, how):
            label.setWordWrap(True)
        grid.addWidget(badge, 3 * number, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(head, 3 * number, 1)
        grid.addWidget(how, 3 * number + 1, 1)
        grid.setRowMinimumHeight(3 * number + 2, _BETWEEN)

    def _steps(self) -> tuple[tuple[str, str], ...]:
        return (
            (
                self.tr("Add a folder or files"),
                self.tr("In the library, or drop them anywhere in this window."),
            ),
            (
                self.tr("Ask a question"),
                self.tr("In your own words, as soon as the first file is read."),
            ),
            (
                self.tr("Check the answer"),
                self.tr("Each number leads to its quote, marked in the document."),
            ),
        )


class Greeting(QWidget):
    """A title and a sentence below it, as they fit what can be asked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel()
        self._title.setFont(scaled(self._title.font(), _LARGE))
        self._text = QLabel()
        self._text.setObjectName("muted")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
            column.addWidget(label)
        self.show_shelf(LibrarySnapshot((), ""))

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Say what fits a knowledge base's state."""
        if not snapshot.branches:
            self._say(
                self.tr("Ask your own documents"),
                self.tr("Every answer shows the quotes it rests on."),
            )
        elif not snapshot.ready and len(snapshot.away) == len(snapshot.branches):
            self._say(
                self.tr("Your documents can't be reached"),
                self.tr("They are read as soon as their drive or network is there again."),
            )
        elif not snapshot.ready and snapshot.files and not snapshot.waiting:
            self._say(
                self.tr("None of these files could be read"),
                self.tr("The list of documents says why."),
            )
        elif not snapshot.ready:
            self._say(
                self.tr("Your documents are being read"),
                self.tr("You can ask as soon as the first one is done."),
            )
        else:
            self._say(
                self.tr("What would you like to know?"),
                self.tr(
                    "Answers come with numbered quotes; "
                    "click a number to see its quote in the document."
                ),
            )

    def _say(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)


class Welcome(QWidget):
    """A greeting and a hint. `question_picked` carries an example's question."""

    question_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._greeting = Greeting()
        self._steps = FirstSteps()
        self.questions = QuestionList(MOST_QUESTIONS)
        self.questions.picked.connect(self.question_picked)
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(40, 20, 40, 20)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._greeting)
        column.addSpacing(8)
        for widget in (self._steps, self.questions):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(widget, 100)
            row.addStretch(1)
            column.addLayout(row)
        column.addStretch(3)

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Say what fits a knowledge base's state."""
        self._greeting.show_shelf(snapshot)
        self._steps.setVisible(not snapshot.branches)


def tr(text: str) -> str:
    """Return a question in the window's language."""
    return QCoreApplication.translate("Welcome", text)


def offered_questions(
    snapshot: LibrarySnapshot, found: tuple[SuggestedQuestion, ...]
) -> tuple[OfferedQuestion, ...]:
    """Return the questions that are offered: those that documents answer, as they were found.

    The samples have some of their own, which are there as soon as these are read.
    """
    told = tuple(OfferedQuestion(each.question, each.title) for each in found)
    return _sample_questions(snapshot) or told


def _sample_questions(snapshot: LibrarySnapshot) -> tuple[OfferedQuestion, ...]:
    few = len(snapshot.files) <= _FEW
    names = {PurePath(row.path).name for row in snapshot.files if is_ready(row)} if few else set()
    if not names >= _SAMPLES:
        return ()
    return (
        OfferedQuestion(tr("How many passengers travelled in 2024?")),
        OfferedQuestion(tr("Why did fuel costs fall?")),
        OfferedQuestion("一线城市的住宿标准是多少？"),
    )
