"""The verdict on a passage: which one it is, what became of it, and what would help."""

from __future__ import annotations

from pathlib import PurePath

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.explain_events import Verdict
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.gui.controllers.open_document import OpenDocument
from desktop_rag.gui.controllers.settings import declared
from desktop_rag.gui.display_text import locator_text
from desktop_rag.gui.lab.search_test_values import PassageTrace
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import SMALL, Theme, scaled
from desktop_rag.gui.widgets.announcements import announce

_QUOTED = 220  # characters of the passage


class VerdictCard(QFrame):
    """Shows a `PassageTrace`'s verdict, or that it is being found.

    `document_wanted` carries the `OpenDocument` of the passage, `remedy_wanted` what was tried.
    """

    document_wanted = Signal(object)
    remedy_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._theme = theme
        self._verdict: Verdict | None = None
        self.what = _label()
        self.what.setFont(scaled(self.what.font(), 1.0, bold=True))
        self.remedy = _label()
        self.passage = _label()
        self.passage.setObjectName("muted")
        self.passage.setFont(scaled(self.passage.font(), SMALL))
        self.help = QPushButton()
        self.open = QPushButton(self.tr("Open in its document"))
        self.open.setObjectName("quiet")
        self._lay_out()
        self.help.clicked.connect(self._help)
        self.open.clicked.connect(self._open)

    def show_way(self, way: PassageTrace) -> None:
        """Show what is known."""
        self._verdict = verdict = way.verdict
        self.remedy.setVisible(verdict is not None and bool(verdict.remedy))
        self.passage.setVisible(verdict is not None and bool(verdict.path))
        self.open.setVisible(verdict is not None and verdict.document_id is not None)
        self.help.setVisible(False)
        if verdict is None:
            self.what.setText(self.tr("Following the passage…"))
            return
        sign = "✓" if verdict.found else "✗"
        self.what.setText(f"{sign}  {translate_message(verdict.what)}")
        self.remedy.setText(translate_message(verdict.remedy))
        self.passage.setText(_described(verdict))
        self.help.setVisible(_may_try(verdict))
        is_question = not _is_setting(verdict.tried)
        self.help.setText(self.tr("Ask this instead") if is_question else self.tr("Try it"))
        announce(
            self, join_sentences(translate_message(verdict.what), translate_message(verdict.remedy))
        )

    @Slot()
    def _help(self) -> None:
        if self._verdict is not None:
            self.remedy_wanted.emit(self._verdict.tried)

    @Slot()
    def _open(self) -> None:
        verdict = self._verdict
        if verdict is None or verdict.locator is None:
            return
        name = PurePath(verdict.path).name
        self.document_wanted.emit(
            OpenDocument(verdict.path, name, verdict.document_id, (verdict.locator,))
        )

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        buttons.addWidget(self.help)
        buttons.addWidget(self.open)
        buttons.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(6)
        for label in (self.what, self.remedy, self.passage):
            column.addWidget(label)
        column.addLayout(buttons)


def _described(verdict: Verdict) -> str:
    """Return the file, the place and the beginning of a passage."""
    where = locator_text(verdict.locator) if verdict.locator is not None else ""
    text = " ".join(verdict.text.split())
    shown = text if len(text) <= _QUOTED else f"{text[:_QUOTED].rstrip()} …"
    head = " · ".join(filter(None, (sanitize_name(PurePath(verdict.path).name), where)))
    return f"{head}\n{shown}" if shown else head


def _may_try(verdict: Verdict) -> bool:
    """Say whether what would help can be tried here: another question, or an option."""
    key = verdict.tried.partition("=")[0]
    is_elsewhere = key in declared and not key.startswith("retrieval.")
    return bool(verdict.tried) and not is_elsewhere


def _is_setting(tried: str) -> bool:
    """Say whether what was tried is a setting, not a question."""
    key, equals, _ = tried.partition("=")
    return bool(equals) and (key == "k" or key in declared)


def _label() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label
