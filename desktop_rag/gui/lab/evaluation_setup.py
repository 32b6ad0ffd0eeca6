"""What is measured: the question set, the task, the ways; and the button that begins."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.evaluation_records import QUOTES
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.display_text import join_list
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_jobs import QuestionSets, QuestionSource
from desktop_rag.gui.lab.evaluation_text import ANSWERS, BM25, CRUD, DENSE, RETRIEVAL, RGB, SIZES
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.tooltips import tip

_MOST_NAMED = 3


class EvaluationSetup(QWidget):
    """`chosen_changed` says that another set or task is chosen, `begun` that Measure was pressed,
    `edited` that the set's questions are to be shown.
    """

    chosen_changed = Signal()
    begun = Signal()
    edited = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sets = QComboBox()
        self.questions = QPushButton(self.tr("Edit questions…"))
        self.more = IconButton(theme, "more", self.tr("More: import, export, files"))
        self.task = QComboBox()
        self.ways = QToolButton()
        self.judge = QCheckBox(self.tr("The model judges, too"))
        self.go = QPushButton(self.tr("Measure"))
        self._offers = StrategyChoices((), "")
        self._dress()
        self._lay_out()
        self.sets.currentIndexChanged.connect(self._choose)
        self.task.currentIndexChanged.connect(self._choose)
        self.questions.clicked.connect(self.edited)
        self.go.clicked.connect(self.begun)

    @property
    def chosen(self) -> QuestionSource:
        """The chosen set; an empty one where there is none."""
        found = self.sets.currentData()
        return found if isinstance(found, QuestionSource) else QuestionSource()

    @property
    def chosen_task(self) -> str:
        """What is measured: `retrieval`, `answers`, `sizes`, `rgb` or `crud`."""
        return str(self.task.currentData())

    def strategies(self) -> tuple[str, ...]:
        """Return the ways that are ticked."""
        return tuple(each.data() for each in self._ticked())

    def show_known(self, known: QuestionSets) -> None:
        """Offer the sets there are; the chosen one stays chosen."""
        before = self.chosen
        self.sets.blockSignals(True)
        self.sets.clear()
        for each in known.own:
            counted = evaluation_text.questions(each.questions)
            self.sets.addItem(f"{each.name} · {counted}", QuestionSource(each.name))
        for corpus, questions in known.files:
            self._offer_files(QuestionSource("", corpus, questions))
        made = (QuestionSource(tasks_of=name) for name in known.kbs)
        for source in (*made, QuestionSource(builtin=True)):
            self.sets.addItem(evaluation_text.set_name(source), source)
        self.sets.blockSignals(False)
        self.choose(before)

    def choose(self, chosen: QuestionSource) -> None:
        """Choose a set; one in files is offered from now on. Else the first of the user's own
        questions is chosen.
        """
        if chosen.questions and self._row_of(chosen) < 0:
            self._offer_files(chosen)
        sources = (self.sets.itemData(n) for n in range(self.sets.count()))
        first = next((n for n, each in enumerate(sources) if each.saved or each.questions), -1)
        found = self._row_of(chosen)
        self.sets.setCurrentIndex(found if found >= 0 else first)
        self._choose()

    def show_ways(self, offers: StrategyChoices) -> None:
        """Offer presets, then strategies; what is ticked stays so, at first the usual way is."""
        if offers == self._offers:
            return
        self._offers = offers
        ticked = set(self.strategies()) or {offers.usual}
        menu = self.ways.menu()
        menu.clear()
        for each in offers.presets:
            self._offer_way(each.name, translate_message(each.title)).setToolTip(
                tip(translate_message(each.effect))
            )
        menu.addSeparator()
        for name, title in offers.strategies:
            self._offer_way(name, translate_message(title))
        for name in (DENSE, QUOTES):
            self._offer_way(name, evaluation_text.method_name(name, {}))
        self._enable_ways()
        for action in self._offered():
            action.setChecked(action.data() in ticked)
        self._tell_ways()

    def set_running(self, running: bool) -> None:  # noqa: FBT001
        """Let nothing else be begun while a run is under way."""
        for each in (self.sets, self.task, self.ways, self.judge, self.more, self.questions):
            each.setEnabled(not running)
        self._enable(running=running)

    def _offer_way(self, name: str, text: str) -> QAction:
        action = self.ways.menu().addAction(text.replace("&", "&&"))
        action.setData(name)
        action.setCheckable(True)
        return action

    def _offered(self) -> Iterator[QAction]:
        """Yield the ways of the menu; between them stands a line."""
        return (each for each in self.ways.menu().actions() if not each.isSeparator())

    def _ticked(self) -> list[QAction]:
        """Return the ways that are ticked, of those that the task has."""
        return [each for each in self._offered() if each.isChecked() and each.isEnabled()]

    def _offer_tasks(self) -> None:
        """Offer what can be measured on a set: sizes on a corpus that can grow, the model's reading
        on one's own, answers alone on the built-in questions and on tasks made of documents.
        """
        chosen = self.chosen
        own_or_files = (RETRIEVAL, ANSWERS, SIZES if chosen.corpus else RGB)
        made = (CRUD,) if chosen.tasks_of else ()
        wanted = (ANSWERS,) if chosen.builtin else made or own_or_files
        if wanted == tuple(self.task.itemData(n) for n in range(self.task.count())):
            return
        texts = {
            RETRIEVAL: self.tr("Finding the passages"),
            ANSWERS: self.tr("Answering"),
            SIZES: self.tr("Finding, by size"),
            RGB: self.tr("Reading by the model"),
            CRUD: self.tr("Four tasks"),
        }
        before = self.chosen_task
        self.task.blockSignals(True)
        self.task.clear()
        for task in wanted:
            self.task.addItem(texts[task], task)
        self.task.setCurrentIndex(max(0, self.task.findData(before)))
        self.task.blockSignals(False)

    def _enable_ways(self) -> None:
        """Let only those ways be chosen that the task has."""
        for each in self._offered():
            if each.data() == DENSE:
                each.setEnabled(self.chosen_task not in (ANSWERS, CRUD))
            if each.data() == QUOTES:
                has_quotes = self.chosen.builtin or self.chosen_task == CRUD
                each.setEnabled(has_quotes)
                each.setVisible(has_quotes)

    def _row_of(self, chosen: QuestionSource) -> int:
        return next((n for n in range(self.sets.count()) if self.sets.itemData(n) == chosen), -1)

    def _offer_files(self, chosen: QuestionSource) -> None:
        self.sets.addItem(
            self.tr("Files: %1").replace("%1", evaluation_text.set_name(chosen)), chosen
        )

    def _enable(self, *, running: bool = False) -> None:
        has_ways = self.chosen_task == RGB or bool(self.strategies())
        self.go.setEnabled(not running and self.chosen != QuestionSource() and has_ways)
        self.questions.setVisible(bool(self.chosen.saved))

    @Slot()
    def _choose(self) -> None:
        self._offer_tasks()
        task = self.chosen_task
        self._enable_ways()
        self._tell_ways()
        self.ways.setVisible(task != RGB)
        self.judge.setVisible(task == ANSWERS and not self.chosen.builtin)
        beside = self.tr("%1 is measured beside them").replace("%1", BM25.upper())
        self.go.setToolTip(beside if task in (RETRIEVAL, SIZES) else "")
        self.chosen_changed.emit()

    @Slot()
    def _tell_ways(self) -> None:
        """Say on the button which ways are ticked."""
        ticked = [each.text() for each in self._ticked()]
        named = join_list(ticked[:_MOST_NAMED]).replace("&&", "&")
        more = len(ticked) - _MOST_NAMED
        text = named or self.tr("Choose ways")
        if more > 0:
            text = self.tr("%1 and %2 more").replace("%2", str(more)).replace("%1", named)
        self.ways.setToolTip(join_list(ticked))
        room = self.ways.maximumWidth() - 40
        mode = Qt.TextElideMode.ElideRight
        self.ways.setText(self.fontMetrics().elidedText(text, mode, room) + " ▾")
        self._enable()

    def _dress(self) -> None:
        self.sets.setAccessibleName(self.tr("Question set"))
        self.sets.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.sets.setMinimumWidth(120)
        self.sets.setMaxVisibleItems(20)
        self.sets.setPlaceholderText(self.tr("No question set yet"))
        self.task.setAccessibleName(self.tr("What is measured"))
        self._offer_tasks()
        self.ways.setObjectName("chip")
        self.ways.setAccessibleName(self.tr("Ways to compare"))
        self.ways.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.ways.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.ways.setMaximumWidth(300)
        self.ways.setMenu(QMenu(self.ways))
        self.ways.menu().setToolTipsVisible(True)
        self.ways.menu().triggered.connect(self._tell_ways)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setMenu(QMenu(self.more))
        self.judge.setObjectName("boxed")
        self.judge.setToolTip(
            tip(self.tr("Up to seven more calls of the language model for each answer"))
        )
        self.judge.hide()
        self.go.setObjectName("primary")
        self._tell_ways()

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        for each in (self.questions, self.more):
            first.addWidget(each)
        first.insertWidget(0, self.sets, 1)
        for part in (self.task, self.ways, self.judge):
            second.addWidget(part)
        second.addStretch(1)
        second.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(first)
        column.addLayout(second)
