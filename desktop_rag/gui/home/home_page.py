"""The first page: a question, knowledge bases with their progress, the last conversations.

Before anything was added it is a field to drop files on.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from desktop_rag.core.catalog_records import Conversation, KnowledgeBase
from desktop_rag.gui.chat.composer import Composer
from desktop_rag.gui.chat.conversation_model import heading_text
from desktop_rag.gui.chat.question_list import QuestionList
from desktop_rag.gui.chat.welcome import MOST_QUESTIONS, Greeting, offered_questions
from desktop_rag.gui.controllers.app_context import AppContext
from desktop_rag.gui.controllers.conversation_groups import ConversationRow, GroupHeading
from desktop_rag.gui.controllers.library import Indexing
from desktop_rag.gui.controllers.library_snapshot import LibrarySnapshot
from desktop_rag.gui.display_text import join_details, shown_name
from desktop_rag.gui.home.first_start import FirstStart
from desktop_rag.gui.home.tiles import HomeTile, part_heading
from desktop_rag.gui.library import library_text
from desktop_rag.gui.theme import Theme
from desktop_rag.gui.widgets.scroll_areas import PageScrollArea

_COLUMN = 720  # pixels, as wide as an answer
_MOST_CONVERSATIONS, _MOST_BASES = 4, 6


class HomePage(QWidget):
    """Shows what the library and the conversations are; the question's field is lent to it.

    `base_picked` carries the name of a knowledge base, `conversation_picked` a conversation's
    number, `question_picked` a question that is to be asked.
    """

    base_picked = Signal(str)
    conversation_picked = Signal(object)
    question_picked = Signal(object)

    def __init__(
        self, theme: Theme, context: AppContext, parent: QWidget | None = None, *, is_new: bool
    ) -> None:
        """Begin with the field to drop files on where the data folder `is_new`."""
        super().__init__(parent)
        self.setObjectName("desk")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setAccessibleName(self.tr("Home"))
        self._library, self._suggestions = context.library, context.suggestions
        self.start = FirstStart(theme)
        self.greeting = Greeting()
        self.questions = QuestionList(MOST_QUESTIONS)
        self.bases: list[HomeTile] = []
        self.conversations: list[HomeTile] = []
        self._names: list[str] = []
        self._ids: list[int] = []
        self._bases_heading = part_heading(self.tr("Knowledge bases"))
        self._conversations_heading = part_heading(self.tr("Last conversations"))
        self._grid, self._column = QGridLayout(), QVBoxLayout()
        self._field = QVBoxLayout()
        self._composer: Composer | None = None
        self._stack = QStackedWidget()
        self._lay_out()
        self._stack.setCurrentIndex(int(not is_new))
        self._connect(context)

    @property
    def is_first_start(self) -> bool:
        """Whether there is nothing yet to ask."""
        return self._stack.currentIndex() == 0

    def lend(self, composer: Composer) -> None:
        """Show the field for a question, which belongs to the conversation, on this page."""
        self._composer = composer
        composer.set_sides(0, 0)
        self._field.addWidget(composer)

    def _connect(self, context: AppContext) -> None:
        library, kept = context.library, context.conversations
        library.snapshot_changed.connect(self._show_snapshot)
        library.activity_changed.connect(self._show_progress)
        kept.listed.connect(self._show_conversations)
        context.suggestions.changed.connect(self._offer)
        context.health.health_changed.connect(self.start.show_health)
        self.questions.picked.connect(self.question_picked)
        self.start.show_health(context.health.health)
        self._show_snapshot(library.snapshot)
        self._show_conversations(kept.rows)

    def _turn_page(self, *, is_filled: bool) -> None:
        """Show the page that fits; once there is something to ask, the keyboard is there."""
        is_new = is_filled and self.is_first_start
        self._stack.setCurrentIndex(int(is_filled))
        if is_new and self.isVisible() and self._composer is not None:
            self._composer.edit.setFocus()

    @Slot(object)
    def _show_snapshot(self, snapshot: LibrarySnapshot) -> None:
        self.greeting.show_shelf(snapshot)
        self._offer()
        if snapshot.kbs:
            self._turn_page(is_filled=not snapshot.has_nothing_in(()))
        shown = _first_bases(snapshot)
        names = [base.name for base in shown]
        if names != self._names:
            self._names = names
            self._make_bases()
        for tile, base in zip(self.bases, shown, strict=True):
            tile.show_texts(shown_name(base.name), base_text(base, snapshot))
        self._bases_heading.setVisible(bool(shown))
        self._show_progress()

    @Slot()
    def _show_progress(self) -> None:
        """Show how far the reading of a knowledge base has come."""
        activity, snapshot = self._library.activity, self._library.snapshot
        for tile, base in zip(self.bases, _first_bases(snapshot), strict=True):
            said = library_text.stage(activity)
            if not isinstance(activity, Indexing) or activity.kb != base.name or not said:
                tile.show_progress(None)
                tile.show_texts(shown_name(base.name), base_text(base, snapshot))
            else:
                tile.show_texts(shown_name(base.name), said)
                tile.show_progress(activity.progress)

    @Slot()
    def _offer(self) -> None:
        found = self._suggestions.questions
        self.questions.offer(offered_questions(self._library.snapshot, found))

    @Slot(object)
    def _show_conversations(self, rows: tuple[ConversationRow, ...]) -> None:
        """Show the last conversations, each with the part of the list that it stands in."""
        told = _last_conversations(rows)
        if [int(each.id) for each, _ in told] != self._ids:
            self._ids = [int(each.id) for each, _ in told]
            for tile in self.conversations:
                self._column.removeWidget(tile)
                tile.deleteLater()
            self.conversations = [HomeTile() for _ in told]
            for tile in self.conversations:
                tile.clicked.connect(self._pick_conversation)
                self._column.addWidget(tile)
        for tile, (each, when) in zip(self.conversations, told, strict=True):
            tile.show_texts(each.title, when)
        self._conversations_heading.setVisible(bool(told))

    def _make_bases(self) -> None:
        for tile in self.bases:
            self._grid.removeWidget(tile)
            tile.deleteLater()
        self.bases = [HomeTile() for _ in self._names]
        for number, tile in enumerate(self.bases):
            tile.clicked.connect(self._pick_base)
            self._grid.addWidget(tile, number // 3, number % 3)
        for column in range(3):
            self._grid.setColumnStretch(column, 1)

    @Slot()
    def _pick_base(self) -> None:
        sender = self.sender()
        for name, tile in zip(self._names, self.bases, strict=True):
            if tile is sender:
                self.base_picked.emit(name)

    @Slot()
    def _pick_conversation(self) -> None:
        sender = self.sender()
        for number, tile in zip(self._ids, self.conversations, strict=True):
            if tile is sender:
                self.conversation_picked.emit(number)

    def _lay_out(self) -> None:
        page = QWidget()
        page.setObjectName("desk")
        column = QVBoxLayout()
        column.setSpacing(10)
        self._grid.setSpacing(10)
        self._column.setSpacing(6)
        column.addStretch(2)
        column.addWidget(self.greeting)
        column.addLayout(self._field)
        column.addWidget(self.questions)
        column.addSpacing(10)
        column.addWidget(self._bases_heading)
        column.addLayout(self._grid)
        column.addSpacing(6)
        column.addWidget(self._conversations_heading)
        column.addLayout(self._column)
        column.addStretch(3)
        inside = QWidget()
        inside.setObjectName("clear")
        inside.setMaximumWidth(_COLUMN)
        inside.setLayout(column)
        row = QHBoxLayout(page)
        row.setContentsMargins(24, 16, 24, 16)
        row.addStretch(1)
        row.addWidget(inside, 100)
        row.addStretch(1)
        self._stack.addWidget(PageScrollArea(self.start))
        self._stack.addWidget(PageScrollArea(page))
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 0, 0)
        around.addWidget(self._stack)


def _first_bases(snapshot: LibrarySnapshot) -> list[KnowledgeBase]:
    """Return the knowledge bases that have a tile: the shown one first, then the fullest."""

    def place(base: KnowledgeBase) -> tuple[bool, int, str]:
        return base.name != snapshot.current, -base.files, base.name

    return sorted(snapshot.kbs, key=place)[:_MOST_BASES]


def base_text(base: KnowledgeBase, snapshot: LibrarySnapshot) -> str:
    """Return what a knowledge base's tile says of its files; of one that is not shown, less."""
    if base.name != snapshot.current:
        return library_text.files(base.files)
    problems = snapshot.problems
    trouble = library_text.with_problems(problems) if problems else ""
    return join_details(library_text.summary(snapshot) or library_text.files(0), trouble)


def _last_conversations(rows: tuple[ConversationRow, ...]) -> list[tuple[Conversation, str]]:
    told: list[tuple[Conversation, str]] = []
    over = ""
    for row in rows:
        if isinstance(row, GroupHeading):
            over = heading_text(row)
        elif len(told) < _MOST_CONVERSATIONS:
            told.append((row, over))
    return told
