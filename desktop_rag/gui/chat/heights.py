"""How high each turn of a conversation is: measured where it was laid out, else estimated."""

from __future__ import annotations

import math
from itertools import accumulate

from desktop_rag.gui.chat.answer_parts import LARGEST
from desktop_rag.gui.controllers.transcript import Turn

_LINE = 24.0  # pixels of a line of text, with its share of the gaps
_AROUND = 150.0  # question, footer and margins
_LETTER = 7.5


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
