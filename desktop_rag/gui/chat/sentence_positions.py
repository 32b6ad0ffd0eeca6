"""Where the sentences of an answer stand in the document that shows it.

The engine numbers the sentences of the answer's Markdown; what is shown has lost its signs. So
both are compared by their letters and digits alone, from sentence to sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from PySide6.QtGui import QTextBlock, QTextCursor

from desktop_rag.core.sentences import sentences
from desktop_rag.gui.chat.markdown_blocks import blocks_of_kind
from desktop_rag.gui.controllers.transcript import Turn

_CITED = re.compile(r"[ \t]*\[\d{1,3}\]")
_LINKED = re.compile(r"\]\([^)\s]*\)")
_NUMBERING = re.compile(r"^\s*(?:>\s*)*\d{1,9}[.)]\s+")
_SHOWN_CITE = "\u2009"
_EDGE = 24
_SIGN = r"(?:[ \t\u00a0\u202f][%‰°€£$])?"  # of the number that a sentence ends with
_ENDING = re.compile(_SIGN + r"(?:[^\w\s([{“‘「『（《]|[ \t]?\u2009\d+\u2009|_)*")


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """Sentence number `sentence` of an answer, from `start` to `end` in the document.

    `citations` are the indexes of the turn's citations that it rests on.
    """

    sentence: int
    start: int
    end: int
    citations: tuple[int, ...]


def find_sentences(
    cursor: QTextCursor, start: int, end: int, turn: Turn
) -> tuple[ShownSentence, ...]:
    """Return the sentences of a turn's answer that are found between two positions, no code.

    `cursor` is anywhere in the document and is moved.
    """
    shown, places = _letters(_block(cursor, start), end)
    code = "\n".join(_key(piece.text) for piece in blocks_of_kind(turn.text, "code"))
    found: list[ShownSentence] = []
    at = 0
    for number, span in enumerate(sentences(turn.text)):
        key = _key(span.of(turn.text))
        place = _place(shown, key, at)
        if place is None or key in code:
            continue
        first, at = place
        cited = tuple(i for i, each in enumerate(turn.citations) if each.sentence == number)
        last = places[at - 1]
        found.append(
            ShownSentence(number, places[first], last + _tail(_block(cursor, last), last), cited)
        )
    return tuple(found)


def _block(cursor: QTextCursor, position: int) -> QTextBlock:
    cursor.setPosition(position)
    return cursor.block()


def _letters(block: QTextBlock, end: int) -> tuple[str, list[int]]:
    """Return the letters and digits shown, without citations, and the position of each."""
    letters: list[str] = []
    places: list[int] = []
    while block.isValid() and block.position() < end:
        within = False
        for at, sign in enumerate(block.text()):
            if sign == _SHOWN_CITE:
                within = not within
            elif sign.isalnum() and not within:
                letters.append(sign)
                places.append(block.position() + _wide(block.text(), at))
        block = block.next()
    return "".join(letters), places


def _tail(block: QTextBlock, last: int) -> int:
    """Return how far a sentence reaches from its last letter on: its stop, and its citations."""
    ahead = block.text().encode("utf-16-le")[2 * (last - block.position()) :]
    found = _ENDING.match(ahead.decode("utf-16-le", "replace"), 1)
    return found.end() if found else 1


def _wide(text: str, at: int) -> int:
    """Return a place in the UTF-16 that Qt counts in."""
    return at if text.isascii() else len(text[:at].encode("utf-16-le")) // 2


def _key(sentence: str) -> str:
    bare = _NUMBERING.sub("", _LINKED.sub("]", _CITED.sub("", sentence)))
    return "".join(filter(str.isalnum, bare))


def _place(shown: str, key: str, at: int) -> tuple[int, int] | None:
    """Return where a sentence begins and ends among the letters shown, or None."""
    if not key:
        return None
    whole = shown.find(key, at)
    if whole >= 0:
        return whole, whole + len(key)
    first, last = key[:_EDGE], key[-_EDGE:]
    begin = shown.find(first, at)
    end = shown.find(last, begin) if begin >= 0 else -1
    if end < 0 or end - begin > 2 * len(key):
        return None
    return begin, end + len(last)
