"""The part of a conversation that is laid out, and how high each turn of it is.

A turn's height is measured where it was laid out, else estimated. A text document of a whole long
conversation takes most of a second for every change of its width. So only the turns in sight and
some around them are written into the document, a frame each; the others are empty room above and
below, as high as those turns.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import accumulate

from PySide6.QtGui import QTextCursor, QTextDocument, QTextFrame, QTextFrameFormat
from PySide6.QtWidgets import QTextEdit

from desktop_rag.gui.chat.answer_parts import LARGEST
from desktop_rag.gui.chat.text_style import TurnStyle, collapse_paragraph
from desktop_rag.gui.chat.timeline_writer import Expansion
from desktop_rag.gui.chat.turn_writer import TurnWriter
from desktop_rag.gui.controllers.transcript import Turn

_LINE = 24.0  # pixels of a line of text, with its share of the gaps
_AROUND = 150.0  # question, footer and margins
_LETTER = 7.5
TOP, BOTTOM = 16, 8
_BETWEEN = 18
_NONE = -1.0


class TurnHeights:
    """The heights of turns 0 … n-1 in a column of a width; sums of them are kept."""

    def __init__(self) -> None:
        self._turns: tuple[Turn, ...] = ()
        self._column = 1.0
        self._known: dict[int, tuple[Turn, float]] = {}
        self._all: list[float] = []
        self._tops: list[float] | None = None

    def cover(self, turns: tuple[Turn, ...], column: float) -> None:
        """Hold heights of these turns at a column's width; what was measured at another is void."""
        if column != self._column:
            self._known, self._turns = {}, ()
        before, heights = self._turns, self._all
        self._turns, self._column = turns, column
        made = [
            heights[n] if n < len(before) and turn is before[n] else self._height(n)
            for n, turn in enumerate(turns)
        ]
        if made != heights:
            self._all, self._tops = made, None

    def measured(self, number: int, height: float) -> None:
        """Remember what the layout says of a turn."""
        self._known[number] = (self._turns[number], height)
        self._set(number, height)

    def top(self, number: int) -> float:
        """Return where a turn begins; of the number behind the last, where all ends."""
        if self._tops is None:
            self._tops = [0.0, *accumulate(self._all)]
        return self._tops[number]

    def at(self, y: float) -> int:
        """Return the turn that lies at a height."""
        if self._tops is None:
            self.top(0)
        low, high = 0, max(0, len(self._all) - 1)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.top(middle) <= y else (low, middle - 1)
        return low

    def __len__(self) -> int:
        return len(self._all)

    def _set(self, number: int, height: float) -> None:
        if self._all[number] != height:
            self._all[number] = height
            self._tops = None

    def _height(self, number: int) -> float:
        turn = self._turns[number]
        known = self._known.get(number)
        if known is not None and known[0].question == turn.question:  # it grows: more is near
            return known[1]
        text = turn.text[:LARGEST]  # a longer answer is shown in parts
        lines = sum(self._lines(line) for line in text.split("\n") if line.strip())
        return _AROUND + _LINE * (lines + self._lines(turn.question))

    def _lines(self, text: str) -> int:
        wide = len(text) if text.isascii() else len(text.encode("utf-8")) / 1.6
        return max(1, math.ceil(wide * _LETTER / max(1.0, self._column)))


@dataclass(frozen=True, slots=True)
class TranscriptContent:
    """What is to be shown: turns, how they look, whose steps are unfolded, and which of those.

    `hits` are pairs of a turn and a step of it, `parts` of a turn and the part of its long answer.
    """

    turns: tuple[Turn, ...] = ()
    look: TurnStyle | None = None
    unfolded: frozenset[int] = field(default_factory=frozenset)
    hits: frozenset[tuple[int, int]] = field(default_factory=frozenset)
    parts: frozenset[tuple[int, int]] = field(default_factory=frozenset)

    def look_of(self, number: int) -> TurnStyle:
        """Return a turn's look; a notice is told in the first turn that has it."""
        if self.look is None:
            message = "a content with turns has a look"
            raise ValueError(message)
        told = frozenset(notice for turn in self.turns[:number] for notice in turn.notices)
        return replace(self.look, told=told)

    def unfolded_of(self, number: int) -> Expansion:
        """Return what is unfolded of a turn."""
        hits = frozenset(step for turn, step in self.hits if turn == number)
        part = max((part for turn, part in self.parts if turn == number), default=0)
        return Expansion(number in self.unfolded, hits, part)


class VisibleTurns:
    """Writes turns `first` … `first + len(writers) - 1` of a content into an edit's document."""

    def __init__(self, edit: QTextEdit) -> None:
        self._edit = edit
        self._side = _NONE
        self.content = TranscriptContent()
        self.heights = TurnHeights()
        self.first = 0
        self.writers: list[TurnWriter] = []

    @property
    def _document(self) -> QTextDocument:
        """The edit's document, asked for each time: PySide forgets it when a frame of it goes."""
        return self._edit.document()

    @property
    def end(self) -> int:
        """The number behind the last turn that is written."""
        return self.first + len(self.writers)

    def clear(self) -> None:
        """Take everything out of the document."""
        self._document.clear()
        collapse_paragraph(QTextCursor(self._document))
        self.first, self.writers = 0, []
        self._document.rootFrame().setFrameFormat(QTextFrameFormat())
        self._side = _NONE

    def show(self, content: TranscriptContent, column: float) -> None:
        """Take over what is to be shown; what is written of it is brought up to date."""
        self.content = content
        self.heights.cover(content.turns, column)
        while self.writers and self.end > len(content.turns):
            self._drop(len(self.writers) - 1)
        for number in range(self.first, self.end):
            self._write(number)

    def hold(self, first: int, end: int) -> None:
        """See to it that these turns are written, of those behind each other."""
        if self.writers and (first > self.end or end < self.first):
            self.clear()
        if not self.writers:
            self.first = first
        while self.first > first:
            self.first -= 1
            self._insert(0)
        while self.end < end:
            self._insert(len(self.writers))

    def let_go(self, first: int, end: int) -> None:
        """Take out what lies outside of these turns."""
        while self.writers and self.end > max(end, first + 1):
            self._drop(len(self.writers) - 1)
        while self.writers and self.first < min(first, self.end - 1):
            self._drop(0)
            self.first += 1

    def settle(self, side: float) -> None:
        """Measure what is written, and leave room for what is not, the column between margins."""
        if side != self._side:
            self._set_margins(side)
        layout = self._document.documentLayout()
        for number, writer in enumerate(self.writers, self.first):
            height = layout.frameBoundingRect(writer.frame).height() + 1
            self.heights.measured(number, height)
        self._set_margins(side)

    def beginning(self, number: int) -> float:
        """Return how far into a turn that is written the part of its answer begins."""
        writer = self.writers[number - self.first]
        layout = self._document.documentLayout()
        block = self._document.findBlock(writer.beginning)
        return layout.blockBoundingRect(block).top() - layout.frameBoundingRect(writer.frame).top()

    def writer_at(self, position: int) -> tuple[int, TurnWriter] | None:
        """Return the turn at a place in the document."""
        for number, writer in enumerate(self.writers, self.first):
            if writer.frame.firstPosition() <= position <= writer.frame.lastPosition():
                return number, writer
        return None

    def parts_between(self, start: int, end: int) -> Iterator[tuple[int, QTextCursor]]:
        """Yield the turns between two places in the document, each with what lies between them."""
        for number, writer in enumerate(self.writers, self.first):
            begins = max(start, writer.frame.firstPosition())
            ends = min(end, writer.frame.lastPosition())
            if begins < ends:
                cursor = QTextCursor(self._document)
                cursor.setPosition(begins)
                cursor.setPosition(ends, QTextCursor.MoveMode.KeepAnchor)
                yield number, cursor

    def writer(self, number: int) -> TurnWriter | None:
        """Return a turn's writer, None while the turn is not written."""
        return self.writers[number - self.first] if self.first <= number < self.end else None

    def _set_margins(self, side: float) -> None:
        self._side = side
        root = self._document.rootFrame()
        look = root.frameFormat()
        above = TOP + self.heights.top(self.first) if self.writers else TOP
        rest = self.heights.top(len(self.heights)) - self.heights.top(self.end)
        wanted = (round(above), round(BOTTOM + rest), round(side), round(side))
        now = (look.topMargin(), look.bottomMargin(), look.leftMargin(), look.rightMargin())
        if wanted != now:
            look.setTopMargin(wanted[0])
            look.setBottomMargin(wanted[1])
            look.setLeftMargin(wanted[2])
            look.setRightMargin(wanted[3])
            root.setFrameFormat(look)

    def _insert(self, row: int) -> None:
        cursor = QTextCursor(self._document)
        if row:
            cursor.movePosition(QTextCursor.MoveOperation.End)
        look = QTextFrameFormat()
        look.setBottomMargin(_BETWEEN)
        frame = cursor.insertFrame(look)
        after = frame.lastCursorPosition()
        after.movePosition(QTextCursor.MoveOperation.NextBlock)
        collapse_paragraph(after)
        self.writers.insert(row, TurnWriter(frame, self.first + row))
        self._write(self.first + row)

    def _write(self, number: int) -> None:
        writer = self.writers[number - self.first]
        look, unfolded = self.content.look_of(number), self.content.unfolded_of(number)
        writer.write(self.content.turns[number], look, unfolded)

    def _drop(self, row: int) -> None:
        frame: QTextFrame = self.writers.pop(row).frame
        cursor = QTextCursor(self._document)
        cursor.setPosition(frame.firstPosition() - 1)
        cursor.setPosition(frame.lastPosition() + 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        collapse_paragraph(cursor)
