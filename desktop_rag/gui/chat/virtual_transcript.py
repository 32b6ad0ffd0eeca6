"""A scrolled conversation of which only the turns in sight, and some around them, are written.

After a change only what it altered is painted: Qt would paint all that is in sight.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import NamedTuple

from PySide6.QtCore import QMimeData, QObject, QPoint, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from desktop_rag.gui.chat import clipboard
from desktop_rag.gui.chat.visible_turns import TOP, TranscriptContent, VisibleTurns

_MARGIN = 24  # pixels above a paragraph that may be its own
_NOWHERE = 2**31
_COLUMN = 720
_ABOVE = 8  # pixels above a part that is gone to
_LEAST_SIDE = 20
_NEXT_LINE = 16  # pixels further down where a line is looked for
_AROUND = 1.0  # heights of the view that are written above and below it
_FAR = 4.0  # heights of the view from which on a turn is let go
_FIND_IN = 20  # turns that are written to look for a text that seemed to be there
_TRIES = 4  # estimates are replaced by measures as turns are written
_FORWARD = QTextDocument.FindFlag(0)
_SIGNS = re.compile(r"[\s*_`#|\\\u2009\[\]]+")


class PartialRepaint(QObject):
    """Notes where an edit's document changes; what is above the first change looks as before."""

    def __init__(self, edit: QTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._changed_at = _NOWHERE
        edit.document().contentsChange.connect(self._note)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Have nothing painted for what is changed within, until `below` is called."""
        viewport, bar = self._edit.viewport(), self._edit.verticalScrollBar()
        before, self._changed_at = bar.value(), _NOWHERE
        viewport.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled)
        try:
            yield
        finally:
            viewport.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, on=False)
            if bar.value() != before:  # nothing was scrolled on screen meanwhile
                self._changed_at = 0

    def below(self) -> None:
        """Have painted what stands where the first change was, and all below it."""
        if self._changed_at == _NOWHERE:
            return
        document, viewport = self._edit.document(), self._edit.viewport()
        block = document.findBlock(self._changed_at)
        top = document.documentLayout().blockBoundingRect(block).top()
        above = int(top) - self._edit.verticalScrollBar().value() - _MARGIN
        viewport.update(viewport.rect().adjusted(0, max(0, above), 0, 0))

    @Slot(int, int, int)
    def _note(self, position: int, removed: int, added: int) -> None:
        del removed, added
        self._changed_at = min(self._changed_at, position)


class ScrollAnchor(NamedTuple):
    """What stays where it is on screen: a turn, and how far into it the upper edge is."""

    turn: int
    offset: float


class HeldLine(NamedTuple):
    """A line that stays at a height of the view, in pixels, whatever becomes of the width."""

    cursor: QTextCursor
    top: int


def side_of(width: int, least: int = _LEAST_SIDE) -> int:
    """Return how much room a width leaves on each side of the column."""
    return max(least, (width - _COLUMN) // 2)


class VirtualTranscript(QTextBrowser):
    """Shows a `TranscriptContent`, of which only some turns are written; `arranged` when they
    changed.
    """

    arranged = Signal()

    least_side = _LEAST_SIDE
    """Pixels beside the column where there is no more room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)
        # A bar that comes and goes would change the width while the text is being changed.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setIndentWidth(22)
        self.document().setUndoRedoEnabled(False)
        wrapped = QTextOption()
        wrapped.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(wrapped)
        self.sheet = VisibleTurns(self)
        self._repaint = PartialRepaint(self)
        self._arranging = False
        self._is_all_selected = self._is_selecting = False
        self._held: HeldLine | None = None
        self._later = QTimer(self)
        self._later.setInterval(0)
        self._later.timeout.connect(self._go_on)
        self.verticalScrollBar().valueChanged.connect(self._follow_scrolling)
        self.verticalScrollBar().rangeChanged.connect(self._dim_bar)
        self.selectionChanged.connect(self._note_selection)

    def show_content(self, content: TranscriptContent, anchor: ScrollAnchor | None) -> None:
        """Show a content; `anchor` stays in sight, the end where it is None."""
        self._held = None
        self._arranging = True
        with self._repaint.held_back():
            self.sheet.show(content, self._column())
        self._arrange(anchor)
        self._repaint.below()

    def clear_all(self) -> None:
        """Show nothing."""
        self._held = None
        self._arranging = True
        self.sheet.clear()
        self._arranging = False

    def here(self) -> ScrollAnchor | None:
        """Return where the view is; None at the end."""
        bar = self.verticalScrollBar()
        return None if bar.value() >= bar.maximum() - 4 else self.top_line()

    def top_line(self) -> ScrollAnchor | None:
        """Return what is at the upper edge, also at the end; None where nothing is shown."""
        if not len(self.sheet.heights):
            return None
        return self._anchor_at(max(0.0, self.verticalScrollBar().value() - TOP))

    def hold_line(self) -> None:
        """Keep the cursor's line at its height in other widths, until something is scrolled."""
        cursor = self.textCursor()
        top = self.cursorRect(cursor).top()
        is_seen = 0 <= top < self.viewport().height()
        self._held = HeldLine(cursor, top) if is_seen else None

    def go_back_to(self, anchor: ScrollAnchor | None) -> None:
        """Be where `here` was, though the text may have been laid out anew since."""
        if anchor is None or anchor.turn < len(self.sheet.heights):
            self._arrange(anchor)

    def go_to(self, turn: int) -> None:
        """Bring a turn to the top."""
        if 0 <= turn < len(self.sheet.heights):
            self._arrange(ScrollAnchor(turn, 0.0))

    def go_to_part(self, turn: int, *, is_first: bool) -> None:
        """Bring the part that is shown of a turn's long answer to the top; the first with its turn.

        Where a question is too long for that, it is left above.
        """
        self.go_to(turn)
        if self.sheet.writer(turn) is None:
            return
        begin = self.sheet.beginning(turn)
        if not is_first or begin > self.viewport().height() / 2:
            self._arrange(ScrollAnchor(turn, max(0.0, begin - _ABOVE)))

    def find(  # type: ignore[override]
        self, text: str, options: QTextDocument.FindFlag = _FORWARD
    ) -> bool:
        """Go to the next place of a text, in turns too that are not written yet."""
        if super().find(text, options):
            return True
        before, cursor = self.here(), self.textCursor()
        back = bool(options & QTextDocument.FindFlag.FindBackward)
        for number in self._likely(text, back=back):
            self._arrange(ScrollAnchor(number, 0.0))
            self._set_cursor(number, at_end=back)
            if super().find(text, options):
                return True
        self.setTextCursor(cursor)
        self._arrange(before)
        return False

    def moveCursor(  # noqa: N802 - Qt's
        self,
        operation: QTextCursor.MoveOperation,
        mode: QTextCursor.MoveMode = QTextCursor.MoveMode.MoveAnchor,
    ) -> None:
        """Write the first or the last turns where the cursor is sent there."""
        if operation == QTextCursor.MoveOperation.Start:
            self.go_to(0)
        elif operation == QTextCursor.MoveOperation.End:
            self._arrange(None)
        super().moveCursor(operation, mode)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's
        """Select all without making HTML of it: X11 wants what is selected before it is copied."""
        self._is_selecting = event.matches(QKeySequence.StandardKey.SelectAll)
        super().keyPressEvent(event)
        self._is_selecting = False

    def createMimeDataFromSelection(self) -> QMimeData:  # noqa: N802 - Qt's
        """Copy what is selected, no cell as a formula; of all, also what is not written."""
        if self._is_all_selected and not self._is_selecting:
            return clipboard.whole_conversation(self.sheet.content.turns)
        if self._is_all_selected:
            made = QMimeData()
            made.setText(clipboard.conversation(self.sheet.content.turns))
            return made
        cursor = self.textCursor()
        start, end = cursor.selectionStart(), cursor.selectionEnd()
        turns = self.sheet.content.turns
        parts = ((turns[n], part) for n, part in self.sheet.parts_between(start, end))
        return clipboard.selected(cursor.selection(), parts)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's
        """Stay here: when a text is shown first, Qt goes to its cursor."""
        anchor = self.here()
        super().showEvent(event)
        self.go_back_to(anchor)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's
        """Keep the column centred and of a width that reads well, and the same text in sight."""
        anchor, line = self.here(), self._line_to_hold()
        self._arranging = True
        super().resizeEvent(event)
        self.sheet.heights.cover(self.sheet.content.turns, self._column())
        self._arrange(anchor if line is None else self._anchor_of(line))

    def _line_to_hold(self) -> HeldLine | None:
        """Return the line that was asked for, else the upper one; None at the end."""
        held = self._held
        if held is not None and self.sheet.writer_at(held.cursor.position()) is not None:
            return held
        if not self.sheet.writers or self.here() is None or not self.verticalScrollBar().value():
            return None
        for y in range(0, self.viewport().height() // 2, _NEXT_LINE):
            cursor = self.cursorForPosition(QPoint(round(self._side()), y))
            if self.sheet.writer_at(cursor.position()) is not None:  # not between two turns
                return HeldLine(cursor, self.cursorRect(cursor).top())
        return None

    def _anchor_of(self, line: HeldLine) -> ScrollAnchor:
        """Return what is at the upper edge where a line lies at its height in the width now."""
        self.sheet.settle(self._side())
        bar = self.verticalScrollBar()
        below = self.cursorRect(line.cursor).top() + bar.value() - line.top
        return self._anchor_at(max(0.0, below - TOP))

    def _anchor_at(self, y: float) -> ScrollAnchor:
        heights = self.sheet.heights
        turn = heights.at(y + 1)  # the bar counts in whole pixels
        return ScrollAnchor(turn, y - heights.top(turn))

    def _likely(self, text: str, *, back: bool) -> list[int]:
        """Return some turns, not written and in order, that may hold a text."""
        wanted, turns = _bare(text), self.sheet.content.turns
        beyond = range(self.sheet.first - 1, -1, -1) if back else range(self.sheet.end, len(turns))
        likely = (
            n for n in beyond if wanted and wanted in _bare(turns[n].question + turns[n].text)
        )
        return list(islice(likely, _FIND_IN))

    def _side(self) -> float:
        return side_of(self.viewport().width(), self.least_side)

    def _column(self) -> float:
        return max(1.0, self.viewport().width() - 2 * self._side())

    def _wanted(self, anchor: ScrollAnchor | None, around: float) -> tuple[int, int]:
        """Return the first turn in sight and the one behind the last, with so much around them."""
        heights, high = self.sheet.heights, self.viewport().height()
        if not len(heights):
            return 0, 0
        top = max(0.0, heights.top(len(heights)) - high)
        if anchor is not None:
            top = min(top, heights.top(anchor.turn) + anchor.offset)
        return heights.at(top - around * high), heights.at(top + high + around * high) + 1

    def _arrange(self, anchor: ScrollAnchor | None) -> None:
        """Write what is in sight, and scroll there; what is around it follows later."""
        self._arranging = True
        for _ in range(_TRIES):
            first, end = self._wanted(anchor, 0.0)
            self.sheet.hold(first, end)
            self.sheet.settle(self._side())
            if self._is_written(self._wanted(anchor, 0.0)):
                break
        self._scroll_to(anchor)
        self._select_all_again()
        self._arranging = False
        self.arranged.emit()
        self._later.start()

    def _is_written(self, wanted: tuple[int, int]) -> bool:
        return self.sheet.first <= wanted[0] and wanted[1] <= self.sheet.end

    def _scroll_to(self, anchor: ScrollAnchor | None) -> None:
        bar = self.verticalScrollBar()
        high = math.ceil(self.document().size().height())
        bar.setRange(0, max(0, high - self.viewport().height()))  # Qt does, but at times later
        if anchor is None:
            bar.setValue(bar.maximum())
        else:
            bar.setValue(round(TOP + self.sheet.heights.top(anchor.turn) + anchor.offset))

    @Slot()
    def _follow_scrolling(self) -> None:
        if self._arranging:
            return
        self._held = None
        anchor = self.here()
        if self._is_written(self._wanted(anchor, 0.0)):
            self._later.start()
        else:
            self._arrange(anchor)

    @Slot()
    def _go_on(self) -> None:
        """Write one turn more around those in sight; when that is done, let far ones go."""
        anchor = self.here()
        self._arranging = True
        if self._reach(anchor) or self._let_go(anchor):
            self.sheet.settle(self._side())
            self._scroll_to(anchor)
            self._select_all_again()
            self.arranged.emit()
        else:
            self._later.stop()
        self._arranging = False

    def _reach(self, anchor: ScrollAnchor | None) -> bool:
        """Write one of the turns that lie around those in sight; say whether one was missing."""
        first, end = self._wanted(anchor, _AROUND)
        if self.sheet.first > first:
            self.sheet.hold(self.sheet.first - 1, self.sheet.end)
        elif self.sheet.end < end:
            self.sheet.hold(self.sheet.first, self.sheet.end + 1)
        else:
            return False
        return True

    def _let_go(self, anchor: ScrollAnchor | None) -> bool:
        """Take out what is far from sight and not selected; say whether anything was."""
        first, end = self._wanted(anchor, _FAR)
        cursor = self.textCursor()
        if cursor.hasSelection() and not self._is_all_selected:
            for position in (cursor.selectionStart(), cursor.selectionEnd()):
                found = self.sheet.writer_at(position)
                if found is not None:
                    first, end = min(first, found[0]), max(end, found[0] + 1)
        before = len(self.sheet.writers)
        self.sheet.let_go(first, end)
        return len(self.sheet.writers) != before

    def _set_cursor(self, turn: int, *, at_end: bool) -> None:
        writer = self.sheet.writer(turn)
        if writer is None:
            return
        frame = writer.frame
        self.setTextCursor(frame.lastCursorPosition() if at_end else frame.firstCursorPosition())

    @Slot()
    def _dim_bar(self) -> None:
        """Let the style hide the bar where there is nothing to scroll."""
        bar = self.verticalScrollBar()
        bar.setEnabled(bar.maximum() > bar.minimum())

    @Slot()
    def _note_selection(self) -> None:
        if not self._arranging:
            cursor = self.textCursor()
            last = self.document().characterCount() - 2
            start, end = cursor.selectionStart(), cursor.selectionEnd()
            self._is_all_selected = cursor.hasSelection() and start <= 1 and end >= last

    def _select_all_again(self) -> None:
        if self._is_all_selected:
            self.selectAll()


def _bare(text: str) -> str:
    """Return a text for a rough comparison: without blanks and Markdown's signs."""
    return _SIGNS.sub("", text).casefold()
