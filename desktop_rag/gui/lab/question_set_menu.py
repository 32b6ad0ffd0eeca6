"""Question sets and files: what the menu beside the choice of a set offers."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from desktop_rag.core.evaluation_records import EvaluationRun, SavedQuestion
from desktop_rag.core.requests import SetsRequest
from desktop_rag.gui.chat.export_dialog import file_name
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.lab import evaluation_text
from desktop_rag.gui.lab.evaluation_jobs import QuestionSource
from desktop_rag.gui.lab.evaluation_setup import EvaluationSetup
from desktop_rag.gui.lab.proposals_dialog import ProposalsDialog
from desktop_rag.gui.lab.question_dialog import QuestionDialog, default_set
from desktop_rag.gui.lab.question_form import QuestionForm

_LINES = "*.jsonl *.jsonl.gz *.json"


class QuestionSetMenu(QObject):
    """Does what the menu says; the row's choice says of which set."""

    def __init__(self, context: AppContext, row: EvaluationSetup, window: QWidget) -> None:
        super().__init__(window)
        self._context = context
        self._row = row
        self._window = window
        self._corpus = ""
        self._run: EvaluationRun | None = None
        menu = row.more.menu()
        self.new = self._act(self.tr("New question…"), self.write_question)
        self.make_up = self._act(self.tr("Propose questions…"), self.propose)
        self.bring = self._act(self.tr("Import questions…"), self.import_set)
        self.take = self._act(self.tr("Export this set…"), self.export_set)
        self.other = self._act(self.tr("Measure on files…"), self.choose_corpus)
        self.end = self._act(self.tr("Delete this set…"), self.weigh_deletion)
        menu.insertSeparator(self.other)
        menu.insertSeparator(self.end)
        menu.aboutToShow.connect(self._enable)

    @Slot()
    def write_question(self) -> None:
        """Let the user write a question from nothing."""
        current = self._context.library.snapshot.current
        name = self._row.chosen.saved or default_set(self._context)
        form = QuestionForm(name, SavedQuestion(0, "", kbs=(current,)))
        QuestionDialog(self._context, form, self._window).open()

    @Slot()
    def propose(self) -> None:
        """Have questions about the knowledge base that is shown proposed."""
        name = self._row.chosen.saved or default_set(self._context)
        ProposalsDialog(self._context, name, self._window).open()

    @Slot()
    def import_set(self) -> None:
        """Let the user choose a file of questions."""
        dialog = self._picker(self.tr("Import questions"))
        dialog.fileSelected.connect(self._import)
        dialog.open()

    @Slot()
    def export_set(self) -> None:
        """Ask where the chosen set is written to."""
        dialog = self._saver(self.tr("Export this set"), self._row.chosen.saved, "jsonl")
        dialog.fileSelected.connect(self._export)
        dialog.open()

    @Slot()
    def choose_corpus(self) -> None:
        """Let the user choose a corpus, then the questions about it."""
        dialog = self._picker(self.tr("1 of 2: the corpus (id, title, text)"))
        dialog.fileSelected.connect(self._choose_questions)
        dialog.open()

    @Slot(object)
    def export_figures(self, run: EvaluationRun) -> None:
        """Ask where a run's figures are written to."""
        self._run = run
        name = evaluation_text.set_name(self._row.chosen).replace("/", " ")
        dialog = self._saver(self.tr("Export figures"), name, "csv")
        dialog.fileSelected.connect(self._export_figures)
        dialog.open()

    @Slot()
    def weigh_deletion(self) -> None:
        """Ask before a set is deleted."""
        name = self._row.chosen.saved
        text = self.tr("Delete the question set “%1”, with the runs over it?").replace("%1", name)
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Delete set"), text)
        box.setParent(self._window, box.windowFlags())
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        go = box.addButton(self.tr("Delete"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        go.clicked.connect(self._delete)
        box.open()

    @Slot()
    def _delete(self) -> None:
        self._context.measuring.arrange(SetsRequest("delete", self._row.chosen.saved))

    @Slot(str)
    def _import(self, path: str) -> None:
        current = self._context.library.snapshot.current
        self._context.measuring.arrange(SetsRequest("import", "", path, (current,)))

    @Slot(str)
    def _export(self, path: str) -> None:
        self._context.measuring.write_set(self._row.chosen.saved, Path(path))

    @Slot(str)
    def _choose_questions(self, path: str) -> None:
        self._corpus = path
        dialog = self._picker(self.tr("2 of 2: the questions (id, question, answers, gold)"))
        dialog.fileSelected.connect(self._choose_files)
        dialog.open()

    @Slot(str)
    def _choose_files(self, path: str) -> None:
        self._row.choose(QuestionSource("", self._corpus, path))

    @Slot(str)
    def _export_figures(self, path: str) -> None:
        if self._run is not None:
            self._context.measuring.write_table(self._run, Path(path))

    @Slot()
    def _enable(self) -> None:
        for action in (self.take, self.end):
            action.setEnabled(bool(self._row.chosen.saved))

    def _act(self, text: str, slot: object) -> QAction:
        action = self._row.more.menu().addAction(text)
        action.triggered.connect(slot)
        return action

    def _picker(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title, str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("JSON lines (%1)").replace("%1", _LINES)])
        return dialog

    def _saver(self, title: str, name: str, suffix: str) -> QFileDialog:
        dialog = QFileDialog(self._window, title, str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(f"{file_name(name)}.{suffix}")
        return dialog
