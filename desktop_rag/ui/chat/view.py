"""The transcript on screen: one text document, a frame a turn, written at most at 30 Hz."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import (
    QGuiApplication,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextFrameFormat,
)
from PySide6.QtWidgets import QTextBrowser, QToolTip, QWidget

from desktop_rag.app.transcript import Transcript, Turn
from desktop_rag.ui.chat.markdown import CITE, STEPS, is_web
from desktop_rag.ui.chat.writer import COPY, Look, TurnWriter, squash
from desktop_rag.ui.theme import Theme
from desktop_rag.ui.widgets.throttle import Throttle

_FRAME_MS = 33
_COLUMN = 760
_BATCH = 12
_QUOTE_IN_TIP = 400


@dataclass(frozen=True, slots=True)
class Pointed:
    """A citation that was clicked: source `n` of a turn."""

    turn: int
    n: int


class TranscriptView(QTextBrowser):
    """Shows a `Transcript`.

    `cited` carries a `Pointed`, `picked` the number of a turn that was clicked, `web_asked` the
    address of a web link.
    """

    cited = Signal(object)
    picked = Signal(object)
    web_asked = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._transcript = Transcript()
        self._shown: list[Turn] = []
        self._frames: list[QTextFrame] = []
        self._questions: list[QTextFrame | None] = []
        self._open: set[int] = set()
        self._unwritten = 0
        self._known = ""
        self.times_written = 0
        self._throttle = Throttle(_FRAME_MS, self)
        self._throttle.due.connect(self._write)
        self._older = QTimer(self)
        self._older.setInterval(0)
        self._older.timeout.connect(self._write_older)
        self.setOpenLinks(False)
        self.document().setIndentWidth(22)
        self.document().setUndoRedoEnabled(False)
        self.anchorClicked.connect(self._follow)
        self.setAccessibleName(self.tr("Conversation"))
        self.viewport().setAutoFillBackground(False)
        theme.changed.connect(self._write_anew)

    def show_transcript(self, transcript: Transcript) -> None:
        """Show a transcript; what is already on screen of it stays."""
        other = not _continues(self._transcript, transcript)
        self._transcript = transcript
        if other:
            self._write_anew()
        elif transcript.running:
            self._throttle.ask()
        else:
            self._throttle.now()

    def leave_out(self, known: str) -> None:
        """Write from now on no notice that begins so: it is said elsewhere."""
        self._known = known

    def toggle_steps(self, turn: int) -> None:
        """Unfold or fold the steps of a turn."""
        self._open ^= {turn}
        self._write_turn(turn)

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

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep the column centred and of a width that reads well."""
        self._set_margins()
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's
        """Paint the questions' bubbles, then the text."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), self._theme.colors.of("base"))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colors.of("bubble"))
        for bubble in self._bubbles():
            if bubble.intersects(QRectF(event.rect())):
                painter.drawRoundedRect(bubble, 10, 10)
        painter.end()
        super().paintEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """A click on a turn, outside its links, picks it."""
        super().mouseReleaseEvent(event)
        event.accept()
        at = event.position().toPoint()
        turn = self._turn_at(self.cursorForPosition(at).position())
        if turn is not None and not self.anchorAt(at) and not self.textCursor().hasSelection():
            self.picked.emit(turn)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's
        """Show a citation's quote when the mouse rests on it."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event.pos(), event.globalPos())
            return True
        return super().viewportEvent(event)

    def _bubbles(self) -> list[QRectF]:
        layout = self.document().documentLayout()
        offset = QPoint(-self.horizontalScrollBar().value(), -self.verticalScrollBar().value())
        found = []
        for frame in self._questions:
            if frame is not None:
                box = layout.frameBoundingRect(frame).translated(offset)
                found.append(box.adjusted(0, 2, 0, -4))
        return found

    def _show_tip(self, at: QPoint, on_screen: QPoint) -> None:
        pointed = self._pointed(at)
        if pointed is None:
            QToolTip.hideText()
            return
        turn = self._transcript.turns[pointed.turn]
        quotes = [c.quote for c in turn.citations if c.n == pointed.n]
        text = quotes[0] if quotes else turn.sources[pointed.n - 1].text
        source = turn.sources[pointed.n - 1]
        shown = text[:_QUOTE_IN_TIP] + ("…" if len(text) > _QUOTE_IN_TIP else "")
        place = f"{source.title or source.path} · {source.locator.label()}"
        QToolTip.showText(on_screen, f"{place}\n\n{shown}", self)

    def _pointed(self, at: QPoint) -> Pointed | None:
        address = self.anchorAt(at)
        if not address.startswith(CITE):
            return None
        cursor = self.cursorForPosition(at)
        return self._reference(address, cursor.position())

    def _reference(self, address: str, position: int) -> Pointed | None:
        turn, n = self._turn_at(position), _number(address)
        if turn is None or not 1 <= n <= len(self._transcript.turns[turn].sources):
            return None
        return Pointed(turn, n)

    def _turn_at(self, position: int) -> int | None:
        for number, frame in enumerate(self._frames):
            if frame.firstPosition() <= position <= frame.lastPosition():
                return number + self._unwritten
        return None

    @Slot(QUrl)
    def _follow(self, url: QUrl) -> None:
        address = url.toString()
        number = _number(address)
        is_turn = 0 <= number < len(self._transcript.turns)
        if address.startswith(CITE):
            pointed = self._reference(address, self.textCursor().position())
            if pointed is not None:
                self.cited.emit(pointed)
        elif address.startswith(STEPS) and is_turn:
            self.toggle_steps(number)
        elif address.startswith(COPY) and is_turn:
            QGuiApplication.clipboard().setText(self._transcript.turns[number].text)
        elif is_web(address):
            self.web_asked.emit(address)

    @Slot()
    def _write_anew(self) -> None:
        self.clear()
        self._open.clear()
        self._set_margins()
        squash(QTextCursor(self.document()))
        self._shown, self._frames, self._questions = [], [], []
        self._unwritten = max(0, len(self._transcript.turns) - _BATCH)
        self._write(follow=True)
        if self._unwritten:
            self._older.start()

    @Slot()
    def _write(self, *, follow: bool = False) -> None:
        """Write the turns that are new or changed; stay at the end if it was in sight."""
        self.times_written += 1
        bar = self.verticalScrollBar()
        at_end = follow or bar.value() >= bar.maximum() - 4
        for number in range(self._unwritten, len(self._transcript.turns)):
            row = number - self._unwritten
            if row >= len(self._frames):
                self._append_frame()
                at_end = True
            if self._shown[row] is not self._transcript.turns[number]:
                self._write_turn(number)
        if at_end:
            bar.setValue(bar.maximum())

    @Slot()
    def _write_older(self) -> None:
        """Write a batch of the turns above, the view staying where it is."""
        bar = self.verticalScrollBar()
        below = bar.maximum() - bar.value()
        for _ in range(min(_BATCH, self._unwritten)):
            self._unwritten -= 1
            cursor = QTextCursor(self.document())
            self._insert_frame(cursor, 0)
            self._write_turn(self._unwritten)
        bar.setValue(bar.maximum() - below)
        if not self._unwritten:
            self._older.stop()

    def _append_frame(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self._insert_frame(cursor, len(self._frames))

    def _insert_frame(self, cursor: QTextCursor, row: int) -> None:
        look = QTextFrameFormat()
        look.setBottomMargin(18)
        frame = cursor.insertFrame(look)
        after = frame.lastCursorPosition()
        after.movePosition(QTextCursor.MoveOperation.NextBlock)
        squash(after)
        self._frames.insert(row, frame)
        self._shown.insert(row, Turn("", ""))
        self._questions.insert(row, None)

    def _write_turn(self, number: int) -> None:
        row = number - self._unwritten
        turn = self._transcript.turns[number]
        before = self._transcript.turns[:number]
        told = frozenset(notice for each in before for notice in each.notices)
        look = Look(self._theme.colors, self.font(), told, self._known)
        self._questions[row] = None
        writer = TurnWriter(self._frames[row], turn, look)
        self._questions[row] = writer.write(number, steps_open=number in self._open)
        self._shown[row] = turn

    def _set_margins(self) -> None:
        root = self.document().rootFrame()
        look = root.frameFormat()
        side = max(20, (self.viewport().width() - _COLUMN) // 2)
        look.setLeftMargin(side)
        look.setRightMargin(side)
        look.setTopMargin(16)
        look.setBottomMargin(8)
        root.setFrameFormat(look)


def _number(address: str) -> int:
    """Return the number that one of our own links carries; -1 where an answer forged one."""
    digits = address.partition(":")[2]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 7 else -1


def _continues(old: Transcript, new: Transcript) -> bool:
    """Return whether `new` is the conversation `old`, gone on."""
    if not old.turns:
        return not new.turns
    if len(new.turns) < len(old.turns):
        return False
    return all(a.question == b.question for a, b in zip(old.turns, new.turns, strict=False))
