"""Says above a question that it goes to some documents only, with a way out of that."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.document_scope import COMPARE, EACH, DocumentScope
from desktop_rag.gui.controllers.transcript import Turn
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.elided_label import ElidedLabel

_NAMED = 3  # documents


class ScopeRow(QWidget):
    """Hidden until documents are chosen. `left` says that all are asked again."""

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scope: DocumentScope | None = None
        self.words = ElidedLabel(Qt.TextElideMode.ElideMiddle)
        self.words.setObjectName("small")
        self.cancel = IconButton(theme, "close", self.tr("Ask all documents again"))
        self.cancel.setIconSize(QSize(14, 14))
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 0, 0)
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self.leave)
        self.hide()

    def take(self, scope: DocumentScope | None) -> None:
        """Show which documents are asked; None for all."""
        self.scope = scope
        self.setVisible(scope is not None)
        if scope is None:
            return
        if scope.kind == EACH:
            text = self.tr("Each document is asked, a row each: %1")
        else:
            text = self.tr("Only this is asked: %1")
        self.words.set_text(text.replace("%1", names(scope.paths)))

    @Slot()
    def leave(self) -> None:
        """Ask all documents again."""
        self.take(None)
        self.left.emit()


def names(paths: tuple[str, ...]) -> str:
    """Return what files and folders are called, the first few."""
    told = [sanitize_name(PurePath(path).name) for path in paths]
    shown = ", ".join(told[:_NAMED])
    if len(told) <= _NAMED:
        return shown
    more = QCoreApplication.translate("ScopeRow", "%1 and %2 more")
    return more.replace("%1", shown).replace("%2", str(len(told) - _NAMED))


def question_text(turn: Turn) -> str:
    """Return what was asked: of whole documents in the window's language, else as it was typed."""
    if turn.task is None or not turn.task.paths:
        return turn.question
    scope = DocumentScope(turn.task.action, turn.task.paths)
    return asked_text(scope, turn.task.question)


def asked_text(scope: DocumentScope, question: str = "") -> str:
    """Return what a conversation says was asked."""
    if scope.kind == EACH:
        text = QCoreApplication.translate("ScopeRow", "%1 (each of: %2)")
        return text.replace("%2", names(scope.paths)).replace("%1", question)
    if scope.kind == COMPARE:
        text = QCoreApplication.translate("ScopeRow", "Compare: %1")
    else:
        text = QCoreApplication.translate("ScopeRow", "Summarise: %1")
    return text.replace("%1", names(scope.paths))
