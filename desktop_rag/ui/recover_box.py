"""The dialog of a damaged catalog: what can be done, how far it is, and what is lost."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.app.recovering import Kind, Recovered, RecoveringController
from desktop_rag.core.errors import UserError
from desktop_rag.ui.spoken import spoken
from desktop_rag.ui.widgets.fitting import fit_height
from desktop_rag.ui.widgets.scrolled import Scrolled

_WIDTH = 520
_INNER = ("chunks", "places of answers")
"""Kinds that mean little to a user: shown only where some are lost."""
_MADE_AGAIN = "vectors"


class RecoverBox(QDialog):
    """Offers to recover, then shows the result; `opened_again` asks for the folder to be opened.

    Closed before that, it is rejected: there is nothing to show then.
    """

    opened_again = Signal()

    def __init__(
        self, error: UserError, recovering: RecoveringController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._recovering = recovering
        recovering.setParent(self)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("The catalog is damaged"))
        self.what, self.text = _label("heading"), _label("")
        self.what.setText(spoken(error.what))
        self.text.setText(
            self.tr(
                "“Recover” keeps everything that can still be read, takes the rest from the newest "
                "copy, and then says what is lost. Your own files are not touched."
            )
        )
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self.figures = Scrolled(self._table, self.tr("What is kept and lost"))
        self.figures.hide()
        self.note = _label("muted")
        self.recover = QPushButton(self.tr("Recover"))
        self.go_on = QPushButton(self.tr("Open"))
        self.leave = QPushButton(self.tr("Close"))
        self._lay_out()
        self.recover.clicked.connect(self._begin)
        self.go_on.clicked.connect(self.accept)
        self.leave.clicked.connect(self.reject)
        recovering.progressed.connect(self._progress)
        recovering.ended.connect(self._show)
        recovering.failed.connect(self._fail)
        self.accepted.connect(self.opened_again)
        self.rejected.connect(recovering.stop)

    @Slot()
    def _begin(self) -> None:
        self.recover.hide()
        self.bar.show()
        self.text.setText(self.tr("The catalog is read page by page. This may take minutes."))
        fit_height(self, _WIDTH)
        self._recovering.begin()

    @Slot(object)
    def _progress(self, kind: str) -> None:
        self.note.setText(_named(kind) if kind else "")
        fit_height(self, _WIDTH)

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self.bar.hide()
        self.note.clear()
        if not isinstance(error, UserError):
            raise error
        self.what.setText(spoken(error.what))
        self.text.setText(spoken(error.remedy))
        fit_height(self, _WIDTH)

    @Slot(object)
    def _show(self, result: Recovered) -> None:
        """Show what there is again, and what is not."""
        self.bar.hide()
        self.go_on.show()
        self.go_on.setDefault(True)
        self.go_on.setFocus()
        self.note.clear()
        if result.was_damaged:
            self._tell(result)
        else:
            self.what.setText(self.tr("The catalog is sound; nothing was changed."))
            self.text.clear()
        fit_height(self, _WIDTH)

    def _tell(self, result: Recovered) -> None:
        kinds = [kind for kind in result.kinds if kind.name != _MADE_AGAIN]
        is_all_there = not any(kind.lost or (kind.kept and not kind.is_exact) for kind in kinds)
        self.setWindowTitle(self.tr("The catalog is recovered"))
        self.what.setText(self._heading(result, is_all_there=is_all_there))
        self.text.setText(self._advice(result, is_all_there=is_all_there))
        self.text.setVisible(bool(self.text.text()))
        if kinds:
            self._fill(
                [
                    kind
                    for kind in kinds
                    if kind.name not in _INNER or kind.lost or not kind.is_exact
                ]
            )
        if result.aside:
            self.note.setText(
                self.tr(
                    "The damaged catalog still holds text. It is kept as %1 until you delete it, "
                    "or remove something from a knowledge base."
                ).replace("%1", result.aside)
            )

    def _heading(self, result: Recovered, *, is_all_there: bool) -> str:
        if result.is_empty:
            self.setWindowTitle(self.tr("The catalog is damaged"))
            return self.tr(
                "Nothing could be read from the damaged catalog, and there is no copy. A new, "
                "empty one stands in its place."
            )
        if not is_all_there:
            return self.tr("The catalog is recovered. Not everything could be saved.")
        if not result.is_exact:  # of a kind of which nothing is known
            return self.tr("The catalog is recovered.")
        return self.tr("The catalog is recovered; nothing is lost.")

    def _advice(self, result: Recovered, *, is_all_there: bool) -> str:
        told = []
        if not is_all_there:
            told.append(
                self.tr("Texts that were lost are read again where their folder is followed.")
            )
        if result.renamed:
            told.append(
                self.tr(
                    "%n knowledge base(s), conversation(s) or question set(s) have new names.",
                    "",
                    result.renamed,
                )
            )
        return "\n".join(told)

    def _fill(self, kinds: list[Kind]) -> None:
        heads = ("", self.tr("kept"), self.tr("from a copy"), self.tr("lost"))
        for column, head in enumerate(heads):
            self._put(0, column, head, "muted")
        for row, kind in enumerate(kinds, 1):
            cells = (_named(kind.name), f"{kind.kept:,}", f"{kind.from_copy:,}", self._lost(kind))
            for column, text in enumerate(cells):
                self._put(row, column, text, "")
        self.figures.show()

    def _lost(self, kind: Kind) -> str:
        number = f"{kind.lost:,}"
        if kind.is_exact:
            return number
        return self.tr("at least %1").replace("%1", number) if kind.lost else self.tr("unknown")

    def _put(self, row: int, column: int, text: str, role: str) -> None:
        made = _label(role)
        made.setWordWrap(False)
        made.setText(text)
        side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        self._grid.addWidget(made, row, column, side)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox()
        buttons.addButton(self.leave, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton(self.recover, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.go_on, QDialogButtonBox.ButtonRole.ActionRole)
        self.go_on.hide()
        self.recover.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        for widget in (self.what, self.text, self.bar, self.figures, self.note):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_WIDTH)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(0, 1)
        self._grid.setHorizontalSpacing(24)
        fit_height(self, _WIDTH)
        self.setAccessibleName(self.what.text())
        self.setAccessibleDescription(self.text.text())


def _named(kind: str) -> str:
    """Return what a kind is called in the window's language."""
    tr = QCoreApplication.translate
    named = {
        "knowledge bases": tr("RecoverBox", "knowledge bases"),
        "followed folders": tr("RecoverBox", "followed folders"),
        "files left out": tr("RecoverBox", "files left out"),
        "consents": tr("RecoverBox", "consents"),
        "files": tr("RecoverBox", "files"),
        "documents": tr("RecoverBox", "documents"),
        "chunks": tr("RecoverBox", "chunks"),
        "conversations": tr("RecoverBox", "conversations"),
        "messages": tr("RecoverBox", "messages"),
        "drafts": tr("RecoverBox", "drafts"),
        "question sets": tr("RecoverBox", "question sets"),
        "saved questions": tr("RecoverBox", "saved questions"),
        "places of answers": tr("RecoverBox", "places of answers"),
        "measured runs": tr("RecoverBox", "measured runs"),
        "vectors": tr("RecoverBox", "vectors"),
    }
    return named.get(kind, kind)


def _label(role: str) -> QLabel:
    made = QLabel()
    made.setObjectName(role)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
