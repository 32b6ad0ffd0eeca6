"""The workbench: a page of the window whose tabs try, compare and measure ways to answer."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.lab.compare_page import ComparePage
from desktop_rag.gui.lab.evaluation_page import EvaluationPage
from desktop_rag.gui.lab.lab_page import LabPage
from desktop_rag.gui.lab.question_dialog import QuestionDialog, default_set
from desktop_rag.gui.lab.question_form import QuestionForm
from desktop_rag.gui.lab.search_test_page import SearchTestPage
from desktop_rag.gui.lab.search_test_values import PassageTarget
from desktop_rag.gui.theme import HEAD, Theme
from desktop_rag.gui.widgets.buttons import IconButton, Tab
from desktop_rag.gui.widgets.separator import separator

LAB_PAGES: tuple[type[LabPage], ...] = (SearchTestPage, ComparePage, EvaluationPage)


class LabTabs(QWidget):
    """Shows one sheet at a time, made when it is first looked at.

    `left` asks for the conversation again, `document_wanted` carries the `OpenDocument` to show,
    `preparations_wanted` a knowledge base's name.
    """

    left = Signal()
    preparations_wanted = Signal(str)
    document_wanted = Signal(object)

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._context = context
        self._made: dict[int, LabPage] = {}
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
        sheet = self.sheet(LAB_PAGES[number])
        self.tabs.button(number).setChecked(True)
        self._stack.setCurrentWidget(sheet)
        sheet.begin()

    @Slot(object)
    def save_question(self, form: QuestionForm) -> None:
        """Let the user save an answer as a test question, wherever in the window they are."""
        named = replace(form, set_name=default_set(self._context))
        QuestionDialog(self._context, named, self.window()).open()

    def follow(self, aim: PassageTarget) -> None:
        """Say why a passage that was pointed at is, or is not, found."""
        self.show_sheet(LAB_PAGES.index(SearchTestPage))
        sheet = self.sheet(SearchTestPage)
        if isinstance(sheet, SearchTestPage):
            sheet.follow(aim)

    def sheet(self, kind: type[LabPage]) -> LabPage:
        """Return the sheet of a kind, making it if it was never shown."""
        number = LAB_PAGES.index(kind)
        if number not in self._made:
            made = kind(self._theme, self._context)
            made.document_wanted.connect(self.document_wanted)
            made.left.connect(self.left)
            made.preparations_wanted.connect(self.preparations_wanted)
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
        for number, kind in enumerate(LAB_PAGES):
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
        column.addWidget(separator())
        column.addWidget(self._stack, 1)
