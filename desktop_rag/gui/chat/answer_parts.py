"""A long answer in parts, each of which is laid out within a moment. Pure functions.

Laying a text out takes time for its letters, and more for its lines, cells and links. So a part is
as long as its cost allows. It ends at a blank line where there is one, else at a line, else within
one; code and tables that go on in the next part begin there anew, with their fence or their head.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop_rag.gui.chat.markdown_blocks import fence_after, opens
from desktop_rag.gui.chat.markdown_writer import BlockCounts

LARGEST = 16_000
"""What a part may cost: as much as so many letters of prose, some 0.05 s."""

_LINE, _CELL, _LINK, _MARK = 24, 28, 28, 5  # letters that take as long as one of these
_DEAREST = max(_LINE, _CELL, _LINK)
_STEP = 100  # letters of a line that are looked at together
_NEAR = 80  # letters before a cut within a line in which a blank is looked for
_LONGEST_FENCE = 200  # letters of a fence's line that is written again


@dataclass(frozen=True, slots=True)
class DisplayPart:
    """One part of an answer: its number from 0, its text, and what was counted before it."""

    number: int
    text: str
    before: BlockCounts
    is_last: bool


@dataclass(slots=True)
class _Place:
    """Where a part may begin: in an answer, in which fence or table, behind how many of each."""

    at: int = 0
    fence: str = ""
    opening: str = ""
    head: str = ""
    code: int = 0
    table: int = 0

    def copy(self) -> _Place:
        return _Place(self.at, self.fence, self.opening, self.head, self.code, self.table)

    @property
    def is_within(self) -> bool:
        """Whether code or a table goes on here."""
        return bool(self.fence or self.head)


class AnswerSplitter:
    """Finds the parts of an answer that may grow; what was found before is found no more."""

    def __init__(self) -> None:
        self._text = ""
        self._places = [_Place()]

    def get(self, text: str, number: int) -> DisplayPart:
        """Return a part, counted from 0; the last one where there are not so many."""
        if not text.startswith(self._text):
            self._places = [_Place()]
        while len(self._places) <= number + 1:
            place = _next_place(text, self._places[-1])
            if place is None:
                break
            self._places.append(place)
        self._text = text[: self._places[-1].at]
        number = min(number, len(self._places) - 1)
        begin = self._places[number]
        is_last = number + 1 == len(self._places)
        end = len(text) if is_last else self._places[number + 1].at
        before = BlockCounts(begin.code - bool(begin.fence), begin.table - bool(begin.head))
        return DisplayPart(
            number, begin.opening + begin.head + text[begin.at : end], before, is_last
        )


def _next_place(text: str, begin: _Place) -> _Place | None:
    """Return where the part behind the one that begins here begins, None where that is the last."""
    place, before = begin.copy(), ""
    blank: _Place | None = None
    room = LARGEST - _cost(begin.head)
    while place.at < len(text):
        end = (text.find("\n", place.at) + 1) or len(text)
        line = text[place.at : end]
        whole = _fits(line, room)
        if whole < len(line):
            return _cut(text, begin, blank, place, whole)
        room -= _cost(line) + 1
        line = line.rstrip("\n")
        if place.is_within or "|" in line or "`" in line or "~" in line:
            _pass(place, line, before)
        before, place.at = line, end
        if not (line.strip() or place.is_within):
            blank = place.copy()
    return None


def _cut(text: str, begin: _Place, blank: _Place | None, line: _Place, whole: int) -> _Place:
    """Return the best place before the line that is too much, of which `whole` letters fit."""
    if blank is not None and blank.at - begin.at > (line.at - begin.at) // 2:
        return blank
    if line.at > begin.at:
        return line
    at = begin.at + max(1, whole)
    space = text.rfind(" ", max(begin.at + 1, at - _NEAR), at)
    line.at = space + 1 if space > begin.at else at
    return line


def _pass(place: _Place, line: str, before: str) -> None:
    """Take note of what a line opens and closes."""
    fence = fence_after(line, place.fence)
    if fence and not place.fence:
        place.opening = (line if len(line) <= _LONGEST_FENCE else fence) + "\n"
        place.head = ""
        place.code += 1
    elif not fence:
        place.opening = ""
    place.fence = fence
    if fence:
        return
    if place.head and "|" not in line:
        place.head = ""
    elif not place.head and opens(before, line):
        head = f"{before}\n{line}\n"
        place.head = head if _cost(head) <= LARGEST // 2 else ""
        place.table += 1


def _fits(line: str, room: int) -> int:
    """Return how many letters of a line there is room for."""
    room -= _LINE if line.strip() else 0
    if len(line) * (1 + _DEAREST) <= room:
        return len(line)
    for at in range(0, len(line), _STEP):
        room -= _weight(line[at : at + _STEP])
        if room < 0:
            return at
    return len(line) if room >= 0 else 0


def _cost(text: str) -> int:
    return sum(_LINE + _weight(line) for line in text.split("\n") if line.strip())


def _weight(text: str) -> int:
    """Return what letters cost, the breaks of their lines apart."""
    marks = text.count("*") + text.count("`") + text.count("_") + text.count("~")
    links = text.count("[") + text.count("<") + text.count("://")
    return len(text) + _CELL * text.count("|") + _LINK * links + _MARK * marks
