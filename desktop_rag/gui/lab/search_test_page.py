"""The search test: a question, the passages it finds with every score, and options to try.

`SearchTestView` lays out the widgets of the page, `SearchTestPage` connects them to the controller.
"""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.core.types import Passage
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.open_document import document_of_passage
from desktop_rag.gui.controllers.settings import SettingsController, declared
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.lab import search_test_text as phrases
from desktop_rag.gui.lab.explain_panel import ExplainPanel
from desktop_rag.gui.lab.lab_page import LabPage
from desktop_rag.gui.lab.search_test_options import SearchTestOptions
from desktop_rag.gui.lab.search_test_results import SearchTestResultList
from desktop_rag.gui.lab.search_test_values import (
    PassageTarget,
    PassageTrace,
    SearchTestQuery,
    SearchTestResult,
    target_of,
)
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.viewer.source_list_model import matched_locator
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.banner import Banner
from desktop_rag.gui.widgets.buttons import Tab
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea

_BESIDE = 640  # pixels from which the options stand beside what was found, not above it
_OPTIONS_WIDTH = 350
FOUND, WHY = 0, 1


class SearchTestView(QWidget):
    """The question, two pages below it (what was found; why something was not), the options."""

    def __init__(
        self, theme: Theme, settings: SettingsController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.question = QLineEdit()
        self.run = QPushButton(self.tr("Search"))
        self.stop = QPushButton(self.tr("Stop"))
        self.options_button = QPushButton(self.tr("Options"))
        self.tabs = QButtonGroup(self)
        self.info = QLabel()
        self.empty = QLabel()
        self.trouble = Banner(theme, "complaint")
        self.options = SearchTestOptions(theme, settings)
        self.list = SearchTestResultList(theme)
        self.why = ExplainPanel(theme)
        self._found = QStackedWidget()
        self._pages = QStackedWidget()
        self._split = QSplitter()
        self._side = PageScrollArea(self.options)
        self._dress()
        self._lay_out()
        self.options_button.toggled.connect(self._side.setVisible)
        self.options.changed.connect(self.count_options)
        self.tabs.idClicked.connect(self.show_page)

    @property
    def page(self) -> int:
        """Which page is shown."""
        return self._pages.currentIndex()

    @Slot(int)
    def show_page(self, number: int) -> None:
        """Show what was found, or why something was not."""
        self.tabs.button(number).setChecked(True)
        self._pages.setCurrentIndex(number)

    def show_found(self, *, is_any: bool) -> None:
        """Show the list, or what is said where there is nothing in it."""
        self._found.setCurrentWidget(self.list if is_any else self.empty)

    def show_busy(self, *, is_busy: bool) -> None:
        """Offer to stop what is on its way, or else to search."""
        had_focus = self.run.hasFocus() or self.stop.hasFocus()
        self.stop.setVisible(is_busy)
        self.run.setVisible(not is_busy)
        if had_focus:
            (self.stop if is_busy else self.run).setFocus()

    @Slot()
    def count_options(self) -> None:
        """Say how many options differ from the settings."""
        number = len(self.options.tried)
        text = self.tr("Options: %n changed", "", number) if number else self.tr("Options")
        self.options_button.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Put the options beside what was found where there is room."""
        super().resizeEvent(event)
        beside = event.size().width() >= _BESIDE
        way = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if self._split.orientation() != way:
            self._split.setOrientation(way)
            self._split.insertWidget(1 if beside else 0, self._side)
        self._side.setMaximumWidth(_OPTIONS_WIDTH if beside else 1 << 20)

    def _dress(self) -> None:
        self.question.setAccessibleName(self.tr("Question to search for"))
        self.question.setClearButtonEnabled(True)
        self.run.setObjectName("primary")
        self.stop.hide()
        self.options_button.setObjectName("quiet")
        self.options_button.setCheckable(True)
        self.options_button.setToolTip(self.tr("Try other settings of retrieval"))
        self.info.setObjectName("muted")
        self.info.setFont(scaled(self.info.font(), SMALL))
        self.info.setTextFormat(Qt.TextFormat.PlainText)  # documents' titles come into it
        self.info.setWordWrap(True)
        self.info.setContentsMargins(16, 6, 16, 2)
        self.info.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.info.hide()
        self.empty.setObjectName("muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(40, 20, 40, 60)
        self._side.hide()
        self._side.setAccessibleName(self.tr("Options"))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._top())
        column.addLayout(self._second())
        around = QVBoxLayout()
        around.setContentsMargins(12, 0, 12, 4)
        around.addWidget(self.trouble)
        column.addLayout(around)
        column.addWidget(self._body(), 1)

    def _top(self) -> QHBoxLayout:
        top = QHBoxLayout()
        top.setContentsMargins(12, 10, 12, 4)
        top.setSpacing(8)
        top.addWidget(self.question, 1)
        top.addWidget(self.run)
        top.addWidget(self.stop)
        return top

    def _second(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 12, 4)
        row.setSpacing(4)
        for number, text in enumerate((self.tr("Passages"), self.tr("Why was this not found?"))):
            tab = Tab(text)
            self.tabs.addButton(tab, number)
            row.addWidget(tab)
        self.tabs.button(FOUND).setChecked(True)
        row.addStretch(1)
        row.addWidget(self.options_button)
        return row

    def _body(self) -> QSplitter:
        self._found.addWidget(self.empty)
        self._found.addWidget(self.list)
        found = QWidget()
        inside = QVBoxLayout(found)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(0)
        inside.addWidget(self.info)
        listed = QVBoxLayout()
        listed.setContentsMargins(8, 2, 8, 4)
        listed.addWidget(self._found)
        inside.addLayout(listed, 1)
        self._pages.addWidget(found)
        self._pages.addWidget(self.why)
        self._side.setFrameShape(QFrame.Shape.NoFrame)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._pages)
        self._split.addWidget(self._side)
        self._split.setStretchFactor(0, 1)
        return self._split


class SearchTestPage(LabPage):
    """Tries searches with a `SearchTestController`; the last result is shown again."""

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(theme, context, parent)
        self._trying = context.trying
        self._aim: PassageTarget | None = None
        self.face = SearchTestView(theme, context.settings)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.face)
        self._connect()
        self._show_again()

    @classmethod
    def title(cls) -> str:
        """Return the tab's text."""
        return QCoreApplication.translate("SearchTestPage", "Search test")

    def begin(self) -> None:
        """Take the keyboard to the question."""
        self.face.question.setFocus()
        self.face.question.selectAll()

    @Slot(object)
    def follow(self, aim: PassageTarget) -> None:
        """Say why a passage that was pointed at elsewhere is, or is not, found."""
        transcript = self.context.chat.transcript
        if aim.answer_id:
            aim = replace(aim, chat_id=transcript.chat_id, kbs=transcript.kbs)
        asked = transcript.turns[-1].question if transcript.turns else ""
        self.face.question.setText(aim.question or self.trial.question or asked)
        self.face.show_page(WHY)
        self.face.why.name(aim)
        self._explain(aim)

    @property
    def trial(self) -> SearchTestQuery:
        """What is to be tried now."""
        options = self.face.options
        question = " ".join(self.face.question.text().split())
        kb = self.context.library.snapshot.current
        return SearchTestQuery(question, kb, options.rules, options.k, options.where)

    @Slot()
    def _run(self) -> None:
        """Search; while a passage's way is looked at, follow it, too."""
        if not self.trial.question:
            self.face.question.setFocus()
            return
        self.face.trouble.hide()
        if self.face.page == WHY and self._aim is not None:
            self._trying.explain(self.trial, replace(self._aim, question="", chat_id=None))
        self._trying.search(self.trial)

    @Slot(object)
    def _explain(self, aim: PassageTarget) -> None:
        """Follow a passage; without a question, it waits for one."""
        self._aim = aim
        if not self.trial.question:
            self.face.why.wait_for_question()
            self.face.question.setFocus()
            return
        self.face.trouble.hide()
        self._trying.explain(self.trial, aim)

    @Slot()
    def _try_options(self) -> None:
        """Search again under other options, once there was a search."""
        if self._trying.result is not None or self._trying.way is not None:
            self._run()

    @Slot(object)
    def _try_remedy(self, tried: str) -> None:
        """Try what would help: another question, or another option."""
        key, equals, value = tried.partition("=")
        if equals and (key == "k" or key in declared):
            self.face.options_button.setChecked(True)
            self.face.options.try_value(key, float(value))
        else:
            self.face.question.setText(tried)
            self._run()

    @Slot(object)
    def _want_chunks(self, path: str) -> None:
        self._trying.want_chunks(self.context.library.snapshot.current, path)

    @Slot(object)
    def _show_result(self, tested: SearchTestResult) -> None:
        face = self.face
        face.list.rows.show_result(tested)
        face.info.setText(phrases.summary_text(tested))
        face.info.show()
        face.empty.setText(self.tr("Nothing was found."))
        face.show_found(is_any=bool(tested.rows))
        announce(self, self.tr("%n passage(s) found", "", len(tested.rows)))

    @Slot(object)
    def _show_way(self, way: PassageTrace) -> None:
        self.face.why.show_way(way)

    @Slot()
    def _show_busy(self) -> None:
        trying = self._trying
        self.face.show_busy(is_busy=trying.is_busy or trying.is_asking)
        if not trying.is_asking and trying.way is None and self.trial.question:
            self.face.why.show_way(None)

    @Slot(object)
    def _complain(self, error: UserError) -> None:
        self.face.trouble.say(
            join_sentences(translate_message(error.what), translate_message(error.remedy))
        )

    @Slot(object)
    def _show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Show what can be searched."""
        face = self.face
        face.why.show_shelf(snapshot)
        has_passages = any(row.chunks for row in snapshot.files)
        text = self.tr("Search in “%1”")
        face.question.setPlaceholderText(text.replace("%1", shown_name(snapshot.current)))
        last = self._trying.result
        if last is not None and last.trial.kb != snapshot.current:
            self._trying.forget()
            face.list.rows.show_result(None)
            face.info.hide()
        if self._trying.result is None:
            face.show_found(is_any=False)
            face.empty.setText(self._hint() if has_passages else self._nothing())

    def _hint(self) -> str:
        return self.tr(
            "Ask something, and see which passages are found, with every rank and score. "
            "Options are tried without being kept."
        )

    def _nothing(self) -> str:
        return self.tr("This knowledge base has no passages yet. Add files to it first.")

    @Slot(object)
    def _open(self, passage: Passage) -> None:
        self.document_wanted.emit(document_of_passage(passage, matched_locator(passage)))

    @Slot(object)
    def _ask_why(self, passage: Passage) -> None:
        self.follow(target_of(passage))

    @Slot(int)
    def _pick_page(self, number: int) -> None:
        if number == WHY:
            self.face.why.begin()

    def _show_again(self) -> None:
        """Show what was tried last, as when all is made anew in another language."""
        self._show_shelf(self.context.library.snapshot)
        last, way = self._trying.result, self._trying.way
        if last is not None:
            self.face.question.setText(last.trial.question)
            self._show_result(last)
        if way is not None:
            self._aim = way.aim
            self.face.why.name(way.aim)
            self.face.why.show_way(way)
        self._show_busy()

    def _connect(self) -> None:
        face, trying = self.face, self._trying
        face.question.returnPressed.connect(self._run)
        face.run.clicked.connect(self._run)
        face.stop.clicked.connect(trying.stop)
        face.tabs.idClicked.connect(self._pick_page)
        face.options.changed.connect(self._try_options)
        face.list.opened.connect(self._open)
        face.list.why_asked.connect(self._ask_why)
        face.why.asked.connect(self._explain)
        face.why.chunks_wanted.connect(self._want_chunks)
        face.why.document_wanted.connect(self.document_wanted)
        face.why.remedy_wanted.connect(self._try_remedy)
        trying.tested.connect(self._show_result)
        trying.trace_changed.connect(self._show_way)
        trying.listed.connect(face.why.show_chunks)
        trying.failed.connect(self._complain)
        trying.busy_changed.connect(self._show_busy)
        self.context.library.snapshot_changed.connect(self._show_shelf)
