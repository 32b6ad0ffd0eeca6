"""Answer and documents point at each other: sentences, their quotes, and what is asked about."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from desktop_rag.gui.chat.chat_pane import ChatPane
from desktop_rag.gui.chat.sentence_highlights import HoveredSentence
from desktop_rag.gui.chat.transcript_links import PassageClick
from desktop_rag.gui.controllers.chat import ChatController
from desktop_rag.gui.mode_rail import Mode
from desktop_rag.gui.page_stack import PageStack
from desktop_rag.gui.viewer.sources_pane import SourcesPane

_LONGEST_QUOTE = 1500  # characters of a document that go into a question


class HighlightSync(QObject):
    """Carries from the transcript to the sources what is pointed at, and back."""

    def __init__(
        self, controller: ChatController, chat: ChatPane, sources: SourcesPane, pages: PageStack
    ) -> None:
        super().__init__(chat)
        self._pages = pages
        self._controller = controller
        self._chat = chat
        self._sources = sources
        chat.view.sentence_pointed.connect(self._to_quotes)
        chat.view.passage_picked.connect(self._open_passage)
        sources.source_pointed.connect(self._to_sentences)
        sources.viewer.ask_wanted.connect(self._ask_about)

    def search_document(self) -> bool:
        """Begin a search in the document that has the focus; say whether one has it."""
        focus = QApplication.focusWidget()
        has_it = focus is not None and self._sources.isAncestorOf(focus)
        if has_it and self._sources.is_reading:
            self._sources.viewer.search()
            return True
        return False

    @Slot(object)
    def _to_quotes(self, pointed: HoveredSentence | None) -> None:
        """Mark the sources that a sentence rests on, where they are shown."""
        turns = self._controller.transcript.turns
        shown = pointed is not None and turns[pointed.turn] is self._sources.turn
        self._sources.mark_quotes(pointed.citations if pointed is not None and shown else None)

    @Slot(object)
    def _to_sentences(self, n: int | None) -> None:
        """Mark the sentences that rest on a source."""
        turns = self._controller.transcript.turns
        at = next((i for i, turn in enumerate(turns) if turn is self._sources.turn), None)
        self._chat.view.mark_source(at or 0, n if at is not None else None)

    @Slot(object)
    def _open_passage(self, found: PassageClick) -> None:
        """Open a passage that a step of an answer found."""
        turn = self._controller.transcript.turns[found.turn]
        self._sources.open_passage(turn, turn.retrieved[found.place])

    @Slot(object)
    def _ask_about(self, text: str) -> None:
        """Put what was selected in a document into the question, quoted."""
        is_home = self._pages.mode is Mode.HOME
        self._pages.show_mode(Mode.HOME if is_home else Mode.ASK)
        edit = self._chat.composer.edit
        said = " ".join(text.split())[:_LONGEST_QUOTE]
        edit.setPlainText(f"“{said}”\n{edit.toPlainText()}")
        edit.moveCursor(QTextCursor.MoveOperation.End)
        edit.setFocus()
