"""The transcript on screen: its links, what the mouse points at, the bubbles of the questions."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt, QUrl, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextDocument,
)
from PySide6.QtWidgets import QMenu, QToolTip, QWidget

from desktop_rag.gui.chat import clipboard, source_tooltips, transcript_links
from desktop_rag.gui.chat.hit_test import HitTest
from desktop_rag.gui.chat.safe_markdown import CITE, STEPS, is_web
from desktop_rag.gui.chat.sentence_highlights import HoveredSentence, SentenceHighlights
from desktop_rag.gui.chat.text_style import TurnStyle
from desktop_rag.gui.chat.transcript_announcer import TranscriptAnnouncer
from desktop_rag.gui.chat.transcript_background import TranscriptBackground
from desktop_rag.gui.chat.transcript_links import (
    CitationClick,
    PassageClick,
    TranscriptLink,
    TurnAction,
    TurnPart,
)
from desktop_rag.gui.chat.virtual_transcript import ScrollAnchor, VirtualTranscript
from desktop_rag.gui.chat.visible_turns import TranscriptContent
from desktop_rag.gui.controllers.strategy_choices import WayForm
from desktop_rag.gui.controllers.transcript import Transcript, Turn
from desktop_rag.gui.theme import READING, Theme, scaled
from desktop_rag.gui.widgets.throttle import Throttle

__all__ = ["CitationClick", "TranscriptView", "TurnAction", "continues"]

_FRAME_MS = 36  # at most 30 times a second, with what Qt paints of itself as it scrolls
_CONFIRM_MS = 1500
_PICTURE = "\ufffc"  # what stands for one in a text


class TranscriptView(VirtualTranscript):
    """Shows a `Transcript`.

    `cited` carries a `CitationClick`, `picked` the number of a turn that was clicked, `web_asked`
    the address of a web link, `wished` a `TurnAction`, `passage_picked` a `PassageClick`,
    `part_noted` a `TurnPart` that is to be a note;
    `sentence_pointed` a `HoveredSentence` while the mouse is over one, then None.
    """

    cited = Signal(object)
    picked = Signal(object)
    web_asked = Signal(object)
    wished = Signal(object)
    sentence_pointed = Signal(object)
    passage_picked = Signal(object)
    part_noted = Signal(object)

    alone = False
    """Whether answers stand by themselves; see `TurnStyle`."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._transcript = Transcript()
        self._open: set[int] = set()
        self._hits: set[tuple[int, int]] = set()
        self._parts: dict[int, int] = {}
        self.ground = TranscriptBackground(self)
        self._under = HitTest(self, self.ground)
        self._known = ""
        self._forms: tuple[WayForm, ...] = ()
        self._marks = SentenceHighlights()
        self.speaker = TranscriptAnnouncer(self)
        self.setFont(scaled(self.font(), READING))
        self.times_written = 0
        self._throttle = Throttle(_FRAME_MS, self)
        self._throttle.due.connect(self._write)
        self.anchorClicked.connect(self._follow)
        self.arranged.connect(self._mark)
        self.setAccessibleName(self.tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        theme.changed.connect(self._write_anew)

    def show_transcript(self, transcript: Transcript) -> None:
        """Show a transcript; what is already on screen of it stays."""
        before = self._transcript
        self._transcript = transcript
        if not continues(before, transcript):
            self._open.clear()
            self._hits.clear()
            self._parts.clear()
            self._marks = SentenceHighlights()
            self.clear_all()
            self._show(None)
        elif transcript.running and len(transcript.turns) == len(before.turns):
            self._throttle.ask()
        else:
            self._forget_beyond(len(transcript.turns))
            self._show(self._where(before, transcript))

    def leave_out(self, known: str) -> None:
        """Write from now on no notice that begins so: it is said elsewhere."""
        self._known = known

    def name_options(self, forms: tuple[WayForm, ...]) -> None:
        """Tell options of ways by the titles that these forms have, in what is shown, too."""
        if forms != self._forms:
            self._forms = forms
            self._write()

    def toggle_steps(self, turn: int) -> None:
        """Unfold or fold the steps of a turn."""
        self._open ^= {turn}
        self._write()

    def toggle_hits(self, turn: int, step: int) -> None:
        """Unfold or fold what a step of a turn found."""
        self._hits ^= {(turn, step)}
        self._write()

    def show_part(self, turn: int, part: int) -> None:
        """Show a part of a turn's long answer, from its beginning."""
        self._parts[turn] = part
        self._write()
        self.go_to_part(turn, is_first=not part)

    def mark_source(self, turn: int, n: int | None) -> None:
        """Mark the sentences of a turn that cite source n; none for None."""
        self._marks.source = None if n is None else (turn, n)
        self._mark()

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802 - Qt's
        """Load nothing: an answer's pictures and style sheets are refused, wherever they lie.

        An empty picture stands for every other: for want of one Qt would open the file itself.
        """
        del name
        if kind != QTextDocument.ResourceType.ImageResource:
            return ""
        nothing = QImage(1, 1, QImage.Format.Format_Alpha8)
        nothing.fill(0)
        return nothing

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint what lies behind the text, then the text."""
        painter = QPainter(self.viewport())
        chosen = self.textCursor().charFormat().anchorHref() if self.hasFocus() else ""
        self.ground.paint(painter, QRectF(event.rect()), self._theme.colors, chosen)
        painter.end()
        super().paintEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """Point at the sentence under the mouse."""
        super().mouseMoveEvent(event)
        at = event.position().toPoint()
        self._point_at(self._under.sentence(at))
        if self._under.is_passage(at):
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor)
        elif not self.anchorAt(at):
            self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's
        """Offer what may be done with the selection, and with the answer, beside what Qt offers."""
        menu = self.createStandardContextMenu(event.pos())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self.alone:
            menu.addSeparator()
            save = menu.addAction(self.tr("Save as note"))
            save.setEnabled(self.selected_part() is not None)
            save.triggered.connect(self._note_part)
            self._offer_answer(menu, event.pos())
        menu.popup(event.globalPos())

    def _offer_answer(self, menu: QMenu, at: QPoint) -> None:
        """Offer to copy and to export the answer at a place, where there is one."""
        found = self.sheet.writer_at(self.cursorForPosition(at).position())
        if found is None or not (turn := self._transcript.turns[found[0]]).text or turn.running:
            return
        menu.addSeparator()
        offered = [(self.tr("Copy answer"), transcript_links.COPY)]
        if turn.can_be_noted:
            offered.append((self.tr("Export answer…"), transcript_links.EXPORT))
        for words, kind in offered:
            menu.addAction(words).setData((TranscriptLink(kind, found[0]), turn))
        menu.triggered.connect(self._do_with_answer)

    @Slot(QAction)
    def _do_with_answer(self, action: QAction) -> None:
        if action.data() is not None:
            self._do(*action.data())

    def selected_part(self) -> TurnPart | None:
        """Return what is selected, where it lies in one turn whose answer is kept."""
        cursor = self.textCursor()
        text = cursor.selection().toPlainText().replace(_PICTURE, "").strip()
        first = self.sheet.writer_at(cursor.selectionStart())
        last = self.sheet.writer_at(max(cursor.selectionStart(), cursor.selectionEnd() - 1))
        if not text or first is None or last is None or first[0] != last[0]:
            return None
        is_kept = self._transcript.turns[first[0]].can_be_noted
        return TurnPart(first[0], text) if is_kept else None

    @Slot()
    def _note_part(self) -> None:
        if (part := self.selected_part()) is not None:
            self.part_noted.emit(part)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's
        """Point at nothing any more."""
        super().leaveEvent(event)
        self._point_at(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """A click on a turn, outside its links, picks it."""
        super().mouseReleaseEvent(event)
        event.accept()
        at = event.position().toPoint()
        node = self.ground.node_at(at)
        if node is not None and not self.textCursor().hasSelection():
            self._follow(QUrl(node.address))
            return
        found = self.sheet.writer_at(self.cursorForPosition(at).position())
        if found is not None and not self.anchorAt(at) and not self.textCursor().hasSelection():
            self.picked.emit(found[0])

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Show a citation's quote when the mouse rests on it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            tip = self._under.tip(event.pos())
            QToolTip.showText(event.globalPos(), tip, self)
            return True
        return super().viewportEvent(event)

    def focusNextPrevChild(self, following: bool) -> bool:  # noqa: N802, FBT001 - Qt's
        """Show a citation's quote when the focus comes to it by a key."""
        moved = super().focusNextPrevChild(following)
        self.viewport().update()  # a graph shows which of its passages has the focus
        cursor = self.textCursor()
        pointed = self._under.reference(cursor.charFormat().anchorHref(), cursor.selectionStart())
        if moved and pointed is not None:
            turn = self._transcript.turns[pointed.turn]
            under = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
            QToolTip.showText(under, source_tooltips.of_source(turn, pointed.n), self)
            self.speaker.say(source_tooltips.source_announcement(turn, pointed.n))
        return moved

    def _point_at(self, pointed: HoveredSentence | None) -> None:
        if pointed != self._marks.pointed:
            self._marks.pointed = pointed
            self._mark()
            self.sentence_pointed.emit(pointed)

    @Slot()
    def _mark(self) -> None:
        made = self._marks.selections(self.sheet, self._theme.colors)
        self.setExtraSelections(made)

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        address = url.toString()
        link = transcript_links.parsed(address)
        position = self.textCursor().selectionStart()
        self.hold_line()  # a document that is opened beside it makes the column narrower
        if link is None:
            if is_web(address):
                self.web_asked.emit(address)
        elif link.kind == CITE:
            pointed = self._under.reference(address, position)
            if pointed is not None:
                self.cited.emit(pointed)
        elif link.kind == transcript_links.VERSION:
            found = self.sheet.writer_at(position)
            self.wished.emit(TurnAction(link.kind, found[0] if found else 0, link.number))
        elif link.number < len(self._transcript.turns):
            self._do(link, self._transcript.turns[link.number])

    def _do(self, link: TranscriptLink, turn: Turn) -> None:
        """Do what a link of a turn says."""
        if link.kind == STEPS:
            self.toggle_steps(link.number)
        elif link.kind == transcript_links.PART:
            self.show_part(link.number, link.second)
        elif link.kind == transcript_links.HITS:
            self.toggle_hits(link.number, link.second)
        elif link.kind == transcript_links.FOUND:
            if link.second < len(turn.retrieved):
                self.passage_picked.emit(PassageClick(link.number, link.second))
        elif link.kind == transcript_links.EARLIER:
            self.wished.emit(TurnAction(link.kind, link.number, link.second))
        elif link.kind in transcript_links.OF_TURNS:
            self.wished.emit(TurnAction(link.kind, link.number))
        else:
            clipboard.copy(link, turn)
            self._confirm()

    def _confirm(self) -> None:
        """Say that something was copied: nothing else shows it."""
        at = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
        QToolTip.showText(at, self.tr("Copied"), self, QRect(), _CONFIRM_MS)
        self.speaker.say(self.tr("Copied"))

    @Slot()
    def _write_anew(self) -> None:
        anchor = self.here()
        self.clear_all()
        self._show(anchor)

    @Slot()
    def _write(self) -> None:
        self._show(self.here())

    def _show(self, anchor: ScrollAnchor | None) -> None:
        """Write the turns that are new or changed."""
        self.times_written += 1
        look = TurnStyle(
            self._theme.colors,
            self.font(),
            known=self._known,
            alone=self.alone,
            forms=self._forms,
            is_expert=self._theme.is_expert,
        )
        unfolded, hits = frozenset(self._open), frozenset(self._hits)
        parts = frozenset(self._parts.items())
        content = TranscriptContent(self._transcript.turns, look, unfolded, hits, parts)
        self.show_content(content, anchor)

    def _forget_beyond(self, turns: int) -> None:
        """Forget what was unfolded of turns that are there no more."""
        self._open = {n for n in self._open if n < turns}
        self._hits = {(n, step) for n, step in self._hits if n < turns}
        self._parts = {n: part for n, part in self._parts.items() if n < turns}

    def _where(self, before: Transcript, after: Transcript) -> ScrollAnchor | None:
        """Return what stays in sight: the end when a question was asked, else what is there."""
        asked = after.running and (len(after.turns) != len(before.turns) or not before.running)
        here = self.here()
        if asked:
            return None
        if here is None and len(after.turns) == len(before.turns):
            return self._at_the_end(before, after)
        top = here or ScrollAnchor(max(0, len(after.turns) - 1), 0.0)
        return ScrollAnchor(min(top.turn, len(after.turns) - 1), top.offset)

    def _at_the_end(self, before: Transcript, after: Transcript) -> ScrollAnchor | None:
        """Return what stays in sight of an answer that ended while its end was being read.

        What was read does not move, though a line may come below; an answer that comes whole is
        read from its question on.
        """
        if not before.running or after.running:
            return None
        whole = not before.turns[-1].text
        return ScrollAnchor(len(after.turns) - 1, 0.0) if whole else self.top_line()


def continues(old: Transcript, new: Transcript) -> bool:
    """Return whether `new` is the conversation `old`: gone on, or another branch of it."""
    if not old.turns or not new.turns:
        return not old.turns and not new.turns
    if old.chat_id is not None:
        return old.chat_id == new.chat_id
    return old.turns[0].question == new.turns[0].question
