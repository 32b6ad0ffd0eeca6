"""Where a question is written: text, which knowledge bases are asked, strategy, send and stop."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QElapsedTimer, QSize, Signal, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.gui.chat.composer_controls import ComposerControls
from desktop_rag.gui.chat.name_completer import NameCompleter
from desktop_rag.gui.chat.question_edit import QuestionEdit
from desktop_rag.gui.chat.scope_row import ScopeRow
from desktop_rag.gui.controllers.document_scope import DocumentScope, ScopeItem
from desktop_rag.gui.controllers.library import Activity, Indexing
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.controllers.strategy_choices import StrategyChoices
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton

_TOO_SOON_MS = 400  # a click on Send that comes twice, or after Enter, is not meant as Stop


class EditingRow(QWidget):
    """Hidden until a question is edited. `left` is Cancel."""

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLabel(self.tr("Editing an earlier question. The one before is kept."))
        self.words.setObjectName("small")
        self.words.setWordWrap(True)
        self.cancel = IconButton(theme, "close", self.tr("Cancel editing (Esc)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 0, 0, 0)
        self.cancel.setIconSize(QSize(14, 14))
        row.addWidget(self.words, 1)
        row.addWidget(self.cancel)
        self.cancel.clicked.connect(self.left)
        self.hide()


@dataclass(frozen=True, slots=True)
class ComposedQuestion:
    """A question that was sent; `place` is the turn that it is asked in place of, if any.

    `kept_options` is what is kept of the options of ways, None where that is not known here.
    `scope` is what it is asked of, None for all. With `chooses_kb` it chooses among all
    knowledge bases, and `kbs` are none.
    """

    text: str
    kbs: tuple[str, ...]
    strategy: str
    model: str
    place: int | None = None
    kept_options: str | None = None
    scope: DocumentScope | None = None
    chooses_kb: bool = False


@dataclass(frozen=True, slots=True)
class ComposerState:
    """The question so far with what is chosen for it, what waits behind it, and the cursor."""

    asked: ComposedQuestion
    ticked: tuple[str, ...]
    aside: str
    cursor: int


class Composer(QWidget):
    """The lower edge of the conversation. `submitted` carries a `ComposedQuestion`; `stopped` is
    Stop.

    `recalled` asks for the last question, to be edited; `drafted` carries what is typed. `aside` is
    what was being typed before an earlier question was taken in.
    """

    submitted = Signal(object)
    stopped = Signal()
    recalled = Signal()
    drafted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("desk")
        self._running = False
        self._place: int | None = None
        self.aside = ""
        self._since = QElapsedTimer()
        self.hint = QLabel()
        self.hint.setObjectName("small")
        self._frame = QFrame()
        self._frame.setObjectName("composer")
        self.edit = QuestionEdit()
        self.edit.setPlaceholderText(self.tr("Ask a question of your documents; @ names one"))
        self.edit.setAccessibleName(self.tr("Question"))
        self.names = NameCompleter(theme, self.edit, self._frame)
        self.editing = EditingRow(theme)
        self.scope = ScopeRow(theme)
        self.controls = ComposerControls(theme)
        self.chips, self.send = self.controls.chips, self.controls.send
        self.models, self.strategies = self.controls.models, self.controls.strategies
        self._theme = theme
        self._around = QVBoxLayout(self)
        self._lay_out()
        self._connect()
        self._dress()

    def set_ways(self, offers: StrategyChoices) -> None:
        """Offer presets and strategies; the usual one is chosen."""
        self.controls.set_ways(offers)

    def set_models(
        self, names: tuple[str, ...], usual: str = "", elsewhere: frozenset[str] = frozenset()
    ) -> None:
        """Offer language models; without any there is nothing to choose."""
        self.controls.set_models(names, usual, elsewhere)

    def show_shelf(self, snapshot: LibrarySnapshot) -> None:
        """Offer the snapshot's knowledge bases to be asked."""
        self.chips.offer(tuple(kb.name for kb in snapshot.kbs), snapshot.current)
        self.scope.show_shelf(snapshot)
        self.names.show_shelf(snapshot)

    def show_activity(self, activity: Activity) -> None:
        """Say that results may be incomplete while files are being read."""
        progress = activity.progress if isinstance(activity, Indexing) else None
        if progress is None or progress.stage == "reembed":  # the vectors of before answer
            self.hint.hide()
        else:
            self.hint.setVisible(progress.done < progress.total)

    def edit_question(self, place: int, text: str) -> None:
        """Take an earlier question in to be changed; what was being typed comes back after it."""
        if self._place is None:
            self.aside = self.edit.toPlainText()
        self._place = place
        self.editing.show()
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.edit.setFocus()

    def put_draft(self, text: str) -> None:
        """Put back what was typed in the conversation that is shown now."""
        self.leave_editing()
        if text != self.edit.toPlainText():
            self.edit.setPlainText(text)
            self.edit.moveCursor(QTextCursor.MoveOperation.End)
            self.names.leave()

    @property
    def is_editing(self) -> bool:
        """Whether an earlier question is being changed."""
        return self._place is not None

    @Slot()
    def leave_editing(self) -> None:
        """Put the question away, and back what was being typed before it."""
        if self._place is None:
            return
        self.editing.hide()
        self.edit.setPlainText(self.aside)  # no draft of the conversation that is shown by now
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self._place = None
        self.aside = ""

    def leave_editing_beyond(self, turns: int) -> None:
        """Put the question away when its conversation is shown no more."""
        if self._place is not None and self._place >= turns:
            self.leave_editing()

    def asked(self, text: str) -> ComposedQuestion:
        """Return a question with what is chosen here."""
        return self.asked_of(text, self.scope.scope)

    def asked_of(self, text: str, scope: DocumentScope | None) -> ComposedQuestion:
        """Return a question of a scope, with what else is chosen here."""
        strategy = self.strategies.currentData() or ""
        model = self.models.currentData() or ""
        kept = self.controls.kept_options
        kbs, chooses = self.chips.chosen(), self.chips.chooses
        if scope is not None:
            is_told = all(each.kb for each in scope.items)
            kbs = scope.kbs if is_told else tuple(dict.fromkeys((*kbs, *scope.kbs)))
            chooses = chooses and not scope.kbs
        return ComposedQuestion(text, kbs, strategy, model, self._place, kept, scope, chooses)

    def ask_documents(self, scope: DocumentScope) -> None:
        """Let what is asked go to these documents alone."""
        self.scope.change(scope)
        self.edit.setFocus()

    def put_scope(self, scope: DocumentScope | None) -> None:
        """Show what the conversation asks that is shown now."""
        self.scope.take(scope)
        self._follow_scope()

    def set_running(self, running: bool) -> None:  # noqa: FBT001 - a state, set from a signal
        """Turn Send into Stop, or back."""
        if running != self._running:
            self._running = running
            self._since.start()
            self._dress()

    def set_sides(self, left: int, right: int) -> None:
        """Leave room beside the question."""
        self._around.setContentsMargins(left, 4, right, 14)

    def save_state(self) -> ComposerState:
        """Return what is being written."""
        text, cursor = self.edit.toPlainText(), self.edit.textCursor().position()
        return ComposerState(self.asked(text), self.chips.chosen(), self.aside, cursor)

    def restore_state(self, before: ComposerState) -> None:
        """Go on with what was being written in another composer."""
        asked = before.asked
        if asked.place is None:
            self.put_draft(asked.text)
        else:
            self.put_draft(before.aside)
            self.edit_question(asked.place, asked.text)
        cursor = self.edit.textCursor()
        cursor.setPosition(before.cursor)
        self.edit.setTextCursor(cursor)
        if before.ticked:
            self.chips.choose(before.ticked)
        else:
            self.chips.choose_by_question()
        self.put_scope(asked.scope)
        _choose(self.controls.strategies, asked.strategy)
        _choose(self.controls.models, asked.model)

    def _lay_out(self) -> None:
        self.hint.setText(self.tr("Still indexing: results may be incomplete."))
        self.hint.hide()
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(12, 10, 8, 8)
        inside.setSpacing(8)
        inside.addWidget(self.scope)
        inside.addWidget(self.editing)
        inside.addWidget(self.edit)
        inside.addWidget(self.controls)
        self._around.setSpacing(6)
        self._around.addWidget(self.hint)
        self._around.addWidget(self._frame)
        QWidget.setTabOrder(self.edit, self.send)
        QWidget.setTabOrder(self.send, self.chips)

    def _connect(self) -> None:
        self.edit.submitted.connect(self._submit)
        self.edit.recalled.connect(self.recalled)
        self.editing.left.connect(self.leave_editing)
        self.edit.focused.connect(self._outline)
        self.edit.textChanged.connect(self._dress)
        self.edit.textChanged.connect(self._tell_draft)
        self.send.clicked.connect(self._press)
        self.scope.changed.connect(self._follow_scope)
        self.names.picked.connect(self._add_scope)

    @Slot()
    def _press(self) -> None:
        if not self._running:
            self._submit()
        elif self._since.hasExpired(_TOO_SOON_MS):
            self.stopped.emit()

    @Slot()
    def _submit(self) -> None:
        text = self.edit.toPlainText().strip()
        if not text or self._running:
            return
        asked = self.asked(text)
        if self._place is None:
            self.edit.clear()
        self.leave_editing()
        self.submitted.emit(asked)

    @Slot()
    def _follow_scope(self) -> None:
        """Let the knowledge bases be chosen below only where nothing above says what is asked."""
        self.chips.setVisible(self.scope.scope is None)
        before: QWidget = self.edit
        for cross in self.scope.crosses():
            QWidget.setTabOrder(before, cross)
            before = cross

    @Slot(object)
    def _add_scope(self, item: ScopeItem) -> None:
        self.scope.add((item,))

    @Slot()
    def _tell_draft(self) -> None:
        if self._place is None:
            self.drafted.emit(self.edit.toPlainText())

    @Slot()
    def _dress(self) -> None:
        if self._running:
            self.send.paint_as("stop", "on_accent", self.tr("Stop (Esc)"))
        else:
            role = "on_accent" if self.edit.toPlainText().strip() else "faint"
            self.send.paint_as("send", role, self.tr("Send (Enter)"))
        self.send.setEnabled(self._running or bool(self.edit.toPlainText().strip()))

    @Slot(object)
    def _outline(self, focused: bool) -> None:  # noqa: FBT001 - a signal's value
        self._frame.setProperty("focused", focused)
        self._frame.style().unpolish(self._frame)
        self._frame.style().polish(self._frame)


def _choose(box: QComboBox, value: str) -> None:
    if (row := box.findData(value)) >= 0:
        box.setCurrentIndex(row)
