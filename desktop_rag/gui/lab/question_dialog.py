"""The dialog in which a test question is written: its good answers, and where they stand."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, Qt, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.core.evaluation_records import valid_set_name
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.jobs import Job
from desktop_rag.gui.display_text import join_details, locator_text
from desktop_rag.gui.lab.question_form import PassageChoice, QuestionForm
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.tooltips import tip

_SIZE = (560, 560)
_SNIPPET = 220


class QuestionDialog(QDialog):
    """Shows a `QuestionForm`; Save hands it to the controller, as it was changed. Open it with
    `open()`.
    """

    def __init__(
        self, context: AppContext, form: QuestionForm, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("form")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(
            self.tr("Change a test question") if form.question.id else self.tr("New test question")
        )
        self._context = context
        self._form = form
        self._pieces: list[PassageChoice] = []
        self._search: Job | None = None
        self.sets = QComboBox()
        self.question = QPlainTextEdit(form.question.question)
        self.answers = QPlainTextEdit("\n".join(form.question.answers))
        self.passages = QListWidget()
        self.find_button = QPushButton(self.tr("Find passages"))
        self.status = QLabel()
        self.problem = QLabel()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._dress()
        self._lay_out()
        self._add(form.pieces)
        self._connect()
        self._judge()
        self.question.setFocus()

    def form(self) -> QuestionForm:
        """Return what is in the dialog."""
        lines = [line.strip() for line in self.answers.toPlainText().splitlines()]
        question = replace(
            self._form.question,
            question=" ".join(self.question.toPlainText().split()),
            answers=tuple(dict.fromkeys(filter(None, lines))),
        )
        ticked = tuple(
            replace(piece, is_gold=self._is_ticked(row)) for row, piece in enumerate(self._pieces)
        )
        return QuestionForm(self.sets.currentText().strip(), question, ticked)

    @Slot()
    def _save(self) -> None:
        form = self.form()
        try:
            name = valid_set_name(form.set_name)
        except UserError as error:
            self.problem.setText(
                join_sentences(translate_message(error.what), translate_message(error.remedy))
            )
            self.problem.show()
            return
        self._context.measuring.save([replace(form, set_name=name)])
        self.accept()

    @Slot()
    def _judge(self) -> None:
        """Say what the question will measure as it is now."""
        form = self.form()
        ticked = [each for each in form.pieces if each.is_gold]
        save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        save.setEnabled(bool(form.question.question))
        self.find_button.setEnabled(bool(form.question.question) and self._search is None)
        if ticked:
            text = self.tr("The ticked passages answer the question: a search should find them.")
        elif form.question.answers:
            text = self.tr("Tick the passages that answer it, or only the answer is measured.")
        else:
            text = self.tr(
                "No passage and no answer: the documents do not answer it, and it is right to "
                "say so."
            )
        self.status.setText(text)

    @Slot()
    def _look(self) -> None:
        form = self.form()
        self._search = self._context.measuring.look_for(form.question.question, form.question.kbs)
        self._search.ended.connect(self._end_search)
        self._search.succeeded.connect(self._found)
        self._search.refused.connect(self._fail)
        self._judge()

    @Slot()
    def _end_search(self) -> None:
        self._search = None
        self._judge()

    @Slot(object)
    def _found(self, pieces: tuple[PassageChoice, ...]) -> None:
        known = {(each.path, each.span) for each in self._pieces}
        self._add(tuple(each for each in pieces if (each.path, each.span) not in known))

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self.problem.setText(
            join_sentences(translate_message(error.what), translate_message(error.remedy))
        )
        self.problem.show()

    def done(self, result: int) -> None:
        """Let a search that still runs go."""
        if self._search is not None:
            self._search.cancel()
        super().done(result)

    def _is_ticked(self, row: int) -> bool:
        return self.passages.item(row).checkState() is Qt.CheckState.Checked

    def _add(self, pieces: tuple[PassageChoice, ...]) -> None:
        self.passages.blockSignals(True)
        for piece in pieces:
            self._pieces.append(piece)
            item = QListWidgetItem(
                _told(piece) or self.tr("%1, the whole file").replace("%1", piece.title)
            )
            item.setToolTip(tip(piece.path, piece.text))
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            state = Qt.CheckState.Checked if piece.is_gold else Qt.CheckState.Unchecked
            item.setCheckState(state)
            self.passages.addItem(item)
        self.passages.blockSignals(False)

    def _dress(self) -> None:
        self.sets.setEditable(True)
        self.sets.setAccessibleName(self.tr("Question set"))
        self.sets.addItems([each.name for each in self._context.measuring.known.own])
        self.sets.setCurrentText(self._form.set_name)
        self.sets.setEnabled(not self._form.question.id)
        for edit, name in (
            (self.question, self.tr("Question")),
            (self.answers, self.tr("Right answers, one a line")),
        ):
            edit.setAccessibleName(name)
            edit.setTabChangesFocus(True)
        self.question.setFixedHeight(3 * self.fontMetrics().lineSpacing() + 12)
        self.answers.setFixedHeight(4 * self.fontMetrics().lineSpacing() + 12)
        self.answers.setPlaceholderText(self.tr("One a line; short ones are compared best"))
        self.passages.setObjectName("ticked")
        self.passages.setAccessibleName(self.tr("Passages that answer it"))
        self.passages.setWordWrap(True)
        self.passages.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.passages.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.passages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.find_button.setAutoDefault(False)
        self.status.setObjectName("muted")
        self.problem.setObjectName("problem")
        for label in (self.status, self.problem):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.problem.hide()
        self.resize(*_SIZE)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        form.addRow(self.tr("Question set"), self.sets)
        form.addRow(self.tr("Question"), self.question)
        form.addRow(self.tr("Right answers"), self.answers)
        over = QHBoxLayout()
        over.addWidget(QLabel(self.tr("Passages that answer it")))
        over.addStretch(1)
        over.addWidget(self.find_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        column.addLayout(form)
        column.addLayout(over)
        column.addWidget(self.passages, 1)
        for part in (self.status, self.problem, self.buttons):
            column.addWidget(part)

    def _connect(self) -> None:
        self.question.textChanged.connect(self._judge)
        self.answers.textChanged.connect(self._judge)
        self.passages.itemChanged.connect(self._judge)
        self.find_button.clicked.connect(self._look)
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)


def default_set(context: AppContext) -> str:
    """Return the set that questions go into unless the user says otherwise."""
    own = context.measuring.known.own
    chosen = context.measuring.record.chosen.saved
    usual = QCoreApplication.translate("QuestionDialog", "My questions")
    return chosen or (own[0].name if own else usual)


def _told(piece: PassageChoice) -> str:
    """Return a passage in a few lines; "" where there is no text of it."""
    text = " ".join(piece.text.split())
    if not text:
        return ""
    cut = text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rstrip()} …"
    return f"{join_details(piece.title, locator_text(piece.locator))}\n{cut}"
