"""Where a reply joins the beginning that it was to continue: tells when a model starts over."""

from __future__ import annotations

from desktop_rag.models.protocols import ReplyPiece

_TELLING = 24  # characters in common with the beginning that are no accident


class ReplyRestarted(Exception):
    """The reply is the beginning written anew, and then something else."""


class ContinuationJoiner:
    """Holds a reply's first pieces back until it is clear whether they repeat the beginning.

    A reply that repeats the whole beginning is joined after it; one that repeats only a part and
    goes another way raises `ReplyRestarted` if `strict`. `repeated` says that the former happened.
    """

    def __init__(self, beginning: str, *, strict: bool = True) -> None:
        self._strict = strict
        self._beginning = beginning.strip()
        self._held: list[ReplyPiece] = []
        self._open = len(self._beginning) < min(_TELLING, 8)
        self.repeated = False

    def feed(self, piece: ReplyPiece) -> list[ReplyPiece]:
        """Take the next piece; return what can go on."""
        if self._open:
            return [piece]
        self._held.append(piece)
        text = "".join(each.text for each in self._held).lstrip()
        if self._beginning.startswith(text):
            return []
        return self._decide(text)

    def end(self) -> list[ReplyPiece]:
        """Return what is still held when the reply ends."""
        if self._open or not self._held:
            return []
        return self._decide("".join(each.text for each in self._held).lstrip())

    def _decide(self, text: str) -> list[ReplyPiece]:
        self._open = True
        if text.startswith(self._beginning):
            self.repeated = True
            whole = "".join(each.text for each in self._held)
            return _after(self._held, whole.index(self._beginning) + len(self._beginning))
        if self._strict and _common(text, self._beginning) >= min(_TELLING, len(self._beginning)):
            raise ReplyRestarted
        return self._held


def _common(one: str, other: str) -> int:
    """Return the length of the common beginning."""
    for index, (mine, theirs) in enumerate(zip(one, other, strict=False)):
        if mine != theirs:
            return index
    return min(len(one), len(other))


def _after(pieces: list[ReplyPiece], skip: int) -> list[ReplyPiece]:
    """Return the pieces without their first `skip` characters; a cut token is left out."""
    kept: list[ReplyPiece] = []
    for piece in pieces:
        text = piece.text[skip:]
        skip = max(0, skip - len(piece.text))
        if text:
            whole = text == piece.text
            kept.append(piece if whole else ReplyPiece(text))
    return kept
