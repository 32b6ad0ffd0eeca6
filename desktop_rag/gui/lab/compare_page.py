"""The page that compares: one question, answered in two or three ways side by side.

First the field in which the question is written, with what is asked and what begins and ends it;
then the page with the answers, their sources and their cost.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.settings import Settings
from desktop_rag.gui.chat.kb_chips import KbChips
from desktop_rag.gui.chat.question_edit import QuestionEdit
from desktop_rag.gui.clipboard_tables import as_table
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.chat import AskOptions
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.llm_health import Health, Ready
from desktop_rag.gui.controllers.open_document import document_of_citation
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.lab import comparison_text
from desktop_rag.gui.lab.compare_controller import FEWEST, MOST, AnswerMethod, Comparison
from desktop_rag.gui.lab.comparison_column import ComparisonColumnView
from desktop_rag.gui.lab.lab_page import LabPage
from desktop_rag.gui.lab.shared_sources import sources_of
from desktop_rag.gui.lab.shared_sources_table import SharedSourcesTable
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.viewer.source_list_model import matched_locator
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.banner import Banner
from desktop_rag.gui.widgets.elided_label import ElidedLabel
from desktop_rag.gui.widgets.web_link_dialog import WebLinkDialog

_ROWS, _FEW_ROWS, _LOW = 6, 3, 660  # of the sources at once; pixels of a low page
_NEXT = ("thorough", "single_pass")  # what a further column begins with, where it is there


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
    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Offer the snapshot's knowledge bases to be asked."""
        self._current = snapshot.current
        self.chips.offer(tuple(kb.name for kb in snapshot.kbs), snapshot.current)

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


class ComparePage(LabPage):
    """Shows the comparison. Nothing of it is kept unless it is asked in the conversation."""

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(theme, context, parent)
        self._controller = context.comparing
        self.question = CompareQuestion(theme)
        self.hint = QLabel()
        self.asked = ElidedLabel(Qt.TextElideMode.ElideRight)
        self.banner = Banner(theme, "banner")
        self.columns: list[ComparisonColumnView] = []
        self.table = SharedSourcesTable(theme)
        self._row = QHBoxLayout()
        self._lay_out()
        self._connect()
        self.question.show_shelf(context.library.snapshot)
        self._show_health(context.health.health)
        self.question.edit.setPlainText(self._controller.draft)
        self._show(self._controller.comparison)

    @classmethod
    def title(cls) -> str:
        """Return the tab's text."""
        return comparison_text.tr("Compare")

    def begin(self) -> None:
        """Take the keyboard to the question."""
        self.question.edit.setFocus()

    def stop(self) -> bool:
        """End the answers that are being made."""
        was_running = self._controller.comparison.is_running
        self._controller.stop()
        return was_running

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's
        """Take back what was said of a click."""
        super().hideEvent(event)
        self.banner.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Leave the answers room where the window is low."""
        super().resizeEvent(event)
        self.table.set_most(_FEW_ROWS if event.size().height() < _LOW else _ROWS)

    @Slot(object)
    def _show(self, comparison: Comparison) -> None:
        """Show the columns as they are, and what they rest on together."""
        self._fit_columns(len(comparison.columns))
        offers = self.context.offers
        free = not comparison.is_running
        count = len(comparison.columns)
        for number, (shown, column) in enumerate(
            zip(comparison.columns, self.columns, strict=True)
        ):
            column.show_column(shown, offers, waits=number in comparison.waiting)
            column.set_free(is_free=free, may_go=free and count > FEWEST)
            column.show_usual(self.context.settings.settings.answering.strategy)
        self.question.more.setVisible(free and count < MOST)
        self.question.set_running(running=comparison.is_running)
        self._show_sources(comparison)
        self._show_asked()

    def _show_sources(self, comparison: Comparison) -> None:
        titles = tuple(
            comparison_text.method_title(each.way, self.context.offers)
            for each in comparison.columns
        )
        whole = tuple(n for n, each in enumerate(comparison.columns) if each.is_answered)
        self.table.show_sources(sources_of(comparison.columns), titles, whole)
        self.table.setVisible(bool(whole))
        self.question.copy.setVisible(bool(whole) and not comparison.is_running)
        self.hint.setVisible(not comparison.question)

    def _fit_columns(self, count: int) -> None:
        while len(self.columns) > count:
            self.columns.pop().deleteLater()
        while len(self.columns) < count:
            self._add_column()

    def _add_column(self) -> None:
        made = ComparisonColumnView(self.theme, len(self.columns))
        made.offer(self.context.offers)
        made.offer_models(self.context.health.health)
        made.chosen.connect(self._choose)
        made.removed.connect(self._controller.remove)
        made.stopped.connect(self._controller.skip)
        made.used.connect(self._use)
        made.asked.connect(self._ask)
        made.cited.connect(self._open)
        made.web_asked.connect(self._ask_for_web)
        made.prepared.connect(self._prepare)
        self.columns.append(made)
        self._row.addWidget(made)

    @Slot()
    def _compare(self) -> None:
        self._controller.compare(self.question.text, self.question.kbs)

    @Slot()
    def _type(self) -> None:
        self._controller.draft = self.question.edit.toPlainText()
        self._show_asked()

    @Slot()
    def _add(self) -> None:
        taken = {each.way.name for each in self._controller.comparison.columns}
        self._controller.add(
            AnswerMethod(next((each for each in _NEXT if each not in taken), _NEXT[0]))
        )

    @Slot(object)
    def _choose(self, chosen: tuple[int, AnswerMethod]) -> None:
        self._controller.choose(*chosen)

    @Slot(object)
    def _use(self, number: int) -> None:
        """Keep a column's way, and its model where it has one of its own, in the settings."""
        way = self._controller.comparison.columns[number].way
        self.context.settings.change("answering.strategy", way.name)
        if way.model:
            self.context.settings.change("ollama.model", way.model)
            self._controller.choose(number, AnswerMethod(way.name))
        self._say(self.tr("From now on questions are answered in this way."))

    @Slot(object)
    def _ask(self, number: int) -> None:
        """Ask the question at the end of the conversation, in a column's way."""
        chat, now = self.context.chat, self._controller.comparison
        if chat.transcript.running:
            self._say(
                self.tr("The conversation is still being answered. Wait, or stop that first.")
            )
            return
        way = now.columns[number].way
        chat.ask_so(now.question, AskOptions(now.kbs, way.name, way.model, True, way.transforms))
        self.left.emit()

    @Slot(object)
    def _open(self, pointed: tuple[int, int]) -> None:
        """Open a source of a column's answer in its document, at its quote."""
        number, n = pointed
        turn = self._controller.comparison.columns[number].turn
        if turn is None or not 1 <= n <= len(turn.sources) or not turn.sources[n - 1].path:
            return
        passage = turn.sources[n - 1]
        quotes = [each.locator for each in turn.citations if each.n == n]
        mark = quotes[0] if quotes else matched_locator(passage)
        self.document_wanted.emit(document_of_citation(turn, passage, mark))

    @Slot(object)
    def _ask_for_web(self, address: str) -> None:
        WebLinkDialog(address, self.window()).open()

    @Slot()
    def _prepare(self) -> None:
        """Show what the first of the knowledge bases that were asked is prepared for."""
        kbs = self._controller.comparison.kbs or self.question.kbs
        if kbs:
            self.preparations_wanted.emit(kbs[0])

    @Slot()
    def _copy(self) -> None:
        """Put the comparison on the clipboard, for a spreadsheet and for a text program."""
        now = self._controller.comparison
        sources = sources_of(now.columns)
        rows = comparison_text.table(now.columns, sources, self.context.offers, now.question)
        QGuiApplication.clipboard().setMimeData(as_table(rows))
        self._say(self.tr("The comparison is on the clipboard."))

    def _say(self, text: str) -> None:
        self.banner.say(text)
        announce(self, text)

    @Slot(object)
    def _show_offers(self, offers: StrategyChoices) -> None:
        for column in self.columns:
            column.offer(offers)
        self._show(self._controller.comparison)

    @Slot(object)
    def _show_health(self, health: Health) -> None:
        for column in self.columns:
            column.offer_models(health)
        text = self.tr(
            "Ask one question in two or three ways, and see side by side what each answers, from "
            "which sources, and at what cost. They answer one after the other, so that none slows "
            "another down. Nothing of it is kept."
        )
        without = self.tr("There is no language model now: what is compared are quotes.")
        has_model = isinstance(health, Ready)
        self.hint.setText(text if has_model else f"{text}\n{without}")

    @Slot()
    def _show_again(self) -> None:
        self._show(self._controller.comparison)

    @Slot(object)
    def _heed(self, settings: Settings) -> None:
        for column in self.columns:
            column.show_usual(settings.answering.strategy)

    def _show_asked(self) -> None:
        """Say which question was answered, where another one stands in the field by now."""
        asked = self._controller.comparison.question
        differs = bool(asked) and asked != self.question.text
        self.asked.setVisible(differs)
        self.asked.set_text(self.tr("Answered below: “%1”").replace("%1", asked))

    def _lay_out(self) -> None:
        for label in (self.hint, self.asked):
            label.setObjectName("muted")
        self.hint.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        for widget in (self.question, self.banner, self.hint, self.asked):
            column.addWidget(widget)
        column.addWidget(self._scrolled(), 1)
        column.addWidget(self.table)

    def _scrolled(self) -> QScrollArea:
        """Return the columns, which can be scrolled sideways where there is no room for them."""
        inside = QWidget()
        inside.setObjectName("clear")
        inside.setLayout(self._row)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        area = QScrollArea()
        area.setObjectName("clear")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.viewport().setObjectName("clear")
        area.setWidget(inside)
        return area

    def _connect(self) -> None:
        context, question = self.context, self.question
        question.wanted.connect(self._compare)
        question.stopped.connect(self._controller.stop)
        question.typed.connect(self._type)
        question.more.clicked.connect(self._add)
        question.copy.clicked.connect(self._copy)
        self.table.cited.connect(self._open)
        self._controller.changed.connect(self._show)
        context.offered.connect(self._show_offers)
        context.library.snapshot_changed.connect(question.show_shelf)
        context.health.health_changed.connect(self._show_health)
        context.settings.settings_changed.connect(self._heed)
        self.theme.changed.connect(self._show_again)
