"""Beside the table: what the chosen files are, why they are not read, and the button that helps."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop_rag.core.catalog_records import FileRow
from desktop_rag.core.sanitize import sanitize_name
from desktop_rag.core.types import DocumentId
from desktop_rag.gui.controllers.derived_texts import DerivedTextController, PreparedSummary
from desktop_rag.gui.controllers.file_query import is_below, name_of
from desktop_rag.gui.controllers.file_remedies import RemedyChoice, obstacle_of, remedy_choices
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot, is_problem, is_ready
from desktop_rag.gui.display_text import join_details
from desktop_rag.gui.icons import icon
from desktop_rag.gui.library import file_remedy_text, library_text
from desktop_rag.gui.library.file_facts import facts_of
from desktop_rag.gui.library.file_kinds import kind_of
from desktop_rag.gui.library.file_menu import FileActions
from desktop_rag.gui.message_translation import join_sentences, translate_message
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.buttons import IconButton
from desktop_rag.gui.widgets.cards import text_label
from desktop_rag.gui.widgets.scroll_areas import ColumnScrollArea

MOST_LOOKED_AT = 5000
"""Of more files it is only said how many they are: each costs a look in the window's thread."""
_SIGN = QSize(18, 18)
_WIDE = 560  # pixels
_LONG = re.compile(r"([/\\_.,-])|([^\s/\\_.,-]{18})")


class FileDetails(QFrame):
    """Always as large, whatever is chosen; `closed` says that it is wanted no longer.

    `actions` are those of the table; what helps files is theirs, too.
    """

    closed = Signal()

    def __init__(
        self,
        theme: Theme,
        actions: FileActions,
        texts: DerivedTextController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Details of what is chosen"))
        self._theme, self._actions, self._texts = theme, actions, texts
        self._rows: tuple[FileRow, ...] = ()
        self._snapshot = LibrarySnapshot((), "")
        self._summary = PreparedSummary(DocumentId(0), "")
        self._sign, self._state_sign = QLabel(), QLabel()
        self.name = text_label("", "heading")
        self.name.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.close_button = IconButton(theme, "close", self.tr("Close the details"))
        self.state = text_label("", "")
        self.reason = text_label("", "muted")
        self.remedies = [RemedyButton(actions, is_first=not number) for number in range(3)]
        using = [actions.read, actions.open, actions.only, actions.summarise]
        self.buttons = [ActionButton(each) for each in using]
        self.facts = [(text_label("", "small"), text_label()) for _ in range(8)]
        self.summary_heading = text_label(self.tr("Summary"), "heading")
        self.summary = text_label()
        self.area = ColumnScrollArea()
        self._button_grid, self._fact_grid = QGridLayout(), QGridLayout()
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._lay_out()
        self.close_button.clicked.connect(self.closed)
        texts.summary_came.connect(self._take_summary)
        theme.changed.connect(self._show)
        self._show()

    def show_chosen(self, rows: tuple[FileRow, ...], snapshot: LibrarySnapshot) -> None:
        """Show what is chosen; the names of none, one, or several files."""
        is_same = rows == self._rows and snapshot.away == self._snapshot.away
        is_same = is_same and snapshot.unfollowed == self._snapshot.unfollowed
        self._rows, self._snapshot = rows, snapshot
        if not is_same or len(rows) == 1:
            self._show()
        document = rows[0].document_id if len(rows) == 1 and is_ready(rows[0]) else None
        is_known = document == self._summary.document_id and bool(self._summary.text)
        if snapshot.has_summaries and document is not None and not is_known:
            self._texts.want_summary(document)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Have what mends beside what is known where there is room, else above it."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _WIDE
        way = QBoxLayout.Direction
        self._halves.setDirection(way.LeftToRight if is_wide else way.TopToBottom)

    @Slot()
    def _show(self) -> None:
        self._actions.refresh()
        row = self._rows[0] if len(self._rows) == 1 else None
        self._show_name(row)
        if row is None:
            self._show_several()
        else:
            self._show_state(row)
        self._show_remedies()
        self._show_buttons(is_shown=row is not None)
        self._show_facts(facts_of(row) if row is not None else [])
        self._show_summary()

    def _show_name(self, row: FileRow | None) -> None:
        name = sanitize_name(name_of(row)) if row is not None else self._count()
        self.name.setText(breakable(name))
        self.name.setAccessibleName(name)
        self._sign.setVisible(row is not None)
        if row is not None:
            self._paint(self._sign, kind_of(row.path), "muted")

    def _count(self) -> str:
        return library_text.chosen(len(self._rows)) if self._rows else self.tr("Nothing is chosen")

    def _show_several(self) -> None:
        self._state_sign.hide()
        number = len(self._rows)
        if not number:
            told = self.tr("Choose a file to see what it is, and what helps where it is not read.")
        elif number > MOST_LOOKED_AT:
            told = self.tr("What can be done with so many files stands in their menu.")
        else:
            size = sum(row.stamp.size for row in self._rows if row.stamp is not None)
            problems = sum(map(is_problem, self._rows))
            trouble = library_text.with_problems(problems) if problems else ""
            told = join_details(library_text.size(size), trouble)
        self.state.setText("")
        self.state.hide()
        self.reason.setText(told)
        self.reason.show()

    def _show_state(self, row: FileRow) -> None:
        is_away = any(is_below(row.path, folder) for folder in self._snapshot.away)
        sign, role = ("away", "muted") if is_away else library_text.icon_and_color(row)
        self._paint(self._state_sign, sign, role)
        self._state_sign.show()
        said = library_text.state_label(row, is_away=is_away)
        self.state.setText(said)
        self.state.show()
        obstacle = obstacle_of(row, self._snapshot)
        why = sanitize_name(translate_message(row.reason)) if row.reason else ""
        help_ = file_remedy_text.hindrance(obstacle) if obstacle is not None else ""
        self.reason.setText(join_sentences(*(each for each in (why, help_) if each)))
        self.reason.setVisible(bool(self.reason.text()))

    def _show_remedies(self) -> None:
        is_few = len(self._rows) <= MOST_LOOKED_AT
        choices = remedy_choices(self._rows, self._snapshot) if is_few else ()
        for at, each in enumerate(self.remedies):
            each.offer(choices[at] if at < len(choices) else None)

    def _show_buttons(self, *, is_shown: bool) -> None:
        at = 0
        for each in self.buttons:
            each.follow()
            if not is_shown:
                each.hide()
            elif not each.isHidden():
                self._button_grid.addWidget(each, at // 2, at % 2)
                at += 1

    def _show_facts(self, facts: list[tuple[str, str]]) -> None:
        for at, (name, value) in enumerate(self.facts):
            is_shown = at < len(facts)
            for label in (name, value):
                label.setVisible(is_shown)
            if is_shown:
                name.setText(facts[at][0])
                value.setText(breakable(facts[at][1]))
                value.setAccessibleName(f"{facts[at][0]}: {facts[at][1]}")

    def _show_summary(self) -> None:
        row = self._rows[0] if len(self._rows) == 1 else None
        is_own = row is not None and row.document_id == self._summary.document_id
        text = self._summary.text if is_own and self._snapshot.has_summaries else ""
        self.summary.setText(text)
        for label in (self.summary_heading, self.summary):
            label.setVisible(bool(text))

    @Slot(object)
    def _take_summary(self, summary: PreparedSummary) -> None:
        self._summary = summary
        self._show_summary()

    def _paint(self, label: QLabel, name: str, role: str) -> None:
        drawn = icon(name, getattr(self._theme.colors, role))
        label.setPixmap(drawn.pixmap(_SIGN, self.devicePixelRatio()))

    def _lay_out(self) -> None:
        top, state = QHBoxLayout(), QHBoxLayout()
        self._lay_out_grids()
        up = Qt.AlignmentFlag.AlignTop
        top.addWidget(self._sign)
        top.addWidget(self.name, 1)
        top.addWidget(self.close_button, 0, up)
        state.addWidget(self._state_sign)
        state.addWidget(self.state, 1)
        inside = self.area.column
        inside.setContentsMargins(14, 0, 14, 10)
        helping, known = QVBoxLayout(), QVBoxLayout()
        helping.addLayout(state)
        helping.addWidget(self.reason)
        for each in self.remedies:
            helping.addWidget(each)
        helping.addLayout(self._button_grid)
        known.addLayout(self._fact_grid)
        known.addWidget(self.summary_heading)
        known.addWidget(self.summary)
        for half in (helping, known):
            half.setSpacing(8)
            half.addStretch(1)
            self._halves.addLayout(half, 1)
        self._halves.setSpacing(12)
        inside.addLayout(self._halves)
        inside.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(6)
        top.setContentsMargins(14, 0, 8, 0)
        column.addLayout(top)
        column.addWidget(self.area, 1)

    def _lay_out_grids(self) -> None:
        up = Qt.AlignmentFlag.AlignTop
        self._fact_grid.setColumnStretch(1, 1)
        self._fact_grid.setHorizontalSpacing(12)
        self._fact_grid.setVerticalSpacing(4)
        for at, (name, value) in enumerate(self.facts):
            name.setWordWrap(False)
            name.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)
            self._fact_grid.addWidget(name, at, 0, up)
            self._fact_grid.addWidget(value, at, 1, up)
        for at, button in enumerate(self.buttons):
            self._button_grid.setColumnStretch(at % 2, 1)
            self._button_grid.addWidget(button, at // 2, at % 2)


class ActionButton(QPushButton):
    """A button that does what an action does, and is there while that makes sense."""

    def __init__(self, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(action.text(), parent)
        self.action_done = action
        self.clicked.connect(self._act)

    def follow(self) -> None:
        """Be there while the action can be done."""
        self.setText(self.action_done.text())
        self.setVisible(self.action_done.isVisible() and self.action_done.isEnabled())

    @Slot()
    def _act(self) -> None:
        self.action_done.trigger()


class RemedyButton(QPushButton):
    """A button that does what helps files; hidden where there is nothing that helps."""

    def __init__(
        self, actions: FileActions, parent: QWidget | None = None, *, is_first: bool
    ) -> None:
        super().__init__(parent)
        self.setObjectName("primary" if is_first else "")
        self._actions = actions
        self._choice: RemedyChoice | None = None
        self.clicked.connect(self._apply)

    def offer(self, choice: RemedyChoice | None) -> None:
        """Offer what helps."""
        self._choice = choice
        self.setVisible(choice is not None)
        if choice is not None:
            self.setText(file_remedy_text.button(choice.remedy, len(choice.rows)))
            self.setToolTip(file_remedy_text.effect(choice.remedy))

    @Slot()
    def _apply(self) -> None:
        if self._choice is not None:
            self._actions.apply_remedy(self._choice)


def breakable(text: str) -> str:
    """Return a name or path that may be broken into lines after its separators.

    A zero-width space stands there, which nobody sees.
    """
    return _LONG.sub(lambda found: f"{found[0]}\u200b", text)
