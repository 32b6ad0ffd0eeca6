"""What of an answer that is written stays when it has grown, or has ended in other words."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from desktop_rag.app.transcript import Turn
from desktop_rag.ui.chat import phrases
from desktop_rag.ui.chat.markdown import prepared
from desktop_rag.ui.chat.pieces import cuts, pieces
from desktop_rag.ui.chat.prose import Count


@dataclass(frozen=True, slots=True)
class Cut:
    """Where an answer is cut: in its text, and in its frame; and what was counted until there."""

    text: int = 0
    at: int = 0
    count: Count = field(default_factory=Count)


def numbers(turn: Turn) -> range:
    """Return the numbers that have a source."""
    return range(1, len(turn.sources) + 1)


def staying(written: Sequence[Cut], before: Turn, after: Turn) -> list[Cut]:
    """Return the cuts up to which an answer would be written the same way once more.

    The first one lies before all of it.
    """
    old, new = phrases.answer(before), phrases.answer(after)
    known, others = numbers(before), numbers(after)
    if known == others and new.startswith(old):
        return list(written)
    again = set(cuts(new))
    stay = list(written[:1])
    for cut in written[1:]:
        begin, end = stay[-1].text, cut.text
        part = new[begin:end]
        if end not in again or part != old[begin:end] or not _reads_same(part, known, others):
            break
        stay.append(cut)
    return stay


def _reads_same(text: str, known: Container[int], others: Container[int]) -> bool:
    """Return whether Markdown looks the same, whichever of these numbers have a source."""
    prose = [piece.text for piece in pieces(text) if piece.kind != "code"]
    return all(prepared(each, known) == prepared(each, others) for each in prose)
