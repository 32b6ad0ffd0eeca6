"""The dialogs of a damaged catalog: what can be done, how far it is, and what was lost.

A catalog that turns out damaged while it is open is recovered after a new start, which the first
dialog offers. The second one recovers it when the program starts.
"""

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

from desktop_rag.core.errors import CatalogDamaged, UserError
from desktop_rag.gui.controllers.catalog_recovery import (
    RecoveredKind,
    RecoveryController,
    RecoveryResult,
)
from desktop_rag.gui.message_translation import translate_message
from desktop_rag.gui.widgets.dialog_size import fit_height
from desktop_rag.gui.widgets.scroll_areas import ContentScrollArea

_DAMAGE_WIDTH = 520
_WIDTH = 520
_INNER = ("chunks", "places of answers")
"""Kinds that mean little to a user: shown only where some are lost."""
_MADE_AGAIN = "vectors"
_TEXTS = ("documents", "chunks")
_FOLDERS = "followed folders"


class CatalogDamagedDialog(QDialog):
    """Asks whether the program may start again; rejected, it is to end."""

    def __init__(self, error: CatalogDamaged, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("The catalog is damaged"))
        self.what = _damage_label(translate_message(error.what), "heading")
        self.text = _damage_label(
            self.tr(
                "It can be recovered while it is not in use. “Restart” closes Desktop RAG and "
                "opens it again; it then offers the recovery, as it does whenever you open it "
                "next. Your own files are not touched."
            ),
            "",
        )
        self.restart = QPushButton(self.tr("Restart"))
        self.restart.setObjectName("primary")
        self.leave = QPushButton(self.tr("Quit"))
        self._lay_out()
        self.restart.clicked.connect(self.accept)
        self.leave.clicked.connect(self.reject)

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox()
        buttons.addButton(self.leave, QDialogButtonBox.ButtonRole.RejectRole)
        buttons.addButton(self.restart, QDialogButtonBox.ButtonRole.AcceptRole)
        self.restart.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 18, 20, 16)
        column.setSpacing(12)
        column.addWidget(self.what)
        column.addWidget(self.text)
        column.addStretch(1)
        column.addWidget(buttons)
        self.setMinimumWidth(_DAMAGE_WIDTH)
        fit_height(self, _DAMAGE_WIDTH)
        self.setAccessibleName(self.what.text())
        self.setAccessibleDescription(self.text.text())
        self.restart.setFocus()


def _damage_label(text: str, role: str) -> QLabel:
    made = QLabel(text)
    made.setObjectName(role)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


class RecoveryDialog(QDialog):
    """Offers to recover, then shows the result; `opened_again` asks for the folder to be opened.

    Closed before that, it is rejected: there is nothing to show then. Closed while it recovers, it
    stops that and offers it again.
    """

    opened_again = Signal()

    def __init__(
        self, error: UserError, recovering: RecoveryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._recovering = recovering
        recovering.setParent(self)
        self._error, self._is_running = error, False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("The catalog is damaged"))
        self.what, self.text = _label("heading"), _label("")
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self._table = QWidget()
        self._grid = QGridLayout(self._table)
        self.figures = ContentScrollArea(self._table, self.tr("What is kept and lost"))
        self.figures.hide()
        self.note = _label("muted")
        self.recover = QPushButton(self.tr("Recover"))
        self.go_on = QPushButton(self.tr("Open"))
        self.leave = QPushButton()
        for button in (self.recover, self.go_on):
            button.setObjectName("primary")
        self._lay_out()
        self._offer()
        self.recover.clicked.connect(self._begin)
        self.go_on.clicked.connect(self.accept)
        self.leave.clicked.connect(self.reject)
        recovering.progressed.connect(self._progress)
        recovering.ended.connect(self._show)
        recovering.failed.connect(self._fail)
        recovering.broke.connect(self._give_up)
        self.accepted.connect(self.opened_again)
        self.rejected.connect(recovering.stop)

    def reject(self) -> None:
        """End, or stop what runs: the catalog is as it was then."""
        if self._is_running:
            self._recovering.stop()
            self._offer()
        else:
            super().reject()

    def _offer(self) -> None:
        """Say what can be done."""
        self._rest(self.recover)
        self._say(
            translate_message(self._error.what),
            self.tr(
                "“Recover” keeps everything that can still be read, takes the rest from the newest "
                "copy, and then says what is lost. Your own files are not touched."
            ),
        )

    @Slot()
    def _begin(self) -> None:
        self._is_running = True
        self.bar.show()
        self.bar.setFocus()  # on no button: a second Enter would stop it
        self.recover.hide()
        for button in (self.recover, self.go_on, self.leave):
            button.setDefault(False)
            button.setAutoDefault(False)
        self.leave.setText(self.tr("Stop"))
        self._say(
            self.tr("The catalog is being recovered."),
            self.tr("It is read page by page. This may take minutes."),
        )
        self._recovering.begin()

    @Slot(object)
    def _progress(self, kind: str) -> None:
        reading = self.tr("Reading %1").replace("%1", _named(kind))
        self.note.setText(reading if kind else self.tr("Looking through the catalog"))
        fit_height(self, _WIDTH)

    @Slot()
    def _give_up(self) -> None:
        self._rest(self.leave)

    @Slot(object)
    def _fail(self, error: UserError) -> None:
        self._rest(self.leave)
        if isinstance(error, CatalogDamaged):
            remedy = self.tr("It could not be recovered. Your own files are not touched.")
        else:
            remedy = translate_message(error.remedy)
        self._say(translate_message(error.what), remedy)

    @Slot(object)
    def _show(self, result: RecoveryResult) -> None:
        """Show what there is again, and what is not."""
        self._rest(self.go_on)
        if result.was_damaged:
            self._tell(result)
        else:
            self._say(self.tr("The catalog is sound; nothing was changed."), "")

    def _rest(self, button: QPushButton) -> None:
        """Show that nothing runs, and what may be pressed: this button, or the one that ends."""
        self._is_running = False
        self.bar.hide()
        self.note.clear()
        self.leave.setText(self.tr("Quit"))
        for each in (self.recover, self.go_on, self.leave):
            each.setAutoDefault(True)
            each.setVisible(each in (button, self.leave))
        button.setDefault(True)
        button.setFocus()

    def _say(self, what: str, text: str) -> None:
        self.what.setText(what)
        self.text.setText(text)
        self.text.setVisible(bool(text))
        self.setAccessibleName(what)
        self.setAccessibleDescription(text)
        fit_height(self, _WIDTH)

    def _tell(self, result: RecoveryResult) -> None:
        kinds = [kind for kind in result.kinds if kind.name != _MADE_AGAIN]
        self.setWindowTitle(self.tr("The catalog is recovered"))
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
        self._say(self._heading(result, kinds), self._advice(result))

    def _heading(self, result: RecoveryResult, kinds: list[RecoveredKind]) -> str:
        if result.is_empty:
            self.setWindowTitle(self.tr("The catalog is damaged"))
            return self.tr(
                "Nothing could be read from the damaged catalog, and there is no copy. A new, "
                "empty one stands in its place."
            )
        if any(kind.lost for kind in kinds):
            return self.tr("The catalog is recovered. Not everything could be saved.")
        if not (result.is_exact and all(kind.is_exact for kind in kinds)):
            return self.tr("The catalog is recovered. It is not known whether anything is lost.")
        return self.tr("The catalog is recovered; nothing is lost.")

    def _advice(self, result: RecoveryResult) -> str:
        told = []
        if _has_no_folder(result):
            told.append(
                self.tr("No followed folder is kept: add your folders again, and they are read.")
            )
        elif any(kind.lost for kind in result.kinds if kind.name in _TEXTS):
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

    def _fill(self, kinds: list[RecoveredKind]) -> None:
        heads = ("", self.tr("kept"), self.tr("of these, from a copy"), self.tr("lost"))
        for column, head in enumerate(heads):
            self._put(0, column, head, "muted")
        for row, kind in enumerate(kinds, 1):
            cells = (_named(kind.name), f"{kind.kept:,}", f"{kind.from_copy:,}", self._lost(kind))
            for column, text in enumerate(cells):
                self._put(row, column, text, "")
        self.figures.show()

    def _lost(self, kind: RecoveredKind) -> str:
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


def _has_no_folder(result: RecoveryResult) -> bool:
    """Say whether folders were followed, as far as is known, and none is any more."""
    folders = [kind for kind in result.kinds if kind.name == _FOLDERS]
    return result.is_empty or any(
        not kind.kept and (kind.lost or not kind.is_exact) for kind in folders
    )


def _named(kind: str) -> str:
    """Return what a kind is called in the window's language."""
    tr = QCoreApplication.translate
    named = {
        "knowledge bases": tr("RecoveryDialog", "knowledge bases"),
        "followed folders": tr("RecoveryDialog", "followed folders"),
        "files left out": tr("RecoveryDialog", "files left out"),
        "consents": tr("RecoveryDialog", "consents"),
        "files": tr("RecoveryDialog", "files"),
        "documents": tr("RecoveryDialog", "documents"),
        "chunks": tr("RecoveryDialog", "chunks"),
        "conversations": tr("RecoveryDialog", "conversations"),
        "messages": tr("RecoveryDialog", "messages"),
        "drafts": tr("RecoveryDialog", "drafts"),
        "question sets": tr("RecoveryDialog", "question sets"),
        "saved questions": tr("RecoveryDialog", "saved questions"),
        "places of answers": tr("RecoveryDialog", "places of answers"),
        "measured runs": tr("RecoveryDialog", "measured runs"),
        "notes": tr("RecoveryDialog", "notes"),
        "vectors": tr("RecoveryDialog", "vectors"),
    }
    return named.get(kind, kind)


def _label(role: str) -> QLabel:
    made = QLabel()
    made.setObjectName(role)
    made.setWordWrap(True)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made
