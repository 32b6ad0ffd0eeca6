"""The workbench: a page of the window whose tabs try, compare and measure ways to answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.app.desk import Desk
from desktop_rag.app.question_forms import Form
from desktop_rag.app.tried import Aim
from desktop_rag.ui.theme import HEAD, Theme
from desktop_rag.ui.widgets.buttons import IconButton, Tab
from desktop_rag.ui.widgets.rule import rule
from desktop_rag.ui.workbench.compare import Compare
from desktop_rag.ui.workbench.evaluation import Evaluation
from desktop_rag.ui.workbench.question_dialog import QuestionDialog, default_set
from desktop_rag.ui.workbench.search_test import SearchTest
from desktop_rag.ui.workbench.sheet import Sheet

SHEETS: tuple[type[Sheet], ...] = (SearchTest, Compare, Evaluation)


class Workbench(QWidget):
    """Shows one sheet at a time, made when it is first looked at.

    `left` asks for the conversation again, `document_wanted` carries the `Opened` to show.
    """

    left = Signal()
    document_wanted = Signal(object)

    def __init__(self, theme: Theme, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._desk = desk
        self._made: dict[int, Sheet] = {}
        self.back = IconButton(theme, "back", self.tr("Back to the conversation (Esc)"))
        self.tabs = QButtonGroup(self)
        self._stack = QStackedWidget()
        self._lay_out()
        self.back.clicked.connect(self.left)
        self.tabs.idClicked.connect(self.show_sheet)

    @property
    def current(self) -> int:
        """Which sheet is shown, from 0."""
        return max(0, self.tabs.checkedId())

    @Slot()
    def enter(self) -> None:
        """Show the sheet that was shown last, ready to be typed in."""
        self.show_sheet(self.current)

    @Slot(int)
    def show_sheet(self, number: int) -> None:
        """Show one of the sheets."""
        sheet = self.sheet(SHEETS[number])
        self.tabs.button(number).setChecked(True)
        self._stack.setCurrentWidget(sheet)
        sheet.begin()

    @Slot(object)
    def save_question(self, form: Form) -> None:
        """Let the user save an answer as a test question, wherever in the window they are."""
        named = replace(form, set_name=default_set(self._desk))
        QuestionDialog(self._desk, named, self.window()).open()

    def follow(self, aim: Aim) -> None:
        """Say why a passage that was pointed at is, or is not, found."""
        self.show_sheet(SHEETS.index(SearchTest))
        sheet = self.sheet(SearchTest)
        if isinstance(sheet, SearchTest):
            sheet.follow(aim)

    def sheet(self, kind: type[Sheet]) -> Sheet:
        """Return the sheet of a kind, making it if it was never shown."""
        number = SHEETS.index(kind)
        if number not in self._made:
            made = kind(self._theme, self._desk)
            made.document_wanted.connect(self.document_wanted)
            made.left.connect(self.left)
            self._stack.addWidget(made)
            self._made[number] = made
        return self._made[number]

    def stop(self) -> bool:
        """End what the sheet that is shown is at; say whether it was at anything."""
        made = self._made.get(self.current)
        return made is not None and made.stop()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(4)
        row.addWidget(self.back)
        for number, kind in enumerate(SHEETS):
            tab = Tab(kind.title())
            self.tabs.addButton(tab, number)
            row.addWidget(tab)
        row.addStretch(1)
        head = QWidget()
        head.setLayout(row)
        head.setMinimumHeight(HEAD)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(rule())
        column.addWidget(self._stack, 1)
