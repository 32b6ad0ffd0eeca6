"""Thinking that a model writes into its answer, between `<think>` and `</think>`.

Servers that know the model keep it apart; older ones, and models they don't know, do not.
"""

from __future__ import annotations

from enum import Enum, auto

from desktop_rag.models.protocols import ReplyPiece

_BEGIN, _END = "<think>", "</think>"
_MOST_BLANK = 1000  # characters before a word that may still be the mark


class _At(Enum):
    """Where in a reply we are."""

    BEGINNING = auto()
    THINKING = auto()
    GAP = auto()
    ANSWER = auto()


class ThinkingFilter:
    """Takes thinking out of the beginning of a reply; what else begins with `<` is let through."""

    def __init__(self) -> None:
        self._at = _At.BEGINNING
        self._held: list[ReplyPiece] = []
        self._thought = ""

    @property
    def unfinished(self) -> bool:
        """Whether the reply so far is thinking alone."""
        return self._at in (_At.THINKING, _At.GAP)

    def feed(self, piece: ReplyPiece) -> ReplyPiece | None:
        """Take the next piece; return what is answer."""
        if self._at is _At.BEGINNING:
            return self._begin(piece)
        if self._at is _At.THINKING:
            return self._think(piece.text)
        if self._at is _At.GAP:
            return self._speak(piece)
        return piece

    def end(self) -> ReplyPiece | None:
        """Return what is still held when the reply ends; never thinking."""
        return _joined(self._held) if self._held else None

    def _begin(self, piece: ReplyPiece) -> ReplyPiece | None:
        self._held.append(piece)
        held = _joined(self._held)
        text = held.text.lstrip()
        if _BEGIN.startswith(text) and len(held.text) <= _MOST_BLANK:
            return None
        self._held = []
        if text.startswith(_BEGIN):
            self._at = _At.THINKING
            return self._think(text)
        self._at = _At.ANSWER
        return held

    def _think(self, text: str) -> ReplyPiece | None:
        before, ended, after = (self._thought + text).partition(_END)
        if not ended:
            self._thought = before[-len(_END) :]
            return None
        self._at = _At.GAP
        return self._speak(ReplyPiece(after))

    def _speak(self, piece: ReplyPiece) -> ReplyPiece | None:
        """Leave out the blank between the thinking and the answer."""
        text = piece.text.lstrip()
        if not text:
            return None
        self._at = _At.ANSWER
        return ReplyPiece(text, piece.tokens)


def _joined(pieces: list[ReplyPiece]) -> ReplyPiece:
    return ReplyPiece(
        "".join(each.text for each in pieces),
        tuple(token for each in pieces for token in each.tokens),
    )
