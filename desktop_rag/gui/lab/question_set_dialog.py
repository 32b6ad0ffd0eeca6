"""The questions of a set: read through, changed and deleted."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.evaluation_records import SavedQuestion
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.display_text import join_list
from desktop_rag.gui.lab.evaluation_jobs import QuestionSets
from desktop_rag.gui.lab.question_dialog import QuestionDialog
from desktop_rag.gui.lab.question_form import QuestionForm
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.tooltips import tip

_SIZE = (620, 480)


class QuestionSetDialog(QDialog):
    """Follows a set while it is open. `document_wanted` carries the `OpenDocument` to show."""

    document_wanted = Signal(object)

    def __init__(
        self, theme: Theme, context: AppContext, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Questions of “%1”").replace("%1", name))
        self._theme = theme
        self._context = context
        self._name = name
        self._forms: tuple[QuestionForm, ...] = ()
        self.list = QListWidget()
        self.new = QPushButton(self.tr("New…"))
        self.edit = QPushButton(self.tr("Change…"))
        self.show_place = QPushButton(self.tr("Show in document"))
        self.delete = QPushButton(self.tr("Delete"))
        self.empty = QLabel(self.tr("There is no question in this set."))
        self._dress()
        self._lay_out()
        self._connect()
        context.measuring.list_questions(name)
        self._enable()

    @Slot(object)
    def _show(self, forms: tuple[QuestionForm, ...]) -> None:
        if any(form.set_name != self._name for form in forms):
            return
        row = self.list.currentRow()
        self._forms = forms
        self.list.clear()
        for form in forms:
            item = QListWidgetItem(self._told(form))
            item.setToolTip(tip(*(piece.path for piece in form.pieces)))
            self.list.addItem(item)
        self.list.setCurrentRow(min(max(0, row), len(forms) - 1))
        self.empty.setVisible(not forms)
        self.list.setVisible(bool(forms))
        self._enable()

    def _told(self, form: QuestionForm) -> str:
        question = form.question
        if question.answers:
            right = " / ".join(question.answers)
        elif form.pieces:
            right = self.tr("only its passages are measured")
        else:
            right = self.tr("the documents do not answer it")
        places = join_list(dict.fromkeys(piece.title for piece in form.pieces))
        return "\n    ".join(filter(None, (question.question, right, places)))

    @Slot()
    def _enable(self) -> None:
        form = self._current()
        self.edit.setEnabled(form is not None)
        self.delete.setEnabled(form is not None)
        self.show_place.setEnabled(form is not None and any(p.text for p in form.pieces))

    def _current(self) -> QuestionForm | None:
        row = self.list.currentRow()
        return self._forms[row] if 0 <= row < len(self._forms) else None

    @Slot()
    def _write(self) -> None:
        kbs = (self._context.library.snapshot.current,)
        QuestionDialog(
            self._context, QuestionForm(self._name, SavedQuestion(0, "", kbs=kbs)), self
        ).open()

    @Slot()
    def _change(self) -> None:
        form = self._current()
        if form is not None:
            QuestionDialog(self._context, form, self).open()

    @Slot()
    def _delete(self) -> None:
        chosen = [self._forms[index.row()] for index in self.list.selectedIndexes()]
        self._context.measuring.drop([form.question.id for form in chosen])

    @Slot()
    def _open_document(self) -> None:
        form = self._current()
        pieces = [piece for piece in form.pieces if piece.text] if form is not None else []
        if pieces:
            first = pieces[0]
            marks = tuple(each.locator for each in pieces if each.document == first.document)
            self.document_wanted.emit(OpenDocument(first.path, first.title, first.document, marks))
            self.accept()

    @Slot(object)
    def _read_again(self, known: QuestionSets) -> None:
        del known
        self._context.measuring.list_questions(self._name)

    @Slot(object)
    def _saved(self, name: str) -> None:
        if name == self._name:
            self._context.measuring.list_questions(name)

    def _connect(self) -> None:
        measuring = self._context.measuring
        measuring.listed.connect(self._show)
        measuring.known_changed.connect(self._read_again)
        measuring.saved.connect(self._saved)
        self.list.currentRowChanged.connect(self._enable)
        self.list.itemActivated.connect(self._change)
        self.new.clicked.connect(self._write)
        self.edit.clicked.connect(self._change)
        self.delete.clicked.connect(self._delete)
        self.show_place.clicked.connect(self._open_document)

    def _dress(self) -> None:
        self.list.setObjectName("ticked")
        self.list.setAccessibleName(self.tr("Questions"))
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.empty.setObjectName("muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.hide()
        for button in (self.new, self.edit, self.show_place, self.delete):
            button.setAutoDefault(False)
        self.resize(*_SIZE)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        for button in (self.new, self.edit, self.show_place, self.delete):
            row.addWidget(button)
        row.addStretch(1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        row.addWidget(buttons)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.addWidget(self.list, 1)
        column.addWidget(self.empty, 1)
        column.addLayout(row)
