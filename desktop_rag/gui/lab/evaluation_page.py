"""The page that measures ways to search and answer on the user's own questions, or on files.

On one's own questions the language model itself can be measured, too.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.core.requests import EvalRequest
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_controller import RunningEvaluation
from desktop_rag.gui.lab.evaluation_jobs import QuestionSets, QuestionSource, RunHistory
from desktop_rag.gui.lab.evaluation_results import EvaluationResults
from desktop_rag.gui.lab.evaluation_setup import EvaluationSetup
from desktop_rag.gui.lab.evaluation_text import tr
from desktop_rag.gui.lab.lab_page import LabPage
from desktop_rag.gui.lab.question_set_dialog import QuestionSetDialog
from desktop_rag.gui.lab.question_set_menu import QuestionSetMenu
from desktop_rag.gui.lab.rgb_page import RgbPage
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.announcements import announce
from desktop_rag.gui.widgets.banner import Banner
from desktop_rag.gui.widgets.scroll_areas import ContentScrollArea, PageScrollArea

_SIDE = 16
_SIZES = (1000, 2000, 5000, 10_000, 20_000)  # of passages; the corpus ends where it ends
_READ = 420  # pixels of a line that is read


class RunProgress(QWidget):
    """How far a run has come, and Stop."""

    stopped = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.status = QLabel()
        self.status.setObjectName("muted")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress of the run"))
        self.stop = QPushButton(self.tr("Stop"))
        self.stop.clicked.connect(self.stopped)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.status)
        row.addWidget(self.bar, 1)
        row.addWidget(self.stop)
        self.hide()

    def show_underway(self, underway: RunningEvaluation | None, titles: dict[str, str]) -> None:
        """Show a run; nothing where there is none."""
        self.setVisible(underway is not None)
        if underway is None:
            return
        found = underway.progress
        self.status.setText(
            tr("Getting ready…") if found is None else evaluation_text.progress(found, titles)
        )
        self.bar.setMaximum(found.total if found is not None else 0)
        self.bar.setValue(found.done if found is not None else 0)


class EvaluationPage(LabPage):
    """Follows an `EvaluationController`, from when it is first shown."""

    def __init__(self, theme: Theme, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(theme, context, parent)
        self.row = EvaluationSetup(theme)
        self.progress = RunProgress()
        self.complaint = Banner(theme, "complaint")
        self.notice = Banner(theme, "banner")
        self.results = EvaluationResults(theme)
        self.empty = QLabel()
        self.abilities = RgbPage()
        self.write = QPushButton(tr("Write a question…"))
        self.make_up = QPushButton(tr("Propose questions…"))
        self.files = QuestionSetMenu(context, self.row, self)
        self._unprepared = ""
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self._offer()
        self.abilities.show_health(context.health.health)
        self._show_known(context.measuring.known)
        self._show_record(context.measuring.record)
        self._show_underway(context.measuring.underway)

    @classmethod
    def title(cls) -> str:
        """Return the tab's text."""
        return QCoreApplication.translate("EvaluationPage", "Evaluation")

    def begin(self) -> None:
        """Read the sets again, and go to the choice of them."""
        self.context.measuring.refresh()
        self.row.sets.setFocus()

    @property
    def titles(self) -> dict[str, str]:
        """The titles of presets and strategies by their names."""
        offers = self.context.offers
        return dict(offers.strategies) | {each.name: each.title for each in offers.presets}

    @Slot()
    def _offer(self) -> None:
        self.row.show_ways(self.context.offers)

    @Slot(object)
    def _show_known(self, known: QuestionSets) -> None:
        self.row.show_known(known)
        self._settle()

    @Slot(object)
    def _show_record(self, record: RunHistory) -> None:
        if record.chosen == self.row.chosen and record.runs:
            self.results.show_record(record, self.titles)
        self._settle()

    @Slot()
    def _choose(self) -> None:
        self.complaint.hide()
        if self.row.chosen != QuestionSource():
            self.context.measuring.choose(self.row.chosen, self.row.chosen_task)
        self._settle()

    @Slot()
    def _begin_run(self) -> None:
        chosen = self.row.chosen
        self.complaint.hide()
        self.notice.hide()
        is_by_size = self.row.chosen_task == evaluation_text.SIZES
        request = EvalRequest(
            evaluation_text.RETRIEVAL if is_by_size else self.row.chosen_task,
            chosen.corpus,
            chosen.questions,
            self.row.strategies(),
            saved=chosen.saved,
            sizes=_SIZES if is_by_size else (),
            kbs=(chosen.tasks_of,) if chosen.tasks_of else (),
            judge=self.row.judge.isVisible() and self.row.judge.isChecked(),
            builtin=chosen.builtin,
        )
        self.context.measuring.measure(request)
        self.progress.stop.setFocus()

    @Slot(object)
    def _show_underway(self, underway: RunningEvaluation | None) -> None:
        self.row.set_running(underway is not None)
        self.progress.show_underway(underway, self.titles)
        if underway is not None and underway.keeps_answers and underway.notices:
            self._tell(underway)
        self._settle()

    @Slot(object)
    def _end(self, underway: RunningEvaluation) -> None:
        """Tell what a run that ended had noticed."""
        announce(self, tr("The figures are there."))
        if underway.notices:
            self._tell(underway)
        self.row.go.setFocus()

    def _tell(self, underway: RunningEvaluation) -> None:
        """Tell what was noticed, and lead to what is to be prepared."""
        self._unprepared = evaluation_text.unprepared_base(underway.notices)
        action = tr("Prepare…") if self._unprepared else ""
        self.notice.say(join_sentences(*map(translate_message, underway.notices)), action)

    @Slot()
    def _prepare(self) -> None:
        if self._unprepared:
            self.preparations_wanted.emit(self._unprepared)

    @Slot()
    def _stop(self) -> None:
        """End the run; say so where what was answered is kept."""
        underway = self.context.measuring.underway
        self.context.measuring.stop()
        if underway is not None and underway.keeps_answers:
            self.notice.say(tr("Stopped. What was answered is kept: Measure goes on from there."))

    @Slot(object)
    def _complain(self, error: UserError) -> None:
        if not isinstance(error, CatalogDamaged):  # of which a dialog tells
            self._unprepared = evaluation_text.unprepared_base((error.what,))
            self.complaint.say(
                join_sentences(translate_message(error.what), translate_message(error.remedy)),
                tr("Prepare…") if self._unprepared else "",
            )

    @Slot()
    def _edit(self) -> None:
        dialog = QuestionSetDialog(self.theme, self.context, self.row.chosen.saved, self)
        dialog.document_wanted.connect(self.document_wanted)
        dialog.open()

    def _settle(self) -> None:
        """Show the figures of the chosen set, or what there is to do without any."""
        record = self.context.measuring.record
        for button in (self.write, self.make_up):
            button.setVisible(self.row.chosen == QuestionSource())
        is_chosen = (record.chosen, record.task) == (self.row.chosen, self.row.chosen_task)
        is_of_model = (
            self.row.chosen_task == evaluation_text.RGB and self.row.chosen != QuestionSource()
        )
        shown = 1 if is_chosen and record.runs else 2 if is_of_model else 0
        self._stack.setCurrentIndex(shown)
        self.empty.setText(self._advice())
        self.empty.setFixedHeight(self.empty.heightForWidth(_READ))

    def _advice(self) -> str:
        """Return what there is to do where there are no figures."""
        if self.row.chosen == QuestionSource():
            own = tr(
                "Ask something in a conversation and choose “Save as test question” under the "
                "answer; write a question here, or have some proposed. With a dozen of them "
                "you see whether a change of settings helps on your documents."
            )
            builtin = tr(
                "To see how good the answers of your language model are, choose the built-in "
                "questions above."
            )
            return join_sentences(own, builtin)
        if self.row.chosen.builtin:
            return tr(
                "100 questions over invented documents that come with the program, half English, "
                "half Chinese. Choose ways and press Measure: how right are the answers of your "
                "language model? Each answer is kept at once: stop when you like, and go on later."
            )
        if self.row.chosen_task == evaluation_text.CRUD:
            return tr(
                "Four kinds of tasks are made of your documents by rules (CRUD-RAG): going on with "
                "a text, answering a question, correcting a text with wrong figures, summing up "
                "several documents. Choose ways and press Measure: how near is each to what the "
                "documents say? Figures are kept, no answers; stop when you like, and go on later."
            )
        if self.row.chosen_task == evaluation_text.SIZES:
            return tr(
                "Choose ways and press Measure: how much does each find as the corpus grows, "
                "with the second stage and without it? Every size is indexed once."
            )
        if self.row.chosen_task == evaluation_text.RETRIEVAL:
            return tr("Choose ways and press Measure: how much of the passages does each find?")
        return tr("Choose ways and press Measure: how right are the answers of each?")

    def _connect(self) -> None:
        measuring = self.context.measuring
        measuring.known_changed.connect(self._show_known)
        measuring.record_changed.connect(self._show_record)
        measuring.underway_changed.connect(self._show_underway)
        measuring.measured.connect(self._end)
        measuring.complained.connect(self._complain)
        self.context.offered.connect(self._offer)
        self.context.health.health_changed.connect(self.abilities.show_health)
        self.row.chosen_changed.connect(self._choose)
        self.row.begun.connect(self._begin_run)
        self.row.edited.connect(self._edit)
        self.progress.stopped.connect(self._stop)
        self.notice.acted.connect(self._prepare)
        self.complaint.acted.connect(self._prepare)
        self.results.table_wanted.connect(self.files.export_figures)
        self.write.clicked.connect(self.files.write_question)
        self.make_up.clicked.connect(self.files.propose)

    def _lay_out(self) -> None:
        self.empty.setObjectName("muted")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.empty.setFixedWidth(_READ)
        middle = QWidget()
        inner = QVBoxLayout(middle)
        centre = Qt.AlignmentFlag.AlignHCenter
        inner.addStretch(1)
        inner.addWidget(self.empty, 0, centre)
        inner.addSpacing(12)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        for button in (self.write, self.make_up):
            buttons.addWidget(button)
        buttons.addStretch(1)
        inner.addLayout(buttons)
        inner.addStretch(2)
        self._stack.addWidget(middle)
        self._stack.addWidget(PageScrollArea(self.results))
        self._stack.addWidget(ContentScrollArea(self.abilities, tr("What is measured")))
        column = QVBoxLayout(self)
        column.setContentsMargins(_SIDE, 12, _SIDE, 12)
        column.setSpacing(10)
        for part in (self.row, self.complaint, self.notice, self.progress):
            column.addWidget(part)
        column.addWidget(self._stack, 1)
