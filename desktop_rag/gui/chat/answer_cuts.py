"""Where an answer may be cut in two: what is before a cut looks the same, whatever comes behind."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from desktop_rag.gui.chat import transcript_text
from desktop_rag.gui.chat.markdown_blocks import split_blocks, stable_cuts
from desktop_rag.gui.chat.markdown_writer import BlockCounts
from desktop_rag.gui.chat.safe_markdown import sanitize_markdown
from desktop_rag.gui.controllers.transcript import Turn


@dataclass(frozen=True, slots=True)
class WrittenCut:
    """Where an answer is cut: in its text, and in its frame; and what was counted until there."""

    text: int = 0
    at: int = 0
    count: BlockCounts = field(default_factory=BlockCounts)


def source_numbers(turn: Turn) -> range:
    """Return the numbers that have a source."""
    return range(1, len(turn.sources) + 1)


def unchanged_cuts(written: Sequence[WrittenCut], before: Turn, after: Turn) -> list[WrittenCut]:
    """Return the cuts up to which an answer would be written the same way once more.

    The first one lies before all of it.
    """
    old, new = transcript_text.answer(before), transcript_text.answer(after)
    known, others = source_numbers(before), source_numbers(after)
    if known == others and new.startswith(old):
        return list(written)
    again = set(stable_cuts(new))
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
    prose = [piece.text for piece in split_blocks(text) if piece.kind != "code"]
    return all(sanitize_markdown(each, known) == sanitize_markdown(each, others) for each in prose)
