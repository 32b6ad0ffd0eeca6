"""The dialog of proposed questions: read, ticked and kept, or changed first."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.errors import UserError
from desktop_rag.core.events import IndexProgress, Notice
from desktop_rag.core.requests import SetsRequest
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.jobs import Job
from desktop_rag.gui.display_text import shown_name
from desktop_rag.gui.lab.question_dialog import QuestionDialog
from desktop_rag.gui.lab.question_form import QuestionForm
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.widgets.tooltips import tip

_SIZE = (620, 520)
_USUAL, _MOST = 10, 100
_SNIPPET = 160


class ProposalsDialog(QDialog):
    """Proposes questions about the knowledge base that is shown. Open it with `open()`.

    Nothing is kept that is not ticked when Save is pressed; a double click changes one first.
    """

    def __init__(self, context: AppContext, set_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Proposed questions"))
        self._context = context
        self._set_name = set_name
        self._kb = context.library.snapshot.current
        self._job: Job | None = None
        self._forms: list[QuestionForm] = []
        self.count = QSpinBox()
        self.go = QPushButton(self.tr("Propose"))
        self.bar = QProgressBar()
        self.status = QLabel()
        self.list = QListWidget()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        self._dress()
        self._lay_out()
        self.go.clicked.connect(self._begin)
        self.list.itemChanged.connect(self._settle)
        self.list.itemDoubleClicked.connect(self._change)
        self.buttons.accepted.connect(self._save)
        self.buttons.rejected.connect(self.reject)
        self._settle()

    def done(self, result: int) -> None:
        """Make nothing up any more."""
        self._stop()
        super().done(result)

    @Slot()
    def _begin(self) -> None:
        if self._job is not None:
            self._stop()
            return
        request = SetsRequest("propose", kbs=(self._kb,), count=self.count.value())
        self._job = self._context.measuring.propose(self._set_name, request)
        self._job.yielded.connect(self._take)
        self._job.refused.connect(self._fail)
        self._job.ended.connect(self._end)
        self.bar.setMaximum(0)
        self._settle()

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._end()

    @Slot()
    def _end(self) -> None:
        self._job = None
        self._settle()

    @Slot(object)
    def _take(self, came: object) -> None:
        if isinstance(came, QuestionForm):
            known = {form.question.question for form in self._forms}
            if came.question.question not in known:
                self._add(came)
        elif isinstance(came, IndexProgress):
            self.bar.setMaximum(came.total)
            self.bar.setValue(came.done)
        elif isinstance(came, Notice):
            self.status.setText(translate_message(came.text))

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self.status.setText(
            join_sentences(translate_message(error.what), translate_message(error.remedy))
        )

    def _add(self, form: QuestionForm) -> None:
        piece = form.pieces[0]
        text = " ".join(piece.text.split())
        cut = text if len(text) <= _SNIPPET else f"{text[:_SNIPPET].rstrip()} …"
        answers = " / ".join(form.question.answers)
        lines = (form.question.question, answers, f"{piece.title}: {cut}")
        item = QListWidgetItem("\n    ".join(filter(None, lines)))
        item.setToolTip(tip(piece.path, piece.text))
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        item.setCheckState(Qt.CheckState.Checked)
        self._forms.append(form)
        self.list.addItem(item)

    def _ticked(self) -> list[QuestionForm]:
        rows = range(self.list.count())
        checked = Qt.CheckState.Checked
        return [self._forms[n] for n in rows if self.list.item(n).checkState() is checked]

    @Slot()
    def _settle(self) -> None:
        running = self._job is not None
        self.bar.setVisible(running)
        self.count.setEnabled(not running)
        self.go.setText(self.tr("Stop") if running else self.tr("Propose"))
        save = self.buttons.button(QDialogButtonBox.StandardButton.Save)
        count = len(self._ticked())
        save.setEnabled(count > 0)
        save.setText(self.tr("Save ticked (%1)").replace("%1", str(count)))

    @Slot(QListWidgetItem)
    def _change(self, item: QListWidgetItem) -> None:
        """Have one changed; when it is saved it leaves this list."""
        form = self._forms[self.list.row(item)]
        dialog = QuestionDialog(self._context, form, self)
        dialog.accepted.connect(partial(self._leave_out, form))
        dialog.open()

    def _leave_out(self, form: QuestionForm) -> None:
        row = self._forms.index(form)
        del self._forms[row]
        self.list.takeItem(row)
        self._settle()

    @Slot()
    def _save(self) -> None:
        self._context.measuring.save(self._ticked())
        self.accept()

    def _dress(self) -> None:
        self.count.setRange(1, _MOST)
        self.count.setValue(_USUAL)
        self.count.setAccessibleName(self.tr("How many questions"))
        self.go.setAutoDefault(False)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.status.setObjectName("muted")
        self.status.setWordWrap(True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.status.setText(
            self.tr(
                "Passages are taken at random. The language model writes a question about each, "
                "if there is one."
            )
        )
        self.list.setObjectName("ticked")
        self.list.setAccessibleName(self.tr("Proposed questions"))
        self.list.setWordWrap(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.resize(*_SIZE)

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        about = self.tr("Questions about “%1”:").replace("%1", shown_name(self._kb))
        label = QLabel(about)
        label.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(label)
        row.addWidget(self.count)
        row.addStretch(1)
        row.addWidget(self.go)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self.status)
        column.addWidget(self.bar)
        column.addWidget(self.list, 1)
        column.addWidget(self.buttons)
