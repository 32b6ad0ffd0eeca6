"""Thinking that a model writes into its answer, between `<think>` and `</think>`.

Servers that know the model keep it apart; older ones, and models they don't know, do not.
"""

from __future__ import annotations

from desktop_rag.engine.models.protocols import Piece

_BEGIN, _END = "<think>", "</think>"


class InlineThought:
    """Takes thinking out of the beginning of a reply; what else begins with `<` is let through."""

    def __init__(self) -> None:
        self._held: list[Piece] = []
        self._undecided = True
        self._inside = False

    @property
    def unfinished(self) -> bool:
        """Whether the reply so far is thinking alone."""
        return self._inside

    def feed(self, piece: Piece) -> Piece | None:
        """Take the next piece; return what is answer."""
        if self._undecided or self._inside:
            self._held.append(piece)
            return self._inside_or_out() if self._inside else self._decide()
        return piece

    def end(self) -> Piece | None:
        """Return what is still held when the reply ends; never thinking."""
        return self._released() if self._held and not self._inside else None

    def _decide(self) -> Piece | None:
        text = _joined(self._held).text.lstrip()
        if _BEGIN.startswith(text):
            return None
        self._undecided = False
        self._inside = text.startswith(_BEGIN)
        return self._inside_or_out() if self._inside else self._released()

    def _inside_or_out(self) -> Piece | None:
        _, ended, after = _joined(self._held).text.partition(_END)
        if not ended:
            return None
        self._inside, self._held = False, []
        self._undecided = not after.strip()  # the space after the tag is no answer either
        return Piece(after.lstrip()) if after.strip() else None

    def _released(self) -> Piece:
        released, self._held = _joined(self._held), []
        return released


def _joined(pieces: list[Piece]) -> Piece:
    return Piece(
        "".join(each.text for each in pieces),
        tuple(token for each in pieces for token in each.tokens),
    )
